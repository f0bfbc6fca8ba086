// The examples of docs/extending.md, by hand.
#include <gtest/gtest.h>

#include "extending/bending_path.h"
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
    newreno_ecn_state s;
    algorithm.open(s, 20 * segment, 40 * segment);
    for (std::uint64_t n = 1; n <= 20; ++n) {
        algorithm.on_ack(s, ack_with_mark(n * segment, 20 * segment, true));
        EXPECT_EQ(s.cwnd, 16 * segment) << n;
        EXPECT_EQ(s.ssthresh, 16 * segment) << n;
    }
    algorithm.on_loss(s, 16 * segment, 0);
    EXPECT_EQ(s.cwnd, 8 * segment);
}

TEST(bending_path_example, a_congested_round_trip_bends_and_a_timeout_too) {
    outside::bending_config config;
    config.most_marked = 0.25;
    config.patience = 2;
    config.paths = 4;
    const outside::bending_path path(config);
    outside::bending_state s{};
    s.tag = 4 * 17 + 3;
    std::uint64_t una = 0;
    const auto round_trip = [&](unsigned marked) {
        for (unsigned n = 0; n < 8; ++n) {  // the first one is the last of the round trip before
            una += segment;
            path.on_ack(s, ack_with_mark(una, una + 7 * segment, n >= 8 - marked));
        }
    };
    round_trip(0);
    round_trip(3);
    EXPECT_EQ(s.tag, 4 * 17 + 3);  // once is not enough
    round_trip(2);                 // exactly the share that is allowed
    round_trip(3);
    EXPECT_EQ(s.tag, 4 * 17 + 3);
    round_trip(3);
    round_trip(0);
    EXPECT_EQ(s.tag, 4 * 17);  // comes round
    path.on_timeout(s);
    EXPECT_EQ(s.tag, 4 * 17 + 1);
}

}  // namespace
}  // namespace weir::traffic
