// Against a sorted list.
#include "weir/base/percentiles.h"

#include <gtest/gtest.h>

#include <cmath>

#include "weir/base/rng.h"

using namespace weir;

namespace {

/// The definition, written out: the smallest sample that at least the share p of all does not exceed.
std::int64_t by_definition(std::vector<std::int64_t> samples, std::uint32_t ten_thousandths) {
    std::sort(samples.begin(), samples.end());
    std::size_t at = 0;
    while ((at + 1) * 10'000 < samples.size() * ten_thousandths) {
        ++at;
    }
    return samples[at];
}

std::vector<std::int64_t> heavy_tailed(std::size_t count, std::uint32_t seed) {
    random_stream chance(1, seed, random_purpose::arrivals);
    std::vector<std::int64_t> samples;
    for (std::size_t i = 0; i < count; ++i) {
        samples.push_back(static_cast<std::int64_t>(std::exp(40.0 * chance.uniform() * chance.uniform())));
    }
    return samples;
}

constexpr std::uint32_t shares[] = {0, 1, 2'500, 5'000, 9'000, 9'900, 9'990, 9'999, 10'000};

TEST(percentiles, are_the_nearest_rank_of_the_sorted_samples_for_any_count) {
    for (std::size_t count : {1U, 2U, 3U, 9U, 10U, 11U, 100U, 999U, 1'000U, 1'001U}) {
        const std::vector<std::int64_t> samples = heavy_tailed(count, static_cast<std::uint32_t>(count));
        percentiles p;
        for (std::int64_t s : samples) {
            p.add(s);
        }
        for (std::uint32_t share : shares) {
            EXPECT_EQ(p.percentile(share), by_definition(samples, share)) << count << " " << share;
        }
    }
}

TEST(percentiles, variation_is_the_standard_deviation_over_the_mean) {
    percentiles none;
    EXPECT_EQ(none.variation(), 0);
    percentiles p;
    for (std::int64_t s : {2, 4, 4, 4, 5, 5, 7, 9}) {
        p.add(s);
    }
    EXPECT_DOUBLE_EQ(p.variation(), 2.0 / 5);
    percentiles large;
    for (int i = 0; i < 1000; ++i) {
        large.add((i % 2 == 0 ? 1 : 3) * (std::int64_t{1} << 51));
    }
    EXPECT_DOUBLE_EQ(large.variation(), 0.5);
    large.merge(large);
    EXPECT_DOUBLE_EQ(large.variation(), 0.5);
}

TEST(percentiles, of_ten_numbers_are_those_of_the_textbook) {
    percentiles p;
    for (std::int64_t s : {50, 10, 40, 30, 20, 60, 100, 90, 80, 70}) {
        p.add(s);
    }
    EXPECT_EQ(p.percentile(5'000), 50);
    EXPECT_EQ(p.percentile(9'000), 90);
    EXPECT_EQ(p.percentile(9'001), 100);
    EXPECT_EQ(p.mean(), 55);
    EXPECT_EQ(p.min(), 10);
    EXPECT_EQ(p.max(), 100);
}

TEST(percentiles, beyond_the_exact_samples_are_off_by_less_than_a_two_thousandth) {
    const std::vector<std::int64_t> samples = heavy_tailed(50'000, 7);
    percentiles p(1'000);
    unsigned long long sum = 0;
    for (std::int64_t s : samples) {
        p.add(s);
        sum += static_cast<unsigned long long>(s);
    }
    EXPECT_FALSE(p.is_exact());
    for (std::uint32_t share : shares) {
        const auto exact = static_cast<double>(by_definition(samples, share));
        EXPECT_LE(std::abs(static_cast<double>(p.percentile(share)) - exact), exact / 2048) << share;
    }
    EXPECT_EQ(p.max(), *std::max_element(samples.begin(), samples.end()));
    EXPECT_EQ(p.min(), *std::min_element(samples.begin(), samples.end()));
    EXPECT_EQ(p.mean(), static_cast<std::int64_t>((sum + samples.size() / 2) / samples.size()));
}

TEST(percentiles, every_bucket_of_the_histogram_holds_its_middle_and_is_narrower_than_a_thousandth) {
    const log_linear_axis axis;
    for (unsigned power = 0; power < 63; ++power) {
        for (std::int64_t offset : {-1, 0, 1}) {
            const std::int64_t value = (std::int64_t{1} << power) + offset;
            const auto bucket = axis.index(value);
            ASSERT_LT(bucket, axis.size());
            EXPECT_EQ(axis.index(log_linear_axis::value(bucket)), bucket);
            EXPECT_LE(std::abs(log_linear_axis::value(bucket) - value), value / 2048);
        }
    }
    EXPECT_LT(axis.index(INT64_MAX), axis.size());
    for (std::int64_t value = 1; value < 10'000; ++value) {  // no bucket is skipped
        EXPECT_LE(axis.index(value) - axis.index(value - 1), 1);
    }
}

TEST(percentiles, change_from_exact_to_approximate_with_the_first_sample_too_many) {
    percentiles p(3);
    for (std::int64_t s : {5'000'001, 5'000'003, 5'000'002}) {
        p.add(s);
    }
    EXPECT_TRUE(p.is_exact());
    EXPECT_EQ(p.percentile(5'000), 5'000'002);
    p.add(5'000'004);
    EXPECT_FALSE(p.is_exact());
    EXPECT_NEAR(static_cast<double>(p.percentile(5'000)), 5'000'002, 5'000'002 / 2048.0);
}

TEST(percentiles, depend_on_the_set_of_samples_and_neither_on_order_nor_on_merging) {
    for (std::size_t limit : {10U, 500U, 10'000U}) {
        std::vector<std::int64_t> samples = heavy_tailed(1'000, 3);
        percentiles forwards(limit);
        percentiles backwards(limit);
        percentiles parts[2] = {percentiles(limit), percentiles(limit)};
        for (std::size_t i = 0; i < samples.size(); ++i) {
            forwards.add(samples[i]);
            backwards.add(samples[samples.size() - 1 - i]);
            parts[i < 300 ? 0 : 1].add(samples[i]);
        }
        parts[0].merge(parts[1]);
        for (std::uint32_t share : shares) {
            EXPECT_EQ(forwards.percentile(share), backwards.percentile(share));
            EXPECT_EQ(forwards.percentile(share), parts[0].percentile(share));
        }
        EXPECT_EQ(parts[0].count(), 1'000U);
        EXPECT_EQ(parts[0].mean(), forwards.mean());
        EXPECT_EQ(parts[0].is_exact(), forwards.is_exact());
    }
}

TEST(percentiles, of_no_samples_are_zero) {
    percentiles p;
    EXPECT_EQ(p.count(), 0U);
    EXPECT_EQ(p.percentile(9'990), 0);
    EXPECT_EQ(p.mean(), 0);
    EXPECT_EQ(p.min(), 0);
    EXPECT_EQ(p.max(), 0);
}

}  // namespace
