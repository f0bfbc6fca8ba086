#include "weir/traffic/congestion/newreno_ecn.h"

#include <gtest/gtest.h>

namespace weir::traffic {
namespace {

constexpr std::uint64_t mss = 1'000;

ack_event ack_of(std::uint64_t una, std::uint64_t max, bool echo) {
    return {mss, una, max, 0_ps, 0_ps, echo};
}

TEST(newreno_ecn, is_newreno_as_long_as_nothing_is_marked) {
    const newreno plain{1_KB};
    const newreno_ecn listening{1_KB};
    EXPECT_FALSE(plain.ecn_capable());
    EXPECT_TRUE(listening.ecn_capable());
    newreno_state a;
    newreno_ecn::state b;
    plain.open(a, 2 * mss, 8 * mss);
    listening.open(b, 2 * mss, 8 * mss);
    for (std::uint64_t una = mss; una < 40 * mss; una += mss) {
        plain.on_ack(a, ack_of(una, una + a.cwnd, false));
        listening.on_ack(b, ack_of(una, una + b.cwnd, false));
        EXPECT_EQ(a.cwnd, b.cwnd);
        EXPECT_EQ(a.ssthresh, b.ssthresh);
    }
}

TEST(newreno_ecn, a_window_with_marks_is_halved_once_and_does_not_grow_by_their_acks) {
    const newreno_ecn listening{1_KB};
    newreno_ecn::state s;
    listening.open(s, 10 * mss, 100 * mss);
    // Ten segments are out, all come back marked: the first ACK halves, the rest of this window does nothing.
    for (std::uint64_t una = mss; una <= 10 * mss; una += mss) {
        listening.on_ack(s, ack_of(una, 10 * mss, true));
        EXPECT_EQ(s.cwnd, 5 * mss) << una;
        EXPECT_EQ(s.ssthresh, 5 * mss) << una;
    }
    // What was sent after that is another window.
    listening.on_ack(s, ack_of(11 * mss, 15 * mss, true));
    EXPECT_EQ(s.cwnd, 5 * mss / 2);
    // An ACK without a mark lets it grow again: one segment a window.
    const std::uint64_t before = s.cwnd;
    for (std::uint64_t una = 16 * mss; una < 19 * mss; una += mss) {
        listening.on_ack(s, ack_of(una, 20 * mss, false));
    }
    EXPECT_EQ(s.cwnd, before + mss);
}

TEST(newreno_ecn, two_segments_are_the_least_that_marks_leave) {
    const newreno_ecn listening{1_KB};
    newreno_ecn::state s;
    listening.open(s, 3 * mss, 100 * mss);
    for (std::uint64_t una = mss; una < 20 * mss; una += 2 * mss) {
        listening.on_ack(s, ack_of(una, una + mss, true));
    }
    EXPECT_EQ(s.cwnd, 2 * mss);
}

TEST(newreno_ecn, marks_halve_what_is_outstanding_not_what_might_be) {
    const newreno_ecn listening{1_KB};
    newreno_ecn::state s;
    listening.open(s, 100 * mss, 100 * mss);
    // The receive window let 12 segments out, of which this ACK confirms the first.
    listening.on_ack(s, ack_of(mss, 12 * mss, true));
    EXPECT_EQ(s.cwnd, 6 * mss);
}

TEST(newreno_ecn, after_a_timeout_marks_of_what_was_out_do_not_cut_again) {
    const newreno_ecn listening{1_KB};
    newreno_ecn::state s;
    listening.open(s, 20 * mss, 100 * mss);
    listening.on_timeout(s, 20 * mss, false);
    for (std::uint64_t una = mss; una <= 20 * mss; una += mss) {
        listening.on_ack(s, ack_of(una, 20 * mss, true));
        EXPECT_EQ(s.cwnd, mss);
        EXPECT_EQ(s.ssthresh, 10 * mss);
    }
    listening.on_ack(s, ack_of(21 * mss, 21 * mss, true));
    EXPECT_EQ(s.ssthresh, 2 * mss);
}

TEST(newreno_ecn, every_cut_is_told_to_the_sender_once_it_is_made) {
    const newreno_ecn listening{1_KB};
    newreno_ecn::state s;
    listening.open(s, 20 * mss, 100 * mss);
    listening.on_ack(s, ack_of(mss, 20 * mss, false));
    EXPECT_FALSE(s.reduced);
    listening.on_ack(s, ack_of(2 * mss, 21 * mss, true));
    EXPECT_TRUE(s.reduced);
    s.reduced = false;
    listening.on_loss(s, 19 * mss, 3);
    EXPECT_TRUE(s.reduced);
    s.reduced = false;
    listening.on_timeout(s, 19 * mss, false);
    EXPECT_TRUE(s.reduced);
}

}  // namespace
}  // namespace weir::traffic
