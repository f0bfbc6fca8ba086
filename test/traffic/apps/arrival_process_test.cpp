#include "weir/traffic/apps/arrival_process.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

// Seeds are fixed. Bounds of counts are 4 standard deviations: a correct process with another seed fails one
// such test in 16,000. Kolmogorov-Smirnov: 1.95 / sqrt(n), 1 in 1,000.

namespace weir::traffic {
namespace {

constexpr random_stream chance(std::uint32_t host) {
    return {7, host, random_purpose::arrivals};
}

arrival_spec poisson(double rate, picoseconds stop) {
    arrival_spec spec;
    spec.rate = rate;
    spec.stop = stop;
    return spec;
}
arrival_spec mixed(double rate, picoseconds stop) {
    arrival_spec spec = poisson(rate, stop);
    spec.burst_period = 50ms;
    spec.burst_duration = 5ms;
    spec.burst_rate = 10'000;
    return spec;
}

std::vector<picoseconds> all(const arrival_spec& spec, std::uint32_t host = 0) {
    arrival_process process(spec, chance(host));
    std::vector<picoseconds> times;
    for (picoseconds t = process.next(); t != never; t = process.next()) {
        times.push_back(t);
    }
    EXPECT_EQ(process.next(), never);
    return times;
}

double seconds(picoseconds t) {
    return static_cast<double>(t.count()) * 1e-12;
}

/// Largest distance between the gaps' distribution and that of an exponential of mean 1.
double distance_from_exponential(std::vector<double> gaps) {
    std::sort(gaps.begin(), gaps.end());
    double worst = 0;
    const auto n = static_cast<double>(gaps.size());
    for (std::size_t i = 0; i < gaps.size(); ++i) {
        const double expected = 1 - std::exp(-gaps[i]);
        worst =
            std::max({worst, expected - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - expected});
    }
    return worst;
}

TEST(arrival_process_statistical, poisson_has_its_rate_and_exponential_gaps) {
    const auto times = all(poisson(2000, 100s));
    EXPECT_NEAR(static_cast<double>(times.size()), 200'000, 4 * std::sqrt(200'000));
    std::vector<double> gaps;
    for (std::size_t i = 1; i < times.size(); ++i) {
        ASSERT_GE(times[i], times[i - 1]);
        gaps.push_back(seconds(times[i] - times[i - 1]) * 2000);
    }
    EXPECT_LT(distance_from_exponential(gaps), 1.95 / std::sqrt(static_cast<double>(gaps.size())));
}

TEST(arrival_process_statistical, nothing_arrives_before_start_or_at_stop) {
    arrival_spec spec = poisson(1e6, 3ms);
    spec.start = 2ms;
    const auto times = all(spec);
    EXPECT_NEAR(static_cast<double>(times.size()), 1000, 4 * std::sqrt(1000));
    EXPECT_GE(times.front(), 2ms);
    EXPECT_LT(times.back(), 3ms);
}

TEST(arrival_process_statistical, a_bursty_process_arrives_within_bursts_only) {
    arrival_spec spec = mixed(0, 50s);
    spec.burst_duration = 2500us;
    std::map<std::int64_t, double> per_burst;
    for (const picoseconds t : all(spec)) {
        ASSERT_LT(t % 50ms, 2500us);
        ++per_burst[t / 50ms];
    }
    // 1,000 bursts of 25 arrivals on average; Poisson counts have variance = mean.
    double sum = 0;
    double squares = 0;
    for (int k = 0; k < 1000; ++k) {
        sum += per_burst[k];
        squares += per_burst[k] * per_burst[k];
    }
    EXPECT_NEAR(sum, 25'000, 4 * std::sqrt(25'000));
    const double variance = squares / 1000 - (sum / 1000) * (sum / 1000);
    EXPECT_NEAR(variance, 25, 4 * 25 * std::sqrt(2.0 / 1000));
}

TEST(arrival_process_statistical, a_mixed_process_has_both_rates) {
    std::uint64_t inside = 0;
    std::uint64_t outside = 0;
    for (const picoseconds t : all(mixed(500, 100s))) {
        t % 50ms < 5ms ? ++inside : ++outside;
    }
    EXPECT_NEAR(static_cast<double>(inside), 100'000, 4 * std::sqrt(100'000));
    EXPECT_NEAR(static_cast<double>(outside), 45'000, 4 * std::sqrt(45'000));
}

/// Expected arrivals up to t, written out.
double expected_until(picoseconds t, double rate) {
    const auto periods = static_cast<double>(t / 50ms);
    const double rest = seconds(t % 50ms);
    return periods * (0.005 * 10'000 + 0.045 * rate) + std::min(rest, 0.005) * 10'000 +
           std::max(rest - 0.005, 0.0) * rate;
}

TEST(arrival_process_statistical, in_the_time_of_its_expected_count_a_mixed_process_is_poisson_of_rate_one) {
    const auto times = all(mixed(250, 200s));
    std::vector<double> gaps;
    for (std::size_t i = 1; i < times.size(); ++i) {
        gaps.push_back(expected_until(times[i], 250) - expected_until(times[i - 1], 250));
    }
    ASSERT_GT(gaps.size(), 200'000U);
    EXPECT_LT(distance_from_exponential(gaps), 1.95 / std::sqrt(static_cast<double>(gaps.size())));
}

TEST(arrival_process, a_boundary_between_equal_rates_changes_no_arrival) {
    arrival_spec same = mixed(10'000, 1s);
    const auto with = all(same);
    const auto without = all(poisson(10'000, 1s));
    ASSERT_EQ(with.size(), without.size());
    for (std::size_t i = 0; i < with.size(); ++i) {
        EXPECT_LE(std::abs((with[i] - without[i]).count()), 1);
    }
}

TEST(arrival_process, a_phase_shifts_bursts_and_wraps) {
    arrival_spec spec = mixed(0, 10s);
    spec.start = 1s;
    spec.phase = 47ms;
    bool before_wrap = false;
    bool after_wrap = false;
    for (const picoseconds t : all(spec)) {
        const picoseconds in_period = (t - 1s) % 50ms;
        ASSERT_TRUE(in_period >= 47ms || in_period < 2ms) << in_period.count();
        before_wrap |= in_period >= 47ms;
        after_wrap |= in_period < 2ms;
    }
    EXPECT_TRUE(before_wrap && after_wrap);
}

TEST(arrival_process_statistical, a_burst_as_long_as_its_period_never_ends) {
    arrival_spec spec = mixed(0, 10s);
    spec.burst_duration = 50ms;
    EXPECT_NEAR(static_cast<double>(all(spec).size()), 100'000, 4 * std::sqrt(100'000));
}

TEST(arrival_process_statistical, bernoulli_arrives_at_slots_each_with_the_same_chance) {
    arrival_spec spec;
    spec.kind = arrival_kind::bernoulli;
    spec.start = 5us;
    spec.slot = 12304ns;
    spec.probability = 0.3;
    spec.stop = 5us + spec.slot * 1'000'000;
    const auto times = all(spec);
    EXPECT_NEAR(static_cast<double>(times.size()), 300'000, 4 * std::sqrt(1e6 * 0.3 * 0.7));
    std::map<std::int64_t, double> gaps;
    for (std::size_t i = 0; i < times.size(); ++i) {
        ASSERT_EQ((times[i] - 5us) % spec.slot, 0_ps);
        if (i > 0) {
            ASSERT_GT(times[i], times[i - 1]);
            ++gaps[(times[i] - times[i - 1]) / spec.slot];
        }
    }
    // Geometric: k slots with chance 0.3 x 0.7^(k - 1).
    for (int k = 1; k <= 6; ++k) {
        const double p = 0.3 * std::pow(0.7, k - 1);
        const auto n = static_cast<double>(times.size());
        EXPECT_NEAR(gaps[k], n * p, 4 * std::sqrt(n * p * (1 - p))) << k;
    }
}

TEST(arrival_process, bernoulli_at_one_fills_every_slot_and_at_zero_none) {
    arrival_spec spec;
    spec.kind = arrival_kind::bernoulli;
    spec.slot = 1us;
    spec.stop = 1ms;
    spec.probability = 1;
    const auto times = all(spec);
    ASSERT_EQ(times.size(), 1000U);
    EXPECT_EQ(times[999], 999us);
    spec.probability = 0;
    EXPECT_TRUE(all(spec).empty());
    spec.probability = 1e-15;
    EXPECT_TRUE(all(spec).empty());
}

TEST(arrival_process, deterministic_arrivals_do_not_drift) {
    arrival_spec spec = poisson(3, 100s);
    spec.kind = arrival_kind::deterministic;
    spec.phase = 1ms;
    const auto times = all(spec);
    ASSERT_EQ(times.size(), 300U);
    EXPECT_EQ(times[0], 1ms);
    EXPECT_EQ(times[1], 1ms + 333'333'333'333_ps);
    EXPECT_EQ(times[2], 1ms + 666'666'666'667_ps);
    EXPECT_EQ(times[297], 1ms + 99s);
}

TEST(arrival_process, without_rate_or_kind_nothing_arrives) {
    EXPECT_TRUE(all(poisson(0, never)).empty());
    arrival_spec spec = poisson(1000, 1s);
    spec.kind = arrival_kind::none;
    EXPECT_TRUE(all(spec).empty());
    spec = mixed(0, never);
    spec.burst_rate = 0;
    EXPECT_TRUE(all(spec).empty());
}

TEST(arrival_process, equal_streams_give_equal_times_and_others_do_not) {
    EXPECT_EQ(all(mixed(500, 1s), 3), all(mixed(500, 1s), 3));
    EXPECT_NE(all(mixed(500, 1s), 3), all(mixed(500, 1s), 4));
}

}  // namespace
}  // namespace weir::traffic
