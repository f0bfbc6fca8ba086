#include "weir/traffic/congestion/vegas.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "weir/base/rng.h"
#include "weir/traffic/congestion/classic_ecn.h"

namespace weir::traffic {
namespace {

constexpr std::uint64_t vegas_segment = 1'000;

/// The paper's sections 4.2 and 4.3, windows in B.
struct literal_vegas {
    double alpha;
    double beta;
    double gamma;
    std::uint64_t cwnd;
    std::uint64_t ssthresh;
    picoseconds BaseRTT = never;
    std::uint64_t mark = 0;
    bool slow_start = true;
    bool grows = true;

    void ack(std::uint64_t acked, std::uint64_t una, std::uint64_t snd_max, picoseconds RTT) {
        BaseRTT = std::min(BaseRTT, RTT);
        if (una > mark) {
            mark = snd_max;
            const double seconds = static_cast<double>(RTT.count()) * 1e-12;
            const double base = static_cast<double>(BaseRTT.count()) * 1e-12;
            const double windows = static_cast<double>(cwnd) / vegas_segment;
            const double Expected = windows / base;
            const double Actual = windows / seconds;
            const double waiting = (Expected - Actual) * base;
            if (slow_start) {
                grows = !grows;
                if (waiting > gamma) {
                    cwnd -= cwnd / 8;
                    slow_start = false;
                } else if (cwnd >= ssthresh) {
                    slow_start = false;
                }
            } else if (waiting < alpha) {
                cwnd += vegas_segment;
            } else if (waiting > beta) {
                cwnd -= vegas_segment;
            }
        }
        if (slow_start && grows) {
            cwnd += std::min(acked, vegas_segment);
        }
    }
    void loss(std::uint64_t flight) {
        ssthresh = cwnd = std::max(flight / 2, 2 * vegas_segment);
        slow_start = false;
    }
    void timeout(std::uint64_t flight) {
        ssthresh = std::max(flight / 2, 2 * vegas_segment);
        cwnd = vegas_segment;
        slow_start = grows = true;
    }
};

TEST(vegas, agrees_with_a_literal_reading_of_its_paper_over_random_events) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        SCOPED_TRACE(seed);
        random_stream chance{seed, 2, random_purpose::adversary};
        vegas_config config;
        config.alpha = 1 + chance.below(3);
        config.beta = config.alpha + chance.below(3);
        config.gamma = 1 + chance.below(2);
        const classic_ecn<vegas> algorithm(1_KB, 1, config);
        classic_ecn<vegas>::state s;
        algorithm.open(s, 4 * vegas_segment, 200 * vegas_segment);
        literal_vegas literal{config.alpha, config.beta, config.gamma, 4 * vegas_segment, 200 * vegas_segment};
        std::uint64_t una = 0;
        std::uint64_t snd_max = 4 * vegas_segment;
        // Odd numbers, so that no quotient is a whole number of segments but for rounding.
        const picoseconds shortest = 1us * (101 + chance.below(1'000));
        picoseconds queueing = 0_ps;
        for (int i = 0; i < 3'000; ++i) {
            if (chance.below(20) == 0) {
                queueing = 13ns * chance.below(chance.below(3) == 0 ? 20'000 : 2'000);
            }
            const std::uint64_t flight = snd_max - una;
            switch (chance.below(400)) {
                case 0:
                    algorithm.on_loss(s, flight, 0);
                    literal.loss(flight);
                    break;
                case 1:
                    algorithm.on_marks(s, flight);
                    literal.loss(flight);
                    break;
                case 2:
                    algorithm.on_timeout(s, flight, false);
                    literal.timeout(flight);
                    break;
                default: {
                    const std::uint64_t acked = vegas_segment * (1 + chance.below(2));
                    una += acked;
                    snd_max = std::max(snd_max, una + s.cwnd);
                    const picoseconds round_trip = shortest + queueing;
                    algorithm.on_ack(s, {acked, una, snd_max, 0_ps, round_trip, false});
                    literal.ack(acked, una, snd_max, round_trip);
                }
            }
            ASSERT_EQ(s.cwnd, literal.cwnd) << "event " << i;
            ASSERT_EQ(s.ssthresh, literal.ssthresh) << "event " << i;
        }
    }
}

TEST(vegas, the_shortest_round_trip_may_be_one_of_a_recovery) {
    const vegas algorithm{1_KB, 1, vegas_config{}};
    vegas_state s;
    algorithm.open(s, 10 * vegas_segment, 100 * vegas_segment);
    algorithm.on_ack(s, {vegas_segment, vegas_segment, 10 * vegas_segment, 0_ps, 100us, false});
    algorithm.on_loss(s, 9 * vegas_segment, 3);
    algorithm.on_partial_ack(s, {vegas_segment, 2 * vegas_segment, 10 * vegas_segment, 0_ps, 90us, false});
    EXPECT_EQ(s.base_round_trip, 90us);
    algorithm.on_recovered(s, {8 * vegas_segment, 10 * vegas_segment, 12 * vegas_segment, 0_ps, 80us, false});
    EXPECT_EQ(s.base_round_trip, 80us);
}

TEST(vegas, a_cycle_without_a_measurement_waits_for_the_next_one) {
    const vegas algorithm{1_KB, 1, vegas_config{}};
    vegas_state s;
    algorithm.open(s, 10 * vegas_segment, 5 * vegas_segment);
    algorithm.on_ack(s, {vegas_segment, vegas_segment, 10 * vegas_segment, 0_ps, 0_ps, false});
    EXPECT_EQ(s.cycle_end, 0U);
    EXPECT_FALSE(s.in_avoidance);
    algorithm.on_ack(s, {vegas_segment, 2 * vegas_segment, 12 * vegas_segment, 0_ps, 1ms, false});
    EXPECT_EQ(s.cycle_end, 12 * vegas_segment);
    EXPECT_TRUE(s.in_avoidance);
}

TEST(vegas, the_window_does_not_grow_beyond_the_receivers) {
    const vegas bounded{1_KB, 1, vegas_config{}};
    vegas_state s;
    bounded.open(s, 4 * vegas_segment, 1'000 * vegas_segment);
    for (std::uint64_t una = vegas_segment; una < 2'000 * vegas_segment; una += vegas_segment) {
        ack_event ack{vegas_segment, una, una + s.cwnd, 0_ps, 1ms, false};
        ack.receive_window = (una < 1'000 * vegas_segment ? 20 : 30) * vegas_segment;
        bounded.on_ack(s, ack);
        ASSERT_LE(s.cwnd, ack.receive_window);
    }
    EXPECT_EQ(s.cwnd, 30 * vegas_segment);
}

}  // namespace
}  // namespace weir::traffic
