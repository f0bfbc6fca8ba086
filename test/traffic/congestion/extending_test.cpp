// The examples of docs/extending.md, by hand.
#include <gtest/gtest.h>

#include "extending/flowlet_path.h"
#include "extending/gentle_backoff.h"

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

TEST(gentle_backoff_example, a_mark_cuts_less_than_a_loss) {
    const outside::gentle_backoff algorithm(small_segments(), 0.8);
    newreno_ecn::state s;
    algorithm.open(s, 20 * segment, 40 * segment);
    for (std::uint64_t n = 1; n <= 20; ++n) {
        algorithm.on_ack(s, ack_with_mark(n * segment, 20 * segment, true));
        EXPECT_EQ(s.cwnd, 16 * segment) << n;
        EXPECT_EQ(s.ssthresh, 16 * segment) << n;
    }
    algorithm.on_loss(s, 16 * segment, 0);
    EXPECT_EQ(s.cwnd, 8 * segment);
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
