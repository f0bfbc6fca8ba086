#include "weir/traffic/congestion/cubic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "weir/base/rng.h"
#include "weir/traffic/congestion/classic_ecn.h"

namespace weir::traffic {
namespace {

constexpr std::uint64_t cubic_segment = 1'000;

ack_event ack_of(picoseconds now, picoseconds round_trip, std::uint64_t acked = cubic_segment) {
    ack_event ack{acked, acked, 100 * cubic_segment, now, round_trip, false};
    ack.smoothed_round_trip = round_trip;
    return ack;
}

/// RFC 9438 and RFC 8312 in segments and seconds, every variable as the texts name it.
struct literal_cubic {
    bool old;
    double C;
    double beta;
    bool fast_convergence;
    double cwnd;
    double ssthresh;
    double W_max = 0;
    double W_last_max = 0;
    double cwnd_prior = 0;
    double W_est = 0;
    double K = 0;
    double t_epoch = -1;

    double W_cubic(double t) const { return C * std::pow(t - K, 3) + W_max; }

    static double whole(double segments) { return std::floor(segments * cubic_segment + 1e-6); }

    /// `friendly`: what the algorithm under test decided, for the tie at t = 0 of RFC 8312.
    void ack(double now, double RTT, double segments_acked, bool friendly) {
        if (whole(cwnd) < whole(ssthresh)) {
            cwnd += std::min(segments_acked, 1.0);
            return;
        }
        if (t_epoch < 0) {
            t_epoch = now;
            W_est = cwnd;
            if (W_max == 0) {
                W_max = cwnd_prior = cwnd;
                K = 0;
            } else {
                K = std::cbrt((old ? W_max * (1 - beta) : W_max - cwnd) / C);
            }
        }
        const double t = now - t_epoch;
        const double alpha_aimd = 3 * (1 - beta) / (1 + beta);
        if (old) {
            W_est = W_max * beta + alpha_aimd * (t / RTT);
            if (t == 0 ? friendly : W_cubic(t) < W_est) {
                cwnd = std::max(cwnd, W_est);
            } else {
                cwnd += std::max(0.0, W_cubic(t + RTT) - cwnd) / cwnd;
            }
            return;
        }
        W_est += (W_est >= cwnd_prior ? 1 : alpha_aimd) * segments_acked / cwnd;
        if (W_cubic(t) < W_est) {
            cwnd = W_est;
            return;
        }
        double target = W_cubic(t + RTT);
        if (target < cwnd) {
            target = cwnd;
        } else if (target > 1.5 * cwnd) {
            target = 1.5 * cwnd;
        }
        cwnd += (target - cwnd) / cwnd;
    }
    void congestion(double flight) {
        const bool shrinks = cwnd < (old ? W_last_max : W_max);
        W_last_max = cwnd_prior = cwnd;
        W_max = fast_convergence && shrinks ? cwnd * (1 + beta) / 2 : cwnd;
        ssthresh = std::max((old ? cwnd : flight) * beta, 2.0);
        t_epoch = -1;
    }
    void loss(double flight) {
        congestion(flight);
        cwnd = ssthresh;
    }
    void timeout(double flight) {
        congestion(flight);
        cwnd = 1;
        W_max = W_last_max = 0;
    }
};

void expect_agreement(cubic_rules rules, std::uint64_t seed) {
    random_stream chance{seed, 1, random_purpose::adversary};
    cubic_config config;
    config.rules = rules;
    config.c = 0.1 + chance.below(10) * 0.1;
    config.beta = 0.5 + chance.below(4) * 0.1;
    config.fast_convergence = chance.below(3) != 0;
    const classic_ecn<cubic> algorithm(1_KB, 1, config);
    classic_ecn<cubic>::state s;
    algorithm.open(s, 10 * cubic_segment, 40 * cubic_segment);
    literal_cubic literal{rules == cubic_rules::rfc8312, config.c, config.beta,
                          config.fast_convergence,       10,       40};
    picoseconds now = 0_ps;
    picoseconds round_trip = 1ms * (1 + chance.below(200));
    for (int i = 0; i < 3'000; ++i) {
        now += 100us * (1 + chance.below(1 + static_cast<std::uint32_t>(round_trip / 1ms)));
        const std::uint64_t flight = s.cwnd / cubic_segment + chance.below(20);
        const auto flight_segments = static_cast<double>(flight);
        switch (chance.below(300)) {
            case 0:
                algorithm.on_loss(s, flight * cubic_segment, 0);
                literal.loss(flight_segments);
                break;
            case 1:
                // A mark cuts as a loss does.
                algorithm.on_marks(s, flight * cubic_segment);
                literal.loss(flight_segments);
                break;
            case 2:
                algorithm.on_timeout(s, flight * cubic_segment, false);
                literal.timeout(flight_segments);
                break;
            case 3:
                round_trip = 1ms * (1 + chance.below(200));
                break;
            default: {
                const std::uint64_t segments = 1 + chance.below(2);
                algorithm.grow(s, ack_of(now, round_trip, segments * cubic_segment));
                literal.ack(static_cast<double>(now.count()) * 1e-12,
                            static_cast<double>(round_trip.count()) * 1e-12, static_cast<double>(segments),
                            s.region == cubic_region::reno_friendly);
            }
        }
        ASSERT_NEAR(static_cast<double>(s.cwnd), literal.cwnd * cubic_segment, 1.01) << "event " << i;
        ASSERT_NEAR(static_cast<double>(s.ssthresh), literal.ssthresh * cubic_segment, 1.01) << "event " << i;
        ASSERT_NEAR(s.w_max, literal.W_max, 1e-5) << "event " << i;
    }
}

TEST(cubic, agrees_with_a_literal_reading_of_rfc_9438_over_random_events) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        SCOPED_TRACE(seed);
        expect_agreement(cubic_rules::rfc9438, seed);
    }
}

TEST(cubic, agrees_with_a_literal_reading_of_rfc_8312_over_random_events) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        SCOPED_TRACE(seed);
        expect_agreement(cubic_rules::rfc8312, seed);
    }
}

TEST(cubic, a_loss_leaves_seven_tenths_and_the_curve_is_flat_again_after_k) {
    const cubic algorithm{1_KB, 1, cubic_config{}};
    cubic_state s;
    algorithm.open(s, 1'000 * cubic_segment, 100 * cubic_segment);
    algorithm.on_ack(s, ack_of(1s, 500ms));
    const double w_max = static_cast<double>(s.cwnd) / cubic_segment;
    algorithm.on_loss(s, s.cwnd, 0);
    EXPECT_EQ(s.ssthresh, s.cwnd);
    EXPECT_NEAR(static_cast<double>(s.cwnd), 0.7 * w_max * cubic_segment, 1);
    const double k = std::cbrt(0.3 * w_max / 0.4);
    // A thousand ACKs a round trip of 500 ms: the window is at the curve, a round trip ahead.
    picoseconds now = 2s;
    const picoseconds start = now;
    const auto curve = [&](picoseconds time) {
        return 0.4 * std::pow(static_cast<double>((time - start).count()) * 1e-12 - k, 3) + w_max;
    };
    for (; now < 12s; now += 500us) {
        algorithm.on_ack(s, ack_of(now, 500ms));
        const double window = static_cast<double>(s.cwnd) / cubic_segment;
        if (now > start + 1s) {
            EXPECT_GE(window, curve(now) - 1);
            EXPECT_LE(window, curve(now + 500ms) + 1);
        }
    }
    EXPECT_GT(s.k, 9);
    EXPECT_NEAR(s.k, k, 1e-3);
}

TEST(cubic, where_what_is_outstanding_exceeds_the_window_k_is_negative) {
    const cubic algorithm{1_KB, 1, cubic_config{}};
    cubic_state s;
    algorithm.open(s, 10 * cubic_segment, 10 * cubic_segment);
    algorithm.on_loss(s, 20 * cubic_segment, 0);
    EXPECT_EQ(s.cwnd, 14 * cubic_segment);
    algorithm.on_ack(s, ack_of(1s, 100ms));
    EXPECT_NEAR(s.k, -std::cbrt((14 - 10) / 0.4), 1e-12);
    EXPECT_EQ(s.region, cubic_region::reno_friendly);
}

TEST(cubic, the_target_is_at_most_half_a_window_ahead_in_rfc_9438_alone) {
    cubic_config config;
    config.c = 400;
    cubic_state s;
    const auto growth = [&](cubic_rules rules) {
        config.rules = rules;
        const cubic algorithm{1_KB, 1, config};
        s = {};
        algorithm.open(s, 10 * cubic_segment, 10 * cubic_segment);
        algorithm.on_ack(s, ack_of(1s, 100ms));
        const std::uint64_t before = s.cwnd;
        algorithm.on_ack(s, ack_of(2s, 100ms));
        return static_cast<double>(s.cwnd - before);
    };
    EXPECT_NEAR(growth(cubic_rules::rfc9438), 500, 1);
    const double before = 10'000 + 1'000 * (400 * 0.001) / 10;
    EXPECT_NEAR(growth(cubic_rules::rfc8312),
                (400 * std::pow(1.1, 3) + 10 - before / cubic_segment) / before * cubic_segment * cubic_segment,
                1);
}

TEST(cubic, neither_the_window_nor_its_time_goes_on_while_the_receiver_is_the_limit) {
    const cubic bounded{1_KB, 1, cubic_config{}};
    cubic_state s;
    bounded.open(s, 19 * cubic_segment, 10 * cubic_segment);
    picoseconds now = 1s;
    for (; now < 100s; now += 10ms) {
        ack_event ack = ack_of(now, 100ms);
        ack.receive_window = (now < 50s ? 20 : 30) * cubic_segment;
        bounded.on_ack(s, ack);
        ASSERT_LE(s.cwnd, ack.receive_window);
    }
    EXPECT_EQ(s.cwnd, 30 * cubic_segment);
    EXPECT_GT(s.epoch, 90s);
}

TEST(cubic, a_second_timeout_of_a_segment_leaves_ssthresh) {
    const cubic algorithm{1_KB, 1, cubic_config{}};
    cubic_state s;
    algorithm.open(s, 20 * cubic_segment, 10 * cubic_segment);
    algorithm.on_timeout(s, 20 * cubic_segment, false);
    EXPECT_EQ(s.ssthresh, 14 * cubic_segment);
    algorithm.on_timeout(s, cubic_segment, true);
    EXPECT_EQ(s.ssthresh, 14 * cubic_segment);
    EXPECT_EQ(s.cwnd, cubic_segment);
    EXPECT_TRUE(s.reduced);
}

}  // namespace
}  // namespace weir::traffic
