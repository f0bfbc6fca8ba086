#include "weir/traffic/tcp/send_times.h"

#include <gtest/gtest.h>

namespace weir::traffic {
namespace {

TEST(send_times, keeps_the_times_of_all_segments_under_way_when_it_grows) {
    send_times times;
    times.open(1);
    for (std::uint64_t segment = 5; segment < 505; ++segment) {
        times.note(1, segment, 5, static_cast<std::int64_t>(segment) * 1us, false);
    }
    for (std::uint64_t segment = 5; segment < 505; ++segment) {
        EXPECT_EQ(times.of(1, segment), static_cast<std::int64_t>(segment) * 1us) << segment;
    }
}

TEST(send_times,
     a_segment_that_was_sent_again_has_none_and_a_new_one_takes_the_place_of_one_that_is_confirmed) {
    send_times times;
    times.open(0);
    times.note(0, 0, 0, 1us, false);
    times.note(0, 0, 0, 9us, true);
    EXPECT_EQ(times.of(0, 0), never);
    for (std::uint64_t segment = 1; segment < 1000; ++segment) {
        times.note(0, segment, segment, 2us, false);
        EXPECT_EQ(times.of(0, segment), 2us);
    }
}

}  // namespace
}  // namespace weir::traffic
