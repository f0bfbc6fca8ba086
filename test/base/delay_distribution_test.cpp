// Delays drawn by distribution, against the library's logarithm and error function.
#include "weir/base/delay_distribution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace weir {
namespace {

constexpr std::size_t draws = 200'000;

/// Unit: ps. In ascending order.
std::vector<double> drawn(const delay_distribution& delays) {
    random_stream chance{3, 7, random_purpose::stack_in};
    std::vector<double> all;
    for (std::size_t i = 0; i < draws; ++i) {
        all.push_back(static_cast<double>(delays.draw(chance).count()));
    }
    std::sort(all.begin(), all.end());
    return all;
}

double mean_of(const std::vector<double>& all) {
    double sum = 0;
    for (const double each : all) {
        sum += each;
    }
    return sum / static_cast<double>(all.size());
}

double deviation_of(const std::vector<double>& all, double mean) {
    double sum = 0;
    for (const double each : all) {
        sum += (each - mean) * (each - mean);
    }
    return std::sqrt(sum / static_cast<double>(all.size()));
}

/// Largest distance between the distribution of what was drawn and `share_below`.
template <class Cdf>
double distance(const std::vector<double>& all, Cdf&& share_below) {
    double largest = 0;
    const auto n = static_cast<double>(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const double expected = share_below(all[i]);
        largest = std::max({largest, std::abs(expected - static_cast<double>(i) / n),
                            std::abs(expected - static_cast<double>(i + 1) / n)});
    }
    return largest;
}

/// Kolmogorov and Smirnov: a right generator is further off once in a thousand seeds.
const double largest_distance = 1.95 / std::sqrt(static_cast<double>(draws));

TEST(delay_distribution, fixed_delays_are_the_mean_and_take_no_draw) {
    const delay_distribution fixed(24us, delay_shape::fixed, 0.5);
    random_stream chance{1, 2, random_purpose::stack_in};
    random_stream untouched = chance;
    EXPECT_EQ(fixed.draw(chance), 24us);
    EXPECT_EQ(fixed.least(), 24us);
    EXPECT_EQ(chance(), untouched());
}

TEST(delay_distribution_statistical, exponential_delays_begin_at_their_floor) {
    for (const double deviation : {0.25, 1.0}) {
        const delay_distribution delays(24us, delay_shape::exponential, deviation);
        const double above = 24e6 * deviation;
        const double floor = 24e6 - above;
        EXPECT_NEAR(static_cast<double>(delays.least().count()), floor, 0.5);
        const std::vector<double> all = drawn(delays);
        EXPECT_GE(all.front(), floor - 0.5);
        EXPECT_LT(distance(all, [&](double x) { return 1 - std::exp(-(x - floor) / above); }),
                  largest_distance);
        // Four standard errors: once in 16,000.
        EXPECT_NEAR(mean_of(all), 24e6, 4 * above / std::sqrt(static_cast<double>(draws)));
    }
}

TEST(delay_distribution_statistical, lognormal_delays_have_the_mean_and_the_deviation_that_are_asked_for) {
    for (const double deviation : {0.5, 1.5}) {
        const delay_distribution delays(10ms, delay_shape::lognormal, deviation);
        EXPECT_EQ(delays.least(), 0_ps);
        const double variance = std::log(1 + deviation * deviation);
        const double middle = std::log(10e9) - variance / 2;
        const std::vector<double> all = drawn(delays);
        EXPECT_LT(
            distance(all,
                     [&](double x) { return std::erfc((middle - std::log(x)) / std::sqrt(2 * variance)) / 2; }),
            largest_distance);
        const double mean = mean_of(all);
        EXPECT_NEAR(mean, 10e9, 4 * 10e9 * deviation / std::sqrt(static_cast<double>(draws)));
        EXPECT_NEAR(deviation_of(all, mean), 10e9 * deviation, 0.05 * 10e9 * deviation);
    }
}

TEST(delay_distribution, no_draw_is_longer_than_a_run_can_be) {
    random_stream chance{3, 7, random_purpose::stack_in};
    const delay_distribution wild(longest_time, delay_shape::lognormal, 10);
    for (int i = 0; i < 10'000; ++i) {
        const picoseconds delay = wild.draw(chance);
        EXPECT_GE(delay, 0_ps);
        EXPECT_LE(delay, longest_time);
    }
}

}  // namespace
}  // namespace weir
