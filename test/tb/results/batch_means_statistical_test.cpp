// Intervals of batch means against series whose figures are known: how often they hold them, and how near the
// figure is when they are narrow enough. Seeds are fixed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "tb/run/completions/batch_means.h"
#include "weir/base/rng.h"

namespace weir::tb {
namespace {

using series = std::function<double()>;

double exponential(random_stream& draws) {
    return -std::log1p(-draws.uniform());
}

/// Times in the system of the customers of an M/M/1 queue, one after another, from its steady state on. Unit:
/// mean service time. They are exponential with the mean 1 / (1 - load), and correlated over many customers.
series queue(random_stream draws, double load) {
    double wait = draws.uniform() < 1 - load ? 0 : exponential(draws) / (1 - load);
    return [=]() mutable {
        const double time = wait + exponential(draws);
        wait = std::max(0.0, time - exponential(draws) / load);
        return time;
    };
}

/// Normal with the mean 20 and the variance 1; each has the correlation `phi` with the one before.
series autoregression(random_stream draws, double phi) {
    const auto normal = [](random_stream& from) {
        return std::sqrt(2 * exponential(from)) * std::cos(2 * std::acos(-1.0) * from.uniform());
    };
    double x = normal(draws);
    return [=]() mutable {
        x = phi * x + std::sqrt(1 - phi * phi) * normal(draws);
        return 20 + x;
    };
}

struct aim {
    const char* name;
    std::function<series(random_stream)> make;
    /// A percentile in 1/10,000; 0: the mean.
    std::uint32_t share;
    double truth;
    double within;
};

/// How long percentiles of an exponential distribution with this mean are.
double exponential_percentile(double mean, double share) {
    return -mean * std::log(1 - share);
}

constexpr double unit = 1e6;

/// Looks at lengths that grow as those of a run, and ends at the second one running that is good enough.
batch_estimate known_within(const aim& each, series next) {
    batch_means means = each.share == 0 ? batch_means() : batch_means(each.share);
    std::uint64_t values = 0;
    bool before = false;
    for (std::uint64_t step = 16;; step *= 2) {
        for (std::uint64_t look = 4; look < 8; ++look) {
            for (; values < look * step; ++values) {
                means.add(std::llround(next() * unit));
            }
            const batch_estimate found = means.estimate(0.95);
            const bool good = found.has_width() && found.is_independent() &&
                              found.half_width <= each.within / (1 + each.within) * found.value;
            if ((good && before) || step > (std::uint64_t{1} << 18)) {
                return found;
            }
            before = good;
        }
    }
}

// Nominally 95 of 100. With a true coverage of 90 %, fewer than 80 of 100 happen once in 500 cases (binomial).
TEST(batch_means_statistical, intervals_hold_the_true_figure_though_the_run_ends_when_they_are_narrow) {
    const auto queue_of = [](double load) {
        return [load](random_stream draws) { return queue(draws, load); };
    };
    const auto chain_of = [](double phi) {
        return [phi](random_stream draws) { return autoregression(draws, phi); };
    };
    const aim aims[] = {
        {"mean of independent values", queue_of(1e-9), 0, 1, 0.05},
        {"mean of a queue", queue_of(0.8), 0, 5, 0.1},
        {"median of a queue", queue_of(0.8), 5'000, exponential_percentile(5, 0.5), 0.1},
        {"99th percentile of a queue", queue_of(0.5), 9'900, exponential_percentile(2, 0.99), 0.1},
        {"mean of an autoregression", chain_of(0.95), 0, 20, 0.005},
        {"99th percentile of an autoregression", chain_of(0.9), 9'900, 22.3263, 0.005},
    };
    constexpr unsigned series_of_each = 100;
    for (const aim& each : aims) {
        unsigned held = 0;
        unsigned near = 0;
        for (unsigned seed = 1; seed <= series_of_each; ++seed) {
            const batch_estimate found = known_within(each, each.make({seed, 0, random_purpose::arrivals}));
            const double error = std::abs(found.value / unit - each.truth);
            held += error <= found.half_width / unit ? 1 : 0;
            near += error <= each.within * each.truth ? 1 : 0;
        }
        RecordProperty(each.name, static_cast<int>(held));
        EXPECT_GE(held, 80U) << each.name;
        EXPECT_GE(near, 85U) << each.name;
    }
}

TEST(batch_means, figures_are_those_of_all_values_and_batches_are_joined_in_pairs) {
    batch_means mean;
    batch_means median(5'000);
    for (std::int64_t value = 0; value < 32 * 16; ++value) {
        EXPECT_FALSE(mean.estimate(0.95).has_width()) << value;
        mean.add(value % 16);
        median.add(value % 16);
    }
    EXPECT_TRUE(mean.estimate(0.95).has_width());
    EXPECT_EQ(mean.estimate(0.95).batches, 32U);
    // All batches are equal: nothing is uncertain, nothing correlated.
    EXPECT_EQ(median.estimate(0.95).half_width, 0);
    EXPECT_TRUE(median.estimate(0.95).is_independent());
    EXPECT_EQ(median.estimate(0.95).value, 7);
    for (std::int64_t value = 0; value < 32 * 16; ++value) {
        mean.add(value % 16);
    }
    EXPECT_EQ(mean.estimate(0.95).batches, 64U);
    for (std::int64_t value = 0; value < 16; ++value) {
        mean.add(value % 16);
    }
    EXPECT_EQ(mean.estimate(0.95).batch_values, 32U);
    EXPECT_EQ(mean.estimate(0.95).batches, 32U);
    EXPECT_EQ(mean.values(), 65U * 16);
}

// By hand: 32 batches of 16 equal values, half of them 100, half of them 300, in turn.
TEST(batch_means, the_half_width_is_students_and_neighbours_that_differ_do_not_widen_it) {
    batch_means mean;
    for (unsigned batch = 0; batch < 32; ++batch) {
        for (unsigned i = 0; i < 16; ++i) {
            mean.add(batch % 2 == 0 ? 100 : 300);
        }
    }
    const batch_estimate found = mean.estimate(0.95);
    EXPECT_EQ(found.value, 200);
    EXPECT_NEAR(found.half_width, 2.039513 * 100 / std::sqrt(31.0), 1e-4);
    EXPECT_NEAR(found.correlation, 1 - 31 * 40'000.0 / (2 * 32 * 10'000.0), 1e-12);
    EXPECT_TRUE(found.is_independent());
}

TEST(batch_means, times_that_grow_are_correlated) {
    batch_means mean;
    for (std::int64_t value = 1; value < 5'000; ++value) {
        mean.add(1'000'000 + value);
    }
    EXPECT_FALSE(mean.estimate(0.95).is_independent());
}

}  // namespace
}  // namespace weir::tb
