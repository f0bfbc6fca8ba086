#include "weir/base/rng.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

using namespace weir;

namespace {

TEST(rng, the_mixing_function_is_splitmix64s) {
    // First outputs of SplitMix64 from state 1234567, as published with its reference code.
    std::uint64_t state = 1234567;
    const std::uint64_t expected[] = {6457827717110365317U, 3203168211198807973U, 9817491932198370423U,
                                      4593380528125082431U, 16408922859458223821U};
    for (const std::uint64_t value : expected) {
        state += 0x9E3779B97F4A7C15U;
        EXPECT_EQ(random_stream::mix(state), value);
    }
}

TEST(rng, a_stream_is_a_function_of_seed_node_and_purpose_alone) {
    std::set<std::uint64_t> firsts;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        for (std::uint32_t node = 0; node < 50; ++node) {
            for (const random_purpose purpose : {random_purpose::port_selection, random_purpose::arrivals,
                                                 random_purpose::sizes, random_purpose::bit_errors}) {
                random_stream a{seed, node, purpose};
                random_stream b{seed, node, purpose};
                const std::uint64_t first = a();
                EXPECT_EQ(first, b());
                EXPECT_EQ(a(), b());
                firsts.insert(first);
            }
        }
    }
    EXPECT_EQ(firsts.size(), 20U * 50U * 4U) << "two streams begin alike";
}

TEST(rng_statistical, below_is_uniform_and_stays_below_its_bound) {
    // Chi-square, 99.99 % of the distribution with k - 1 degrees of freedom (Wilson and Hilferty); fixed seed.
    for (const std::uint32_t bound : {2U, 3U, 7U, 16U, 100U}) {
        random_stream stream{42, 0, random_purpose::destinations};
        std::vector<int> count(bound);
        const int draws = 100'000;
        for (int i = 0; i < draws; ++i) {
            const std::uint32_t n = stream.below(bound);
            ASSERT_LT(n, bound);
            ++count[n];
        }
        const double expected = static_cast<double>(draws) / bound;
        double chi_square = 0;
        for (const int n : count) {
            chi_square += (n - expected) * (n - expected) / expected;
        }
        const double k = bound - 1;
        const double limit = k * std::pow(1 - 2 / (9 * k) + 3.72 * std::sqrt(2 / (9 * k)), 3);
        EXPECT_LT(chi_square, limit) << "bound " << bound;
    }
}

TEST(rng_statistical, uniform_lies_in_zero_to_one_with_the_right_mean_and_variance) {
    random_stream stream{7, 3, random_purpose::arrivals};
    const int draws = 200'000;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < draws; ++i) {
        const double u = stream.uniform();
        ASSERT_GE(u, 0.0);
        ASSERT_LT(u, 1.0);
        sum += u;
        squares += u * u;
    }
    const double mean = sum / draws;
    // Fixed seed: 5 standard deviations of the mean, 6 of the variance (sqrt((1/80 - 1/144) / draws) =
    // 0.00017).
    EXPECT_NEAR(mean, 0.5, 5 * std::sqrt(1.0 / 12 / draws));
    EXPECT_NEAR(squares / draws - mean * mean, 1.0 / 12, 0.001);
}

TEST(rng_statistical, streams_of_neighbouring_nodes_are_not_correlated) {
    // 5 standard deviations of a correlation, 1 / sqrt(draws).
    const int draws = 100'000;
    for (std::uint32_t node = 0; node < 8; ++node) {
        random_stream a{1, node, random_purpose::arrivals};
        random_stream b{1, node + 1, random_purpose::arrivals};
        double product = 0;
        for (int i = 0; i < draws; ++i) {
            product += (a.uniform() - 0.5) * (b.uniform() - 0.5);
        }
        EXPECT_NEAR(product / draws * 12, 0.0, 5 / std::sqrt(draws)) << node;
    }
}

}  // namespace
