// Against a stable sort of the records themselves.
#include "tb/run/samples/rank_logs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "weir/base/rng.h"

using namespace weir;
using namespace weir::tb;

namespace {

/// `span`: times are below it; 1: all are the same.
void expect_ordered(host_id hosts, std::uint32_t most, std::uint32_t span, log_order& order) {
    random_stream chance(hosts, most, random_purpose::arrivals);
    std::vector<std::tuple<picoseconds, host_id, std::uint32_t>> expected;
    order.clear();
    for (host_id h = 0; h < hosts; ++h) {
        std::vector<picoseconds> times(chance.below(most + 1));
        for (picoseconds& time : times) {
            time = picoseconds{7'000 + chance.below(span)};
        }
        std::sort(times.begin(), times.end());
        for (std::uint32_t i = 0; i < times.size(); ++i) {
            expected.emplace_back(times[i], h, i);
        }
        order.add(h, times, [](picoseconds time) { return time; });
    }
    order.sort();
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(order.places().size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const log_place& place = order.places()[i];
        ASSERT_EQ(std::make_tuple(place.time, place.host, place.index), expected[i]) << hosts << " " << span;
    }
}

TEST(log_order, is_by_time_then_host_then_place_whatever_the_times) {
    log_order order;
    for (const host_id hosts : {1U, 2U, 16U, 256U}) {
        for (const std::uint32_t most : {0U, 1U, 3U, 40U}) {
            for (const std::uint32_t span : {1U, 2U, 50U, 1'000'000U, 4'000'000'000U}) {
                expect_ordered(hosts, most, span, order);
            }
        }
    }
}

// All but one in the first of the intervals.
TEST(log_order, holds_where_most_records_are_of_nearly_one_time) {
    log_order order;
    for (host_id h = 0; h < 100; ++h) {
        std::vector<picoseconds> times;
        for (unsigned i = 0; i < 20; ++i) {
            times.push_back(picoseconds{(h * 37 + i * 11) % 100 + i * 100});
        }
        std::sort(times.begin(), times.end());
        times.push_back(1s + picoseconds{h});
        order.add(h, times, [](picoseconds time) { return time; });
    }
    order.sort();
    EXPECT_TRUE(std::is_sorted(order.places().begin(), order.places().end()));
    EXPECT_EQ(order.places().size(), 2'100U);
}

}  // namespace
