// The sequential test of a share against closed forms, numerical integration and thousands of synthetic
// searches.
#include <gtest/gtest.h>

#include <cmath>

#include "tb/study/size/share_test.h"
#include "weir/base/rng.h"

namespace weir::tb {
namespace {

/// The ratio as the header defines it, by the midpoint rule.
double literal_ratio(int misses, int runs, double p, bool below) {
    const double low = below ? 0 : p;
    const double high = below ? p : 1;
    constexpr int steps = 4000;
    double sum = 0;
    for (int i = 0; i < steps; ++i) {
        const double share = low + (high - low) * (i + 0.5) / steps;
        sum += std::pow(share / p, misses) * std::pow((1 - share) / (1 - p), runs - misses);
    }
    return sum / steps;
}

TEST(size_share, strict_goals_take_the_runs_of_the_closed_form) {
    // 0.9^28 = 0.0523, 0.9^29 = 0.0471; 0.5^5 = 0.03125.
    const share_test tenth({0.1, true}, 0.05);
    EXPECT_EQ(tenth.decide(0, 28), verdict::not_decided);
    EXPECT_EQ(tenth.decide(0, 29), verdict::met);
    EXPECT_EQ(tenth.decide(1, 500), verdict::not_met);
    EXPECT_EQ(tenth.least_further(0, 0, 100), 29U);
    EXPECT_EQ(tenth.fewest_runs(verdict::met, 29), 29U);
    EXPECT_EQ(tenth.fewest_runs(verdict::met, 28), std::nullopt);
    EXPECT_EQ(tenth.fewest_runs(verdict::not_met, 28), 1U);
    // All alike: (1 - q^(n + 1)) / ((n + 1) (1 - q) q^n) with q = 1/2 is 21.3 after 7 runs, 12.2 after 6.
    EXPECT_EQ(share_test({0.5, false}, 0.05).fewest_runs(verdict::met, 100), 7U);
    EXPECT_EQ(share_test({0.5, false}, 0.05).fewest_runs(verdict::not_met, 100), 7U);
    EXPECT_EQ(tenth.least_further(0, 20, 100), 9U);
    EXPECT_EQ(share_test({0.5, true}, 0.05).least_further(0, 0, 100), 5U);
    EXPECT_NEAR(proven_share(0, 29, tenth).high, 1 - std::pow(0.05, 1.0 / 29), 1e-12);
    EXPECT_EQ(proven_share(1, 29, tenth).high, 1);
}

TEST(size_share, decides_where_the_averaged_likelihood_ratio_says_so) {
    for (const double p : {0.1, 0.5, 0.8}) {
        for (const double error : {0.05, 0.001}) {
            const share_test test({p, false}, error);
            for (int runs = 1; runs <= 16; ++runs) {
                for (int misses = 0; misses <= runs; ++misses) {
                    const bool met = literal_ratio(misses, runs, p, true) >= 1 / error;
                    const bool not_met = literal_ratio(misses, runs, p, false) >= 1 / error;
                    const verdict expected = met       ? verdict::met
                                             : not_met ? verdict::not_met
                                                       : verdict::not_decided;
                    ASSERT_EQ(test.decide(misses, runs), expected) << misses << " of " << runs << ", p " << p;
                }
            }
        }
        if (::testing::Test::HasFailure()) {
            return;
        }
    }
}

TEST(size_share, the_least_number_of_further_runs_is_the_least) {
    const share_test test({0.5, false}, 0.01);
    for (std::size_t runs = 0; runs < 20; ++runs) {
        for (std::size_t misses = 0; misses <= runs; ++misses) {
            const std::size_t more = test.least_further(misses, runs, 100);
            // Whatever the runs give, nothing is decided before.
            for (std::size_t n = 0; n < more; ++n) {
                for (std::size_t k = 0; k <= n; ++k) {
                    EXPECT_EQ(test.decide(misses + k, runs + n), verdict::not_decided);
                }
            }
            EXPECT_TRUE(test.decide(misses, runs + more) != verdict::not_decided ||
                        test.decide(misses + more, runs + more) != verdict::not_decided);
        }
    }
}

/// What a test says, looked up.
class verdict_table {
 public:
    verdict_table(const share_test& test, std::size_t runs) {
        for (std::size_t n = 0; n <= runs; ++n) {
            m_rows.emplace_back();
            for (std::size_t misses = 0; misses <= n; ++misses) {
                m_rows.back().push_back(test.decide(misses, n));
            }
        }
    }
    verdict at(std::size_t misses, std::size_t runs) const { return m_rows[runs][misses]; }

 private:
    std::vector<std::vector<verdict>> m_rows;
};

/// Share of sequences, of which each looks after every run, that are ever decided so.
double ever(const share_test& test, double share, verdict wanted, std::uint64_t seed, int sequences, int runs) {
    const verdict_table table(test, static_cast<std::size_t>(runs));
    random_stream stream{seed, 1, random_purpose::sizes};
    int found = 0;
    for (int s = 0; s < sequences; ++s) {
        std::size_t misses = 0;
        for (int n = 1; n <= runs; ++n) {
            misses += stream.uniform() < share ? 1 : 0;
            const verdict v = table.at(misses, static_cast<std::size_t>(n));
            if (v != verdict::not_decided) {
                found += v == wanted ? 1 : 0;
                break;
            }
        }
    }
    return static_cast<double>(found) / sequences;
}

// 10,000 sequences: the standard deviation of a share of 5 % is 0.22 %; bounds are three of them above.
TEST(size_share_statistical, wrong_verdicts_are_rarer_than_the_error_however_often_one_looks) {
    constexpr int sequences = 10'000;
    for (const double p : {0.1, 0.5, 0.9}) {
        const share_test test({p, false}, 0.05);
        // At p itself both claims, "below p" and "above p", are wrong: the hardest case.
        EXPECT_LE(ever(test, p, verdict::met, 1, sequences, 200), 0.05 + 0.0066) << p;
        EXPECT_LE(ever(test, p, verdict::not_met, 2, sequences, 200), 0.05 + 0.0066) << p;
        EXPECT_LE(ever(test, std::min(1.0, p * 1.1), verdict::met, 3, sequences, 200), 0.05) << p;
        EXPECT_LE(ever(test, p * 0.9, verdict::not_met, 4, sequences, 200), 0.05) << p;
    }
    const share_test strict({0.1, true}, 0.05);
    EXPECT_LE(ever(strict, 0.1, verdict::met, 5, sequences, 200), 0.05 + 0.0066);
}

TEST(size_share_statistical, clear_cases_are_decided_soon) {
    const share_test test({0.5, false}, 0.01);
    EXPECT_GE(ever(test, 0.05, verdict::met, 6, 2000, 30), 0.99);
    EXPECT_GE(ever(test, 0.95, verdict::not_met, 7, 2000, 30), 0.99);
    EXPECT_EQ(test.least_further(0, 0, 100), 9U);
}

TEST(size_share_statistical, proven_shares_hold_the_true_share_at_all_moments) {
    random_stream stream{8, 1, random_purpose::sizes};
    const share_test test({0.5, false}, 0.05);
    std::vector<std::vector<share_interval>> proven;
    for (std::size_t n = 0; n <= 40; ++n) {
        proven.emplace_back();
        for (std::size_t misses = 0; misses <= n; ++misses) {
            proven.back().push_back(proven_share(misses, n, test));
        }
    }
    int wrong_low = 0;
    int wrong_high = 0;
    constexpr int sequences = 1000;
    for (int s = 0; s < sequences; ++s) {
        bool low = false;
        bool high = false;
        std::size_t misses = 0;
        for (std::size_t n = 1; n <= 40; ++n) {
            misses += stream.uniform() < 0.3 ? 1 : 0;
            low = low || proven[n][misses].low > 0.3;
            high = high || proven[n][misses].high < 0.3;
        }
        wrong_low += low ? 1 : 0;
        wrong_high += high ? 1 : 0;
    }
    // Three standard deviations of 0.69 %.
    EXPECT_LE(wrong_low, sequences * (0.05 + 0.021));
    EXPECT_LE(wrong_high, sequences * (0.05 + 0.021));
}

// A share outside the interval is one against which the same runs decide, and no other is.
TEST(size_share, proven_shares_end_where_a_test_of_that_share_decides) {
    constexpr double step = 1e-6;
    for (const double error : {0.05, 0.001}) {
        const share_test any({0.5, false}, error);
        const auto decided = [&](std::size_t misses, std::size_t runs, double share, verdict v) {
            return share > 0 && share < 1 && share_test({share, false}, error).decide(misses, runs) == v;
        };
        for (std::size_t runs = 0; runs <= 24; ++runs) {
            for (std::size_t misses = 0; misses <= runs; ++misses) {
                const share_interval proven = proven_share(misses, runs, any);
                ASSERT_FALSE(decided(misses, runs, proven.high - step, verdict::met))
                    << misses << " of " << runs;
                ASSERT_FALSE(decided(misses, runs, proven.low + step, verdict::not_met))
                    << misses << " of " << runs;
                ASSERT_TRUE(proven.high == 1 || decided(misses, runs, proven.high + step, verdict::met));
                ASSERT_TRUE(proven.low == 0 || decided(misses, runs, proven.low - step, verdict::not_met));
                // Where nothing is proven, not even the most extreme share is refuted.
                ASSERT_TRUE(proven.high < 1 || !decided(misses, runs, 1 - step, verdict::met));
                ASSERT_TRUE(proven.low > 0 || !decided(misses, runs, step, verdict::not_met));
            }
        }
    }
}

TEST(size_share, percentages_are_never_rounded_down) {
    EXPECT_DOUBLE_EQ(percent_upwards(0.0934), 9.4);
    EXPECT_DOUBLE_EQ(percent_upwards(0.1), 10);
}

TEST(size_share, an_interval_of_a_quantile_excludes_exactly_the_bounds_that_are_decided) {
    random_stream stream{9, 1, random_purpose::sizes};
    for (const double allowed : {0.1, 0.5}) {
        const share_test test({allowed, false}, 0.05);
        for (const std::size_t n : {1, 5, 20, 60}) {
            std::vector<double> values;
            for (std::size_t i = 0; i < n; ++i) {
                values.push_back(std::floor(20 * stream.uniform()));  // with ties
            }
            const quantile_interval found = quantile_of(values, test);
            for (double bound = -1.5; bound < 21; bound += 0.5) {
                std::size_t misses = 0;
                for (const double value : values) {
                    misses += value > bound ? 1 : 0;
                }
                const verdict v = test.decide(misses, n);
                EXPECT_EQ(v == verdict::met, found.high && bound >= *found.high) << bound << ", " << n;
                EXPECT_EQ(v == verdict::not_met, found.low && bound < *found.low) << bound << ", " << n;
            }
        }
    }
    // The smallest value that half of all (nine of ten) are at or below.
    EXPECT_EQ(quantile_of({4, 1, 3, 2}, share_test({0.5, false}, 0.05)).value, 2);
    EXPECT_EQ(quantile_of({10, 1, 3, 2, 5, 4, 6, 7, 8, 9}, share_test({0.1, false}, 0.05)).value, 9);
}

}  // namespace
}  // namespace weir::tb
