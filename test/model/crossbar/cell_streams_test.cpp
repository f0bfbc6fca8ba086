#include "weir/model/crossbar/cell_streams.h"

#include <gtest/gtest.h>

using namespace weir;
using namespace weir::model;

namespace {

TEST(cell_streams, a_cell_is_left_until_its_slot_has_begun) {
    cell_streams streams(8, 6'400_ps);
    // In the slot at 0 ps: ten cells.
    streams.begin({0, 2, 7}, 64'000_ps);
    EXPECT_EQ(streams.cells_left(2, 1_ps), 9);
    EXPECT_EQ(streams.cells_left(2, 6'400_ps), 9);
    EXPECT_EQ(streams.cells_left(2, 6'401_ps), 8);
    EXPECT_EQ(streams.cells_left(2, 33'000_ps), 4);
    EXPECT_EQ(streams.cells_left(2, 57'600_ps), 1);
    EXPECT_EQ(streams.cells_left(2, 57'601_ps), 0);
    EXPECT_EQ(streams.cells_left(2, 64'000_ps), 0);
}

TEST(cell_streams, are_found_by_both_ports_and_counted_until_they_are_over) {
    cell_streams streams(8, 10_ps);
    streams.begin({0, 2, 7}, 100_ps);
    streams.begin({3, 5, 1}, 60_ps);
    EXPECT_EQ(streams.count(), 2U);
    EXPECT_EQ(streams.egress_port(0), 2U);
    EXPECT_EQ(streams.egress_port(3), 5U);
    EXPECT_EQ(streams.pair(5), (crossbar_match{3, 5, 1}));
    EXPECT_EQ(streams.end(2), 100_ps);
    EXPECT_EQ(streams.cells_left(15_ps), 8 + 4);
    EXPECT_EQ(streams.cells_left(60_ps), 4);
    streams.finish(2);
    EXPECT_EQ(streams.count(), 1U);
    EXPECT_EQ(streams.cells_left(15_ps), 4);
    streams.finish(5);
    EXPECT_EQ(streams.count(), 0U);
    EXPECT_EQ(streams.cells_left(15_ps), 0);
}

}  // namespace
