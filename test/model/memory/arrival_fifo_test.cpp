#include "weir/model/memory/arrival_fifo.h"

#include <gtest/gtest.h>

namespace weir::model {
namespace {

TEST(arrival_fifo, holds_frames_until_their_lookups_start_and_until_they_are_written) {
    arrival_fifo fifo(2'000_B);
    fifo.wait_for_lookup(1'000_B, 100_ps);
    fifo.wait_for_lookup(900_B, 200_ps);
    EXPECT_EQ(fifo.fill(99_ps), 1'900_B);
    EXPECT_TRUE(fifo.has_room(100_B, 99_ps));
    EXPECT_FALSE(fifo.has_room(101_B, 99_ps));
    EXPECT_FALSE(fifo.waits_for_memory());
    // A frame that leaves now has left.
    EXPECT_EQ(fifo.fill(100_ps), 900_B);
    fifo.wait_for_memory(1'000_B, 300_ps);
    EXPECT_TRUE(fifo.waits_for_memory());
    EXPECT_EQ(fifo.fill(150_ps), 1'900_B);
    EXPECT_EQ(fifo.fill(250_ps), 1'000_B);
    EXPECT_EQ(fifo.fill(300_ps), 0_B);
}

TEST(arrival_fifo, an_empty_one_takes_any_frame_and_it_grows_as_far_as_it_must) {
    arrival_fifo fifo(1'000_B);
    EXPECT_TRUE(fifo.has_room(5'000_B, 0_ps));
    for (int i = 1; i <= 1'000; ++i) {
        fifo.wait_for_memory(10_B, picoseconds{i});
    }
    EXPECT_EQ(fifo.fill(0_ps), 10'000_B);
    EXPECT_EQ(fifo.fill(400_ps), 6'000_B);
    EXPECT_EQ(fifo.fill(1'000_ps), 0_B);
}

}  // namespace
}  // namespace weir::model
