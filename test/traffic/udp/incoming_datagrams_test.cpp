#include "weir/traffic/udp/incoming_datagrams.h"

#include <gtest/gtest.h>

namespace weir::traffic {
namespace {

transfer_fields transfer(std::uint64_t flow, std::uint64_t flow_bytes, std::uint32_t gap_us = 1) {
    transfer_fields t(flow, flow, 0, flow_bytes);
    t.set_gap_us(gap_us);
    return t;
}

TEST(incoming_datagrams, a_transfer_is_complete_with_its_last_byte_and_leaves_nothing) {
    incoming_datagrams datagrams;
    EXPECT_TRUE(datagrams.add(transfer(1, 1000), 1000, 0_ps));
    EXPECT_FALSE(datagrams.add(transfer(2, 3000), 1472, 0_ps));
    EXPECT_FALSE(datagrams.add(transfer(3, 1500), 28, 0_ps));
    EXPECT_EQ(datagrams.incomplete(), 2U);
    EXPECT_FALSE(datagrams.add(transfer(2, 3000), 1472, 1s));
    EXPECT_TRUE(datagrams.add(transfer(2, 3000), 56, 2s));
    EXPECT_TRUE(datagrams.add(transfer(3, 1500), 1472, 3s));
    EXPECT_EQ(datagrams.incomplete(), 0U);
}

TEST(incoming_datagrams, patience_is_a_second_and_64_gaps_and_has_no_end_for_the_longest) {
    EXPECT_EQ(incoming_datagrams::patience(transfer(0, 1, 0)), 1s);
    EXPECT_EQ(incoming_datagrams::patience(transfer(0, 1, 1000)), 1'064ms);
    EXPECT_EQ(incoming_datagrams::patience(transfer(0, 1, ~0U)), never);
    EXPECT_EQ(incoming_datagrams::patience(transfer(0, 1, transfer_fields::ordinals - 2)),
              1s + 64 * 1'073'741'822us);
}

// Every transfer loses one of its two datagrams.
TEST(incoming_datagrams, of_a_million_that_lost_a_datagram_those_of_the_last_second_or_two_are_kept) {
    incoming_datagrams datagrams;
    std::size_t most = 0;
    for (std::uint64_t flow = 0; flow < 1'000'000; ++flow) {
        datagrams.add(transfer(flow, 2000), 1472, static_cast<std::int64_t>(flow) * 100us);
        most = std::max(most, datagrams.incomplete());
    }
    EXPECT_GE(datagrams.incomplete(), 10'000U);
    EXPECT_LE(most, 20'002U);
}

TEST(incoming_datagrams, a_slow_transfer_is_not_forgotten_among_many_that_are) {
    incoming_datagrams datagrams;
    datagrams.add(transfer(0, 2000, 2'000'000), 1472, 0_ps);                  // a datagram in two seconds
    datagrams.add(transfer(1, 2000, transfer_fields::ordinals), 1472, 0_ps);  // or in half an hour
    for (std::uint64_t flow = 2; flow < 1'000'000; ++flow) {
        datagrams.add(transfer(flow, 2000), 1472, static_cast<std::int64_t>(flow) * 100us);
    }
    EXPECT_TRUE(datagrams.add(transfer(0, 2000, 2'000'000), 528, 100s));
    EXPECT_TRUE(datagrams.add(transfer(1, 2000, transfer_fields::ordinals), 528, 100s));
}

}  // namespace
}  // namespace weir::traffic
