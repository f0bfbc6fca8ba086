// Against a literal search over every picosecond.
#include "weir/model/link/link_history.h"

#include <gtest/gtest.h>

#include <random>

using namespace weir;
using namespace weir::model;

namespace {

link_change change_at(picoseconds at, std::optional<picoseconds> latency, bit_rate rate = bit_rate{0}) {
    link_change change{at, 0, std::nullopt, rate};
    change.latency = latency;
    return change;
}

TEST(link_history, a_change_holds_from_its_very_picosecond_and_leaves_the_rest_as_it_is) {
    link_history link({1_Gbps, 5us, 20_B, 0.25, 1e-9});
    link.add(change_at(1ms, 2us));
    link_change errors{2ms, 0, std::nullopt, 10_Gbps};
    errors.frame_error_rate = 0;
    link.add(errors);
    EXPECT_EQ(link.at(0_ps).latency, 5us);
    EXPECT_EQ(link.at(1ms - 1_ps).latency, 5us);
    EXPECT_EQ(link.at(1ms).latency, 2us);
    EXPECT_EQ(link.at(1ms).rate, 1_Gbps);
    EXPECT_EQ(link.at(1ms).frame_error_rate, 0.25);
    EXPECT_EQ(link.at(2ms - 1_ps).frame_error_rate, 0.25);
    EXPECT_EQ(link.at(2ms).frame_error_rate, 0);
    EXPECT_EQ(link.at(2ms).bit_error_rate, 1e-9);
    EXPECT_EQ(link.at(2ms).rate, 10_Gbps);
    EXPECT_EQ(link.at(2ms).latency, 2us);
    EXPECT_EQ(link.at(1s).wire_overhead, 20_B);
}

TEST(link_history, of_two_changes_at_one_time_the_later_wins_where_both_speak) {
    link_history link({1_Gbps, 5us, 0_B});
    link.add(change_at(0_ps, 4us));
    link.add(change_at(1ms, 3us, 10_Gbps));
    link.add(change_at(1ms, 2us));
    EXPECT_EQ(link.at(0_ps).latency, 4us);
    EXPECT_EQ(link.at(1ms).latency, 2us);
    EXPECT_EQ(link.at(1ms).rate, 10_Gbps);
}

TEST(link_history, arrivals_and_departures_are_what_a_search_over_every_picosecond_finds) {
    std::mt19937_64 random(7);
    constexpr std::int64_t span = 120;
    for (int round = 0; round < 400; ++round) {
        link_history link({1_Gbps, picoseconds{1 + random() % 30}, 0_B});
        std::int64_t at = 0;
        for (std::uint64_t changes = random() % 5; changes > 0; --changes) {
            at += static_cast<std::int64_t>(random() % 30);
            link.add(change_at(picoseconds{at}, picoseconds{1 + random() % 30}));
        }
        for (std::int64_t from = 0; from < span; from += 1 + static_cast<std::int64_t>(random() % 5)) {
            std::int64_t earliest = INT64_MAX;
            for (std::int64_t t = from; t < from + 2 * span; ++t) {
                earliest = std::min(earliest, t + link.at(picoseconds{t}).latency.count());
            }
            ASSERT_EQ(link.earliest_arrival(picoseconds{from}).count(), earliest);
            for (std::int64_t first_bit = earliest; first_bit < span; ++first_bit) {
                // The first that fits exactly, else the last that is early enough.
                std::int64_t exact = -1;
                std::int64_t last = -1;
                for (std::int64_t t = from; t < first_bit; ++t) {
                    const std::int64_t arrival = t + link.at(picoseconds{t}).latency.count();
                    exact = exact < 0 && arrival == first_bit ? t : exact;
                    last = arrival <= first_bit ? t : last;
                }
                ASSERT_EQ(link.departure(picoseconds{from}, picoseconds{first_bit}).count(),
                          exact >= 0 ? exact : last);
            }
        }
    }
}

}  // namespace
