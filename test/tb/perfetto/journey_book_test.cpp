#include "tb/verify/perfetto/journey_book.h"

#include <gtest/gtest.h>

namespace weir::tb {
namespace {

ethernet_frame segment(std::uint64_t flow, std::uint64_t sequence) {
    ethernet_frame frame;
    frame.kind = frame_kind::tcp_data;
    frame.frame_bytes = 1530;
    frame.transfer = transfer_fields(flow, 0, sequence, 10'000);
    return frame;
}

TEST(journey_book, follows_a_frame_from_node_to_node) {
    journey_book book;
    const journey_step first = book.sent(segment(1, 0), 0, 10, true, {5us, 3});
    EXPECT_EQ(first.number, 1U);
    EXPECT_FALSE(first.arrived);
    const journey_step other = book.sent(segment(1, 1460), 0, 10, true, {6us, 3});
    EXPECT_EQ(other.number, 2U);
    const journey_step second = book.sent(segment(1, 0), 10, 11, true, {9us, 0});
    EXPECT_EQ(second.number, 1U);
    ASSERT_TRUE(second.arrived);
    EXPECT_EQ(second.arrived->last_bit, 5us);
    EXPECT_EQ(second.arrived->port, 3U);
    const journey_step last = book.sent(segment(1, 0), 11, 1, false, {});
    EXPECT_EQ(last.number, 1U);
    EXPECT_EQ(last.arrived->last_bit, 9us);
    EXPECT_EQ(book.open(), 1U);
}

TEST(journey_book, copies_that_are_alike_go_on_in_the_order_in_which_they_came) {
    journey_book book;
    book.sent(segment(1, 0), 0, 10, true, {5us, 3});
    book.sent(segment(1, 0), 0, 10, true, {7us, 3});
    EXPECT_EQ(book.sent(segment(1, 0), 10, 1, false, {}).arrived->last_bit, 5us);
    EXPECT_EQ(book.sent(segment(1, 0), 10, 1, false, {}).arrived->last_bit, 7us);
    EXPECT_EQ(book.open(), 0U);
    // Whatever of a frame differs makes it another one.
    ethernet_frame again = segment(1, 0);
    again.flags = retransmitted;
    book.sent(segment(1, 0), 0, 10, true, {8us, 0});
    EXPECT_FALSE(book.sent(again, 10, 1, false, {}).arrived);
}

TEST(journey_book, a_lost_frame_is_forgotten) {
    journey_book book;
    book.sent(segment(4, 0), 0, 10, true, {5us, 2});
    EXPECT_EQ(book.ended(segment(4, 0), 11).number, 0U);
    EXPECT_EQ(book.open(), 1U);
    const journey_step lost = book.ended(segment(4, 0), 10);
    EXPECT_EQ(lost.number, 1U);
    EXPECT_EQ(lost.arrived->port, 2U);
    EXPECT_EQ(book.open(), 0U);
}

}  // namespace
}  // namespace weir::tb
