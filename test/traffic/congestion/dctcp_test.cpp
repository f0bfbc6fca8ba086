#include "weir/traffic/congestion/dctcp.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "weir/base/rng.h"

namespace weir::traffic {
namespace {

/// Payload of a full segment.
constexpr std::uint64_t full = 1'000;

ack_event ack_of(std::uint64_t acked, std::uint64_t una, std::uint64_t max, bool echo) {
    return {acked, una, max, 0_ps, 0_ps, echo};
}

TEST(dctcp, wants_each_mark_and_newreno_with_ecn_wants_the_latch_of_rfc_3168) {
    EXPECT_TRUE(dctcp{1_KB}.ecn_capable());
    EXPECT_FALSE(dctcp{1_KB}.latches_echo());
    EXPECT_TRUE(newreno_ecn{1_KB}.latches_echo());
    EXPECT_FALSE(newreno{1_KB}.latches_echo());
}

TEST(dctcp, the_first_window_with_marks_is_halved_nearly_and_later_ones_by_what_came_marked) {
    const dctcp algorithm{1_KB};
    dctcp_state s;
    algorithm.open(s, 20 * full, 10 * full);
    EXPECT_EQ(s.alpha, 1);
    // The first ACK ends a window of its own, in which all is marked: the estimate stays, and cuts by half.
    algorithm.on_ack(s, ack_of(full, full, 20 * full, true));
    EXPECT_EQ(s.alpha, 1);
    EXPECT_EQ(s.cwnd, 10 * full);
    // Nothing more until 20,000 B are confirmed, whatever is marked.
    for (std::uint64_t una = 2 * full; una <= 20 * full; una += full) {
        algorithm.on_ack(s, ack_of(full, una, 20 * full, una <= 5 * full));
        EXPECT_EQ(s.alpha, 1) << una;
    }
    const std::uint64_t before = s.cwnd;
    EXPECT_EQ(before, 11 * full);  // 15 segments without a mark, ten of which are a window
    // 4 of 19 segments came marked, and this one is not.
    algorithm.on_ack(s, ack_of(full, 21 * full, 31 * full, false));
    EXPECT_EQ(s.alpha, 15.0 / 16 + 4.0 / 20 / 16);
    algorithm.on_ack(s, ack_of(full, 22 * full, 32 * full, true));
    EXPECT_EQ(s.cwnd, static_cast<std::uint64_t>(static_cast<double>(before) * (1 - s.alpha / 2)));
    EXPECT_EQ(s.ssthresh, s.cwnd);
}

TEST(dctcp, a_first_estimate_of_none_leaves_the_window_at_the_first_mark) {
    const dctcp algorithm{1_KB, 1, avoidance_growth::per_window, 1.0 / 16, 0};
    dctcp_state s;
    algorithm.open(s, 20 * full, 10 * full);
    EXPECT_EQ(s.alpha, 0);
    // The first ACK ends a window in which all is marked, so the estimate is g when the window is cut.
    algorithm.on_ack(s, ack_of(full, full, 20 * full, true));
    EXPECT_EQ(s.alpha, 1.0 / 16);
    EXPECT_EQ(s.cwnd, static_cast<std::uint64_t>(20 * full * (1 - 1.0 / 32)));
}

TEST(dctcp, a_window_is_cut_by_half_of_the_estimate_once_for_each_window_of_data) {
    const dctcp algorithm{1_KB};
    dctcp_state s;
    algorithm.open(s, 20 * full, 40 * full);
    s.alpha = 0.5;
    s.window_end = 100 * full;
    for (std::uint64_t n = 1; n <= 20; ++n) {
        algorithm.on_ack(s, ack_of(full, n * full, 20 * full, true));
        EXPECT_EQ(s.cwnd, 15 * full) << n;
        EXPECT_EQ(s.ssthresh, 15 * full) << n;
    }
    algorithm.on_ack(s, ack_of(full, 21 * full, 35 * full, true));
    EXPECT_EQ(s.cwnd, 11'250U);
}

TEST(dctcp, without_marks_the_estimate_dies_away_by_g_once_a_window) {
    const dctcp algorithm{1_KB, 1, avoidance_growth::per_window, 0.25};
    dctcp_state s;
    algorithm.open(s, 10 * full, 10 * full);
    double alpha = 1;
    for (std::uint64_t una = full; una <= 200 * full; una += full) {
        if ((una - full) % (10 * full) == 0) {
            alpha *= 0.75;
        }
        algorithm.on_ack(s, ack_of(full, una, (una - full) / (10 * full) * 10 * full + 10 * full, false));
        EXPECT_EQ(s.alpha, alpha) << una;
    }
}

TEST(dctcp, a_loss_halves_what_is_outstanding_and_marks_in_recovery_count) {
    const dctcp algorithm{1_KB};
    dctcp_state s;
    algorithm.open(s, 20 * full, 10 * full);
    algorithm.on_ack(s, ack_of(full, full, 20 * full, false));
    algorithm.on_loss(s, 19 * full, 3);
    EXPECT_EQ(s.ssthresh, 19 * full / 2);
    algorithm.on_partial_ack(s, ack_of(9 * full, 10 * full, 20 * full, true));
    algorithm.on_recovered(s, ack_of(11 * full, 21 * full, 22 * full, false));
    EXPECT_EQ(s.alpha, 15.0 / 16 * 15 / 16 + 9.0 / 20 / 16);
}

TEST(dctcp, a_timeout_is_newrenos_and_marks_of_what_was_out_do_not_cut_again) {
    const dctcp algorithm{1_KB};
    dctcp_state s;
    algorithm.open(s, 20 * full, 10 * full);
    algorithm.on_timeout(s, 20 * full, false);
    EXPECT_EQ(s.cwnd, full);
    EXPECT_EQ(s.ssthresh, 10 * full);
    algorithm.on_ack(s, ack_of(full, full, 20 * full, true));
    algorithm.on_ack(s, ack_of(19 * full, 20 * full, 21 * full, true));
    EXPECT_EQ(s.cwnd, full);
    EXPECT_EQ(s.ssthresh, 10 * full);
    algorithm.on_ack(s, ack_of(full, 21 * full, 22 * full, true));
    EXPECT_EQ(s.cwnd, 2 * full);  // the least that marks leave
}

/// RFC 8257 3.3 and RFC 3465 with L = 1, every variable as the texts name it.
struct literal_dctcp {
    std::uint64_t cwnd;
    std::uint64_t ssthresh;
    double dctcp_alpha = 1;
    std::uint64_t dctcp_window_end = 0;
    std::uint64_t dctcp_bytes_acked = 0;
    std::uint64_t dctcp_bytes_marked = 0;
    std::uint64_t bytes_acked = 0;
    std::uint64_t last_cut = 0;

    void acceptable_ack(std::uint64_t acked, std::uint64_t una, std::uint64_t nxt, bool ece, double g) {
        dctcp_bytes_acked += acked;
        if (ece) {
            dctcp_bytes_marked += acked;
        }
        if (una > dctcp_window_end) {
            const double m = static_cast<double>(dctcp_bytes_marked) / static_cast<double>(dctcp_bytes_acked);
            dctcp_alpha = dctcp_alpha * (1 - g) + g * m;
            dctcp_window_end = nxt;
            dctcp_bytes_acked = 0;
            dctcp_bytes_marked = 0;
        }
        if (ece) {
            if (una > last_cut) {
                cwnd = static_cast<std::uint64_t>(static_cast<double>(cwnd) * (1 - dctcp_alpha / 2));
                cwnd = cwnd < 2 * full ? 2 * full : cwnd;
                ssthresh = cwnd;
                bytes_acked = 0;
                last_cut = nxt;
            }
        } else if (cwnd < ssthresh) {
            cwnd += acked < full ? acked : full;
        } else {
            bytes_acked += acked;
            if (bytes_acked >= cwnd) {
                bytes_acked -= cwnd;
                cwnd += full;
            }
        }
    }
};

TEST(dctcp, agrees_with_a_literal_reading_of_its_rfc_over_random_marks) {
    random_stream chance{3, 1, random_purpose::adversary};
    for (int round = 0; round < 50; ++round) {
        const double g = 1.0 / (1 << (1 + chance.below(6)));
        const dctcp algorithm{1_KB, 1, avoidance_growth::per_window, g};
        dctcp_state s;
        algorithm.open(s, 10 * full, 40 * full);
        literal_dctcp literal{10 * full, 40 * full};
        std::uint64_t una = 0;
        std::uint64_t nxt = 10 * full;
        unsigned percent = chance.below(100);
        for (int i = 0; i < 2'000; ++i) {
            if (chance.below(100) == 0) {
                percent = chance.below(100);
            }
            const std::uint64_t acked = full * (1 + chance.below(2));
            una += acked;
            nxt = std::max(nxt, una + s.cwnd);
            const bool ece = chance.below(100) < percent;
            algorithm.on_ack(s, ack_of(acked, una, nxt, ece));
            literal.acceptable_ack(acked, una, nxt, ece, g);
            ASSERT_EQ(s.alpha, literal.dctcp_alpha) << i;
            ASSERT_EQ(s.cwnd, literal.cwnd) << i;
            ASSERT_EQ(s.ssthresh, literal.ssthresh) << i;
        }
    }
}

}  // namespace
}  // namespace weir::traffic
