// The product-limit estimator against values computed by hand, and against the nearest rank where nothing is
// censored.
#include "weir/base/product_limit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <random>
#include <vector>

#include "weir/base/percentiles.h"

using weir::percentiles;
using weir::product_limit;

namespace {

/// Made from the samples themselves; percentiles are samples.
struct estimate {
    std::vector<std::int64_t> completed;
    product_limit limit;

    static estimate of(std::vector<std::int64_t> completed, std::vector<std::int64_t> censored) {
        std::sort(completed.begin(), completed.end());
        std::sort(censored.begin(), censored.end());
        std::vector<std::uint64_t> up_to;
        for (const std::int64_t age : censored) {
            up_to.push_back(static_cast<std::uint64_t>(std::count_if(
                completed.begin(), completed.end(), [age](std::int64_t value) { return value <= age; })));
        }
        return {completed, product_limit(completed.size(), up_to)};
    }
    std::optional<std::int64_t> percentile(std::uint32_t ten_thousandths) const {
        const auto rank = limit.rank(ten_thousandths / 10'000.0);
        return rank ? std::optional(completed[*rank - 1]) : std::nullopt;
    }
};

TEST(product_limit, estimates_ten_values_as_computed_by_hand) {
    // 10, 20, 25+, 30, 40+, 45, 60, 60+, 80, 90+ (a plus sign marks a censored value).
    // Survivors: 9/10, 8/10, 8/10 6/7, ... 4/5, ... 3/4 (60+ is at risk at 60), ... 1/2.
    const double shares[] = {1 - 9.0 / 10,   1 - 8.0 / 10,   1 - 24.0 / 35,
                             1 - 96.0 / 175, 1 - 72.0 / 175, 1 - 36.0 / 175};
    const estimate ten = estimate::of({10, 20, 30, 45, 60, 80}, {90, 25, 60, 40});
    for (std::size_t i = 0; i < std::size(shares); ++i) {
        EXPECT_NEAR(ten.limit.share(i + 1), shares[i], 1e-15) << i;
    }
    EXPECT_EQ(ten.percentile(1'000), 10);
    EXPECT_EQ(ten.percentile(3'142), 30);  // 11/35 = 31.43 %
    EXPECT_EQ(ten.percentile(3'143), 45);
    EXPECT_EQ(ten.percentile(5'000), 60);
    EXPECT_EQ(ten.percentile(7'942), 80);  // 139/175 = 79.43 %
    EXPECT_EQ(ten.percentile(7'943), std::nullopt);
    EXPECT_EQ(ten.percentile(10'000), std::nullopt);
}

TEST(product_limit, without_censored_values_is_the_nearest_rank) {
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round) {
        std::vector<std::int64_t> values(1 + random() % 3'000);
        percentiles ranks;
        for (std::int64_t& value : values) {
            value = random() % 50;
            ranks.add(value);
        }
        const estimate estimated = estimate::of(values, {});
        for (std::uint32_t share = 1; share <= 10'000;
             share += 1 + static_cast<std::uint32_t>(random() % 300)) {
            ASSERT_EQ(estimated.percentile(share), ranks.percentile(share)) << share << " of " << values.size();
        }
        EXPECT_EQ(estimated.percentile(10'000), estimated.completed.back());
    }
}

TEST(product_limit, is_the_product_over_single_samples) {
    std::mt19937 random(11);
    for (int round = 0; round < 100; ++round) {
        std::vector<std::int64_t> completed(1 + random() % 200);
        std::vector<std::int64_t> censored(random() % 200);
        std::generate(completed.begin(), completed.end(), [&] { return random() % 100; });
        std::generate(censored.begin(), censored.end(), [&] { return random() % 100; });
        const estimate estimated = estimate::of(completed, censored);
        double survivors = 1;
        for (std::size_t i = 0; i < completed.size(); ++i) {
            const auto at_risk = completed.size() - i +
                                 std::count_if(censored.begin(), censored.end(),
                                               [&](std::int64_t age) { return age >= estimated.completed[i]; });
            survivors *= 1 - 1 / static_cast<double>(at_risk);
            ASSERT_NEAR(estimated.limit.share(i + 1), 1 - survivors, 1e-12);
        }
    }
}

TEST(product_limit, young_samples_do_not_pull_a_percentile_down_or_up) {
    // 1,000 completed samples, and as many that were seen for a shorter time than any of them.
    std::vector<std::int64_t> values(1'000);
    std::iota(values.begin(), values.end(), 10);
    const estimate estimated = estimate::of(values, std::vector<std::int64_t>(1'000, 5));
    EXPECT_EQ(estimated.percentile(5'000), 509);
    EXPECT_EQ(estimated.percentile(10'000), 1'009);
}

TEST(product_limit, of_censored_samples_alone_has_no_percentile) {
    EXPECT_EQ(product_limit(0, {0, 0, 0}).rank(1e-4), std::nullopt);
    EXPECT_EQ(product_limit(0, {}).rank(0.5), std::nullopt);
}

}  // namespace
