// The examples of docs/extending.md, by hand.
#include <gtest/gtest.h>

#include "extending/dctcp.h"
#include "extending/flowlet_path.h"

namespace weir::traffic {
namespace {

constexpr std::uint64_t segment = 1000;

tcp_config small_segments() {
    tcp_config config;
    config.mss = 1000_B;
    return config;
}

ack_event ack_with_mark(std::uint64_t una, std::uint64_t max, bool marked) {
    return {segment, una, max, 0_ps, 0_ps, marked};
}

TEST(dctcp_example, the_estimate_follows_the_share_of_marked_bytes_once_a_window) {
    const outside::dctcp algorithm(small_segments(), {});
    outside::dctcp_state s{};
    algorithm.open(s, 10 * segment, 10 * segment);
    EXPECT_EQ(s.alpha, 1);
    // The first ACK ends the empty first window; the next ends with what had been sent by then.
    algorithm.on_ack(s, ack_with_mark(segment, 11 * segment, false));
    EXPECT_EQ(s.alpha, 15.0 / 16);
    for (std::uint64_t n = 2; n <= 11; ++n) {
        algorithm.on_ack(s, ack_with_mark(n * segment, 21 * segment, false));
    }
    EXPECT_EQ(s.alpha, 15.0 / 16);
    algorithm.on_ack(s, ack_with_mark(12 * segment, 22 * segment, false));
    EXPECT_EQ(s.alpha, 15.0 * 15 / (16 * 16));
    // Ten segments, five of them marked, and the one that ends the window.
    const double before = s.alpha;
    for (std::uint64_t n = 13; n <= 23; ++n) {
        algorithm.on_ack(s, ack_with_mark(n * segment, 40 * segment, n % 2 == 0));
    }
    EXPECT_DOUBLE_EQ(s.alpha, before * 15 / 16 + 5.0 / 11 / 16);
}

TEST(dctcp_example, a_window_is_cut_by_half_of_the_estimate_once_for_each_window_of_data) {
    const outside::dctcp algorithm(small_segments(), {});
    outside::dctcp_state s{};
    algorithm.open(s, 20 * segment, 40 * segment);
    s.alpha = 0.5;
    s.window_end = 100 * segment;
    for (std::uint64_t n = 1; n <= 20; ++n) {
        algorithm.on_ack(s, ack_with_mark(n * segment, 20 * segment, true));
        EXPECT_EQ(s.cwnd, 15 * segment) << n;
        EXPECT_EQ(s.ssthresh, 15 * segment) << n;
    }
    algorithm.on_ack(s, ack_with_mark(21 * segment, 35 * segment, true));
    EXPECT_EQ(s.cwnd, 11'250U);
    s.cwnd = 2 * segment;
    s.alpha = 1;
    algorithm.on_ack(s, ack_with_mark(36 * segment, 40 * segment, true));
    EXPECT_EQ(s.cwnd, 2 * segment);  // the least
}

TEST(dctcp_example, a_loss_halves_as_newreno_does_and_its_acks_count_for_the_estimate) {
    const outside::dctcp algorithm(small_segments(), {});
    outside::dctcp_state s{};
    algorithm.open(s, 10 * segment, 40 * segment);
    s.window_end = 4 * segment;
    algorithm.on_loss(s, 10 * segment, 3);
    EXPECT_EQ(s.ssthresh, 5 * segment);
    algorithm.on_partial_ack(s, {4 * segment, 4 * segment, 10 * segment, 0_ps, 0_ps, true});
    EXPECT_EQ(s.alpha, 1);
    algorithm.on_recovered(s, {4 * segment, 8 * segment, 10 * segment, 0_ps, 0_ps, false});
    EXPECT_EQ(s.alpha, 15.0 / 16 + 0.5 / 16);
}

TEST(flowlet_path_example, a_pause_or_a_timeout_changes_the_path) {
    const outside::flowlet_path path(100us);
    outside::flowlet_state s{};
    s.tag = 65'535;
    const auto ack_at = [&](picoseconds now) {
        path.on_ack(s, {segment, segment, 2 * segment, now, 0_ps, false});
        return s.tag;
    };
    EXPECT_EQ(ack_at(100us), 65'535) << "not longer than the pause";
    EXPECT_EQ(ack_at(150us), 65'535);
    EXPECT_EQ(ack_at(251us), 0);
    EXPECT_EQ(ack_at(252us), 0);
    path.on_timeout(s);
    EXPECT_EQ(s.tag, 1);
}

}  // namespace
}  // namespace weir::traffic
