#include "weir/traffic/sizes/size_distribution.h"
#include "weir/traffic/sizes/known_size_distributions.h"
#include "weir/traffic/sizes/size_distribution_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "support/errors_said.h"

namespace weir::traffic {
namespace {

constexpr std::array<known_sizes, 4> all_known = {known_sizes::web_search, known_sizes::hadoop,
                                                  known_sizes::ali_storage_2019, known_sizes::google_rpc_2008};
constexpr std::array<const char*, 4> files = {"WebSearch_distribution.txt", "FbHdp_distribution.txt",
                                              "AliStorage2019.txt", "GoogleRPC2008.txt"};
constexpr cdf_file_units percent_of_bytes{cdf_unit::percent, bytes{1}};

std::string mistakes(const std::string& text, cdf_file_units units = percent_of_bytes) {
    std::istringstream in{text};
    const size_distribution_result read = read_size_distribution(in, "f.txt", units);
    EXPECT_EQ(read.value.has_value(), read.errors.empty());
    std::string all;
    for (const config_error& e : read.errors) {
        all += e.file + ":" + std::to_string(e.line) + ": " + e.key + ": " + e.message + "\n";
    }
    return all;
}

TEST(size_distribution_golden, built_in_tables_are_the_files_point_by_point) {
    for (std::size_t i = 0; i < all_known.size(); ++i) {
        std::ifstream in{std::string(WEIR_GOLDEN_DIR "/traces/cdf/") + files[i]};
        ASSERT_TRUE(in) << files[i];
        const size_distribution_result read = read_size_distribution(in, files[i], percent_of_bytes);
        ASSERT_TRUE(read.value) << read.errors.front().message;
        const size_distribution built_in = make_size_distribution(all_known[i]);
        ASSERT_EQ(read.value->points().size(), built_in.points().size());
        for (std::size_t p = 0; p < built_in.points().size(); ++p) {
            ASSERT_EQ(read.value->points()[p].size_bytes, built_in.points()[p].size_bytes);
            ASSERT_EQ(read.value->points()[p].fraction, built_in.points()[p].fraction);
        }
    }
    EXPECT_EQ(make_size_distribution(known_sizes::google_rpc_2008).points().size(), 843U);
}

TEST(size_distribution, means_are_the_sums_of_the_trapezia_done_by_hand) {
    // Web search: sum of (x0 + x1) / 2 * (y1 - y0): 750 + 750 + 2500 + 4000 + 8450 + 9800 + 60000 + 150000 +
    // 350000 + 525000 + 600000.
    EXPECT_NEAR(make_size_distribution(known_sizes::web_search).mean_bytes(), 1'711'250, 1e-6);
    // Storage: 458.6 + 2776.8 + 1368 + 2366.4 + 1468.8 + 3110.4 + 1459.2 + 27861.6.
    EXPECT_NEAR(make_size_distribution(known_sizes::ali_storage_2019).mean_bytes(), 40'869.8, 1e-6);
    // Hadoop: 0.5 + 1.5 + 7.5 + 32.5 + 18.75 + 45 + 55 + 65 + 85 + 105 + 135 + 370 + 4000 + 3250 + 3000 +
    // 10500 + 16250 + 22500 + 60000.
    EXPECT_NEAR(make_size_distribution(known_sizes::hadoop).mean_bytes(), 120'420.75, 1e-6);
}

/// Share of flows not larger than `size_bytes`, before cutting.
double fraction_up_to(const size_distribution& d, double size_bytes) {
    const std::vector<cdf_point>& points = d.points();
    const auto end = std::upper_bound(points.begin(), points.end(), size_bytes,
                                      [](double wanted, const cdf_point& p) { return wanted < p.size_bytes; });
    if (end == points.begin()) {
        return 0;
    }
    const cdf_point& a = *(end - 1);
    if (end == points.end()) {
        return 1;
    }
    return a.fraction +
           (end->fraction - a.fraction) / (end->size_bytes - a.size_bytes) * (size_bytes - a.size_bytes);
}

/// E[max(1, floor X)] term by term: the sum over n of n * P(n <= X < n + 1).
double mean_of_samples_literally(const size_distribution& d) {
    double mean = 0;
    const auto largest = static_cast<std::int64_t>(d.points().back().size_bytes);
    const auto below = [&](std::int64_t n) {  // P(X < n) from the right-continuous F, which may have atoms
        return fraction_up_to(d, std::nextafter(static_cast<double>(n), 0.0));
    };
    for (std::int64_t n = 0; n <= largest; ++n) {
        mean += static_cast<double>(std::max<std::int64_t>(1, n)) * (below(n + 1) - (n == 0 ? 0 : below(n)));
    }
    return mean;
}

TEST(size_distribution, mean_of_samples_is_that_of_the_sum_over_all_sizes) {
    EXPECT_NEAR(mean_of_samples_literally(make_size_distribution(known_sizes::ali_storage_2019)),
                make_size_distribution(known_sizes::ali_storage_2019).mean_sample_bytes(), 1e-3);
    const std::vector<std::vector<cdf_point>> shapes = {
        {{0, 0}, {1, 1}},                                           // always 1
        {{7, 0}, {7, 1}},                                           // always 7
        {{0, 0}, {0, 0.5}, {10, 1}},                                // half of all flows are empty
        {{2.5, 0}, {2.75, 0.25}, {6.5, 0.5}, {6.5, 0.75}, {9, 1}},  // an atom between whole sizes
        {{1, 0}, {5, 0.2}, {5, 0.6}, {9, 0.6}, {12, 1}, {20, 1}}};  // an atom on one, and two gaps
    for (const std::vector<cdf_point>& shape : shapes) {
        const size_distribution d{shape};
        EXPECT_NEAR(d.mean_sample_bytes(), mean_of_samples_literally(d), 1e-9);
    }
    EXPECT_EQ(size_distribution({{0, 0}, {1, 1}}).mean_sample_bytes(), 1);
    EXPECT_EQ(size_distribution({{7, 0}, {7, 1}}).mean_sample_bytes(), 7);
    EXPECT_EQ(size_distribution({{0, 0}, {0, 0.5}, {10, 1}}).mean_sample_bytes(), 2.8);
}

TEST(size_distribution, inverts_along_the_straight_line) {
    const size_distribution d = make_size_distribution(known_sizes::web_search);
    EXPECT_EQ(d.quantile(0), 0);
    EXPECT_DOUBLE_EQ(d.quantile(0.075), 5000);
    EXPECT_EQ(d.quantile(0.15), 10'000);
    EXPECT_DOUBLE_EQ(d.quantile(0.465), 65'000);
    EXPECT_EQ(d.quantile(1), 30'000'000);
    for (int i = 0; i <= 1000; ++i) {
        EXPECT_NEAR(fraction_up_to(d, d.quantile(i / 1000.0)), i / 1000.0, 1e-12);
    }
    const size_distribution atom{{{1, 0}, {5, 0.2}, {5, 0.6}, {9, 0.6}, {12, 1}, {20, 1}}};
    EXPECT_EQ(atom.quantile(0.4), 5);
    EXPECT_EQ(atom.quantile(0.6), 5);
    EXPECT_DOUBLE_EQ(atom.quantile(0.8), 10.5);
    EXPECT_NEAR(fraction_up_to(atom, 4.9999), 0.2 - 0.2 * 0.0001 / 4, 1e-15);
    EXPECT_EQ(fraction_up_to(atom, 5), 0.6);
}

TEST(size_distribution, an_empty_flow_becomes_one_byte) {
    const size_distribution d{{{0, 0}, {0, 0.5}, {2, 1}}};
    random_stream chance{1, 0, random_purpose::sizes};
    int ones = 0;
    for (int i = 0; i < 10'000; ++i) {
        const bytes size = d.sample(chance);
        ASSERT_EQ(size, 1_B);  // [0, 2) holds no larger whole size
        ++ones;
    }
    EXPECT_EQ(ones, 10'000);
}

// Statistical, with fixed seeds. 99.9 % confidence for each table: Kolmogorov-Smirnov D < 1.949 / sqrt(n), and
// the sample mean within 3.29 standard errors.
TEST(size_distribution_statistical, samples_follow_the_table) {
    constexpr int draws = 200'000;
    for (std::size_t i = 0; i < all_known.size(); ++i) {
        const size_distribution d = make_size_distribution(all_known[i]);
        random_stream chance{2024, static_cast<std::uint32_t>(i), random_purpose::sizes};
        std::vector<double> sizes(draws);
        double sum = 0;
        double squares = 0;
        for (double& size : sizes) {
            size = static_cast<double>(d.sample(chance).count());
            sum += size;
            squares += size * size;
        }
        std::sort(sizes.begin(), sizes.end());
        double distance = 0;
        // Samples are whole bytes: P(sample <= n) = P(X < n + 1). Compare at each size that came up.
        for (std::size_t first = 0; first < sizes.size();) {
            const auto behind = static_cast<std::size_t>(
                std::upper_bound(sizes.begin(), sizes.end(), sizes[first]) - sizes.begin());
            const double expected = fraction_up_to(d, sizes[first] + 1);
            distance = std::max(distance, std::abs(expected - static_cast<double>(behind) / draws));
            first = behind;
        }
        EXPECT_LT(distance, 1.949 / std::sqrt(draws)) << files[i];
        const double mean = sum / draws;
        const double standard_error = std::sqrt((squares / draws - mean * mean) / draws);
        EXPECT_NEAR(mean, d.mean_sample_bytes(), 3.29 * standard_error) << files[i];
        EXPECT_GT(distance, 0) << files[i];
    }
}

TEST(size_distribution, one_draw_a_sample) {
    const size_distribution d = make_size_distribution(known_sizes::hadoop);
    random_stream a{5, 1, random_purpose::sizes};
    random_stream b{5, 1, random_purpose::sizes};
    d.sample(a);
    b();
    EXPECT_EQ(a(), b());
}

TEST(size_distribution, reads_both_units_of_both_columns) {
    std::istringstream in{"# packets fraction\r\n0 0\r\n1\t0.5  # half\r\n10 1"};
    const auto read = read_size_distribution(in, "f.txt", {cdf_unit::fraction, 1460_B});
    ASSERT_TRUE(read.value);
    EXPECT_EQ(read.value->points()[1].size_bytes, 1460);
    EXPECT_EQ(read.value->points()[1].fraction, 0.5);
    EXPECT_EQ(read.value->points()[2].size_bytes, 14'600);
    EXPECT_DOUBLE_EQ(read.value->mean_bytes(), 365 + 4015);
}

TEST(size_distribution, says_exactly_what_is_wrong) {
    EXPECT_TRUE(errors_are(mistakes("0 0\n1 100\n", {}),
                           {"f.txt:0: fraction: traffic.distribution_fraction = percent, fraction, unit",
                            "f.txt:0: size: traffic.distribution_size = 1B, unit"}));
    EXPECT_TRUE(errors_are(mistakes(""), {"f.txt:0: file: 0, at least 2"}));
    EXPECT_TRUE(errors_are(mistakes("0 0\n5\n9 100\n"), {"f.txt:2: line: 1 fields, size, fraction"}));
    EXPECT_TRUE(errors_are(mistakes("0 0\n5 1 50\n9 100\n"), {"f.txt:2: line: 3 fields, size, fraction"}));
    EXPECT_TRUE(errors_are(mistakes("0 0\nx 50\n9 100\n"), {"f.txt:2: size: x, 0 to 281474976710656"}));
    EXPECT_TRUE(errors_are(mistakes("0 0\nnan 50\n9 100\n"), {"f.txt:2: size: nan, 0 to 281474976710656"}));
    EXPECT_TRUE(
        errors_are(mistakes("0 0\n1e20 50\n1e21 100\n"),
                   {"f.txt:2: size: 1e20, 0 to 281474976710656", "f.txt:3: size: 1e21, 0 to 281474976710656"}));
    EXPECT_TRUE(errors_are(mistakes("0 0\n5 -1\n9 100\n"), {"f.txt:2: fraction: -1, 0 to 100"}));
    EXPECT_TRUE(errors_are(mistakes("0 0\n9 100.1\n"), {"f.txt:2: fraction: 100.1, 0 to 100"}));
    EXPECT_TRUE(errors_are(mistakes("0 0\n5 50\n4 60\n9 100\n"), {"f.txt:3: size: 4"}));
    EXPECT_TRUE(errors_are(mistakes("0 0\n5 50\n6 40\n9 100\n"), {"f.txt:3: fraction: 40"}));
    EXPECT_TRUE(errors_are(mistakes("0 0\n5 50\n5 50\n9 100\n"), {"f.txt:3: line: twice"}));
    EXPECT_TRUE(errors_are(mistakes("3 10\n9 100\n"), {"f.txt:1: fraction: 10, above 0, 0"}));
    EXPECT_TRUE(errors_are(mistakes("0 0\n9 1\n"), {"f.txt:2: fraction: 1, below 100, 100"}));
    EXPECT_TRUE(
        errors_are(mistakes("0 0\n9 100\n", {cdf_unit::fraction, 1_B}), {"f.txt:2: fraction: 100, 0 to 1"}));
    EXPECT_TRUE(errors_are(mistakes("0 0\n0.5 100\n"), {"f.txt:2: size: 0.5, at least 1 B"}));
}

TEST(poisson_rate, offers_the_load) {
    // 70 % of 10 Gb/s in flows of 87,500 B: 7e9 / 700,000 flows a second.
    EXPECT_DOUBLE_EQ(poisson_rate(0.7, 10_Gbps, 87'500), 10'000);
    EXPECT_EQ(poisson_rate(0, 10_Gbps, 100), 0);
}

}  // namespace
}  // namespace weir::traffic
