#include "weir/base/unit_text.h"

#include <gtest/gtest.h>

#include "support/errors_said.h"
#include "weir/base/rng.h"

namespace weir {
namespace {

using namespace std::string_literals;

TEST(unit_text, bytes_are_read_with_every_unit) {
    EXPECT_EQ(parse_bytes("64B").value, 64_B);
    EXPECT_EQ(parse_bytes("128KiB").value, 131'072_B);
    EXPECT_EQ(parse_bytes("128KB").value, 128'000_B);
    EXPECT_EQ(parse_bytes("2MiB").value, 2'097'152_B);
    EXPECT_EQ(parse_bytes("2MB").value, 2'000'000_B);
    EXPECT_EQ(parse_bytes("1GiB").value, 1'073'741'824_B);
    EXPECT_EQ(parse_bytes("1GB").value, 1'000'000'000_B);
}

TEST(unit_text, times_are_read_with_every_unit) {
    EXPECT_EQ(parse_time("7ps").value, 7_ps);
    EXPECT_EQ(parse_time("7ns").value, 7'000_ps);
    EXPECT_EQ(parse_time("7us").value, 7'000'000_ps);
    EXPECT_EQ(parse_time("7ms").value, 7'000'000'000_ps);
    EXPECT_EQ(parse_time("7s").value, 7'000'000'000'000_ps);
}

TEST(unit_text, rates_are_read_with_every_unit) {
    EXPECT_EQ(parse_rate("9bps").value, bit_rate{9});
    EXPECT_EQ(parse_rate("9kbps").value, bit_rate{9'000});
    EXPECT_EQ(parse_rate("9Mbps").value, bit_rate{9'000'000});
    EXPECT_EQ(parse_rate("9Gbps").value, bit_rate{9'000'000'000});
    EXPECT_EQ(parse_rate("1.6Tbps").value, bit_rate{1'600'000'000'000});
}

TEST(unit_text, decimal_fractions_are_exact) {
    EXPECT_EQ(parse_time("1.6us").value, 1'600'000_ps);
    EXPECT_EQ(parse_time("0.000000000001s").value, 1_ps);
    EXPECT_EQ(parse_time("3.1us").value, 3'100ns);
    EXPECT_EQ(parse_bytes("0.5KiB").value, 512_B);
    EXPECT_EQ(parse_bytes(".5KB").value, 500_B);
}

TEST(unit_text, exponents_are_exact) {
    EXPECT_EQ(parse_time("1e-6s").value, 1'000'000_ps);
    EXPECT_EQ(parse_time("1E-6 s").value, 1'000'000_ps);
    EXPECT_EQ(parse_time("2.5e+2us").value, 250'000ns);
    EXPECT_EQ(parse_time("1e-12s").value, 1_ps);
    EXPECT_EQ(parse_time("9223372e0s").value.count(), 9'223'372'000'000'000'000);
    EXPECT_EQ(parse_bytes("2.5e3KB").value, 2'500'000_B);
    EXPECT_EQ(parse_bytes("2.e3B").value, 2'000_B);
    EXPECT_EQ(parse_bytes(".5e1B").value, 5_B);
    EXPECT_EQ(parse_bytes("5e-1KiB").value, 512_B);
    EXPECT_EQ(parse_bytes("1e03GiB").value.count(), 1000 * (std::int64_t{1} << 30));
    // 1 B = 2^-30 GiB = 5^26 x 2^-4 x 10^-26 GiB; 16 B have a numerator of 19 digits.
    EXPECT_EQ(parse_bytes("1490116119384765625e-26GiB").value, 16_B);
    EXPECT_EQ(parse_rate("4e11bps").value, bit_rate{400'000'000'000});
    EXPECT_EQ(parse_rate("0.1e3Gbps").value, bit_rate{100'000'000'000});
    EXPECT_EQ(parse_time("0e-99999999999999999999s").value, 0_ps);
    EXPECT_EQ(parse_time("0e99999999999999999999s").value, 0_ps);
    EXPECT_TRUE(parse_time("0e3"));
}

TEST(unit_text, an_exponent_is_refused_like_the_number_it_stands_for) {
    EXPECT_TRUE(errors_are(parse_time("1e-13s").error, {"1e-13s, us"}));
    EXPECT_NE(parse_time("1e-99999999999999999999s").error.find("is not a whole number"), std::string::npos);
    EXPECT_NE(parse_time("1e7s").error.find("is too large"), std::string::npos);
    EXPECT_NE(parse_bytes("1e99999999999999999999B").error.find("is too large"), std::string::npos);
    EXPECT_NE(parse_bytes("100000000000000000000e-20B").error.find("has too many digits"), std::string::npos);
    EXPECT_NE(parse_rate("1e6").error.find("has no unit"), std::string::npos);
    EXPECT_NE(parse_bytes("-1e3B").error.find("is negative"), std::string::npos);
    EXPECT_NE(parse_bytes("e3B").error.find("is not a number with a unit"), std::string::npos);
}

TEST(unit_text, a_value_that_would_need_rounding_is_refused) {
    EXPECT_TRUE(errors_are(parse_time("1.5ps").error, {"1.5ps, us"}));
    EXPECT_FALSE(parse_bytes("0.3KiB"));
}

TEST(unit_text, a_bare_number_is_refused_but_zero_is_not) {
    EXPECT_TRUE(errors_are(parse_bytes("128").error, {"128, KiB, unit"}));
    EXPECT_TRUE(errors_are(parse_rate("10").error, {"10, Gbps, unit"}));
    EXPECT_TRUE(parse_time("0"));
    EXPECT_TRUE(parse_bytes("0"));
}

TEST(unit_text, an_unknown_unit_is_refused) {
    for (const char* text : {"1kB", "1kb", "1b", "1Kib", "1 KiB x", "1us", "1%", "1,000B", "1eB", "1e+B", "5e",
                             "1EiB", "1EB", "1e3e3B", "1e3.5B", "1e 3B"}) {
        EXPECT_NE(parse_bytes(text).error.find("has an unknown unit"), std::string::npos) << text;
    }
}

TEST(unit_text, what_is_no_number_is_refused) {
    for (const char* text : {"", "B", "KiB", "auto", ".", ".B", "+1B", " 1B"}) {
        EXPECT_NE(parse_bytes(text).error.find("is not a number with a unit"), std::string::npos) << text;
    }
    EXPECT_NE(parse_bytes("-1B").error.find("is negative"), std::string::npos);
}

TEST(unit_text, a_blank_may_stand_before_the_unit) {
    EXPECT_EQ(parse_time("1.6 us").value, 1'600ns);
}

TEST(unit_text, the_largest_value_is_read_and_a_larger_one_refused) {
    EXPECT_EQ(parse_time("9223372036.854775807s").error.substr(0, 28), "'9223372036.854775807s' is t");
    EXPECT_EQ(parse_time("9223372s").value.count(), 9'223'372'000'000'000'000);
    EXPECT_NE(parse_time("9223373s").error.find("is too large"), std::string::npos);
    EXPECT_TRUE(errors_are(parse_time("99999999999s").error, {"99999999999s, at most 9223372s, us"}));
    EXPECT_TRUE(errors_are(parse_bytes("99999999999999999999999999.5B").error,
                           {"99999999999999999999999999.5B, at most 8589934591GiB, KiB"}));
    EXPECT_TRUE(
        errors_are(parse_rate("99999999999Gbps").error, {"99999999999Gbps, at most 9223372Tbps, Gbps"}));
    EXPECT_NE(parse_rate("99999999999999999999").error.find("has no unit"), std::string::npos);
    EXPECT_NE(parse_time("0." + std::string(130, '0') + "s").error.find("has too many digits"),
              std::string::npos);
}

TEST(unit_text, the_shortest_exact_text_is_printed) {
    EXPECT_EQ(to_text(0_B), "0B");
    EXPECT_EQ(to_text(131'072_B), "128KiB");
    EXPECT_EQ(to_text(128'000_B), "125KiB");
    EXPECT_EQ(to_text(15'000_B), "15KB");
    EXPECT_EQ(to_text(1'530_B), "1530B");
    EXPECT_EQ(to_text(64_B), "64B");
    EXPECT_EQ(to_text(6'600ns), "6.6us");
    EXPECT_EQ(to_text(picoseconds{0}), "0ps");
    EXPECT_EQ(to_text(1'234'567_ps), "1234.567ns");
    EXPECT_EQ(to_text(bit_rate{1'600'000'000'000}), "1.6Tbps");
    EXPECT_EQ(to_text(2_Gbps), "2Gbps");
}

TEST(unit_text, what_is_printed_is_read_back_exactly) {
    random_stream chance{1, 0, random_purpose::sizes};
    for (int i = 0; i < 20'000; ++i) {
        // Every magnitude is as likely: the top bits of a number shifted by 3 to 62 places.
        const auto count = static_cast<std::int64_t>(chance() >> (5 + chance.below(59)));
        const std::int64_t rounded = count - count % (i % 3 == 0 ? 1000 : 1);
        EXPECT_EQ(parse_bytes(to_text(bytes{rounded})).value.count(), rounded);
        EXPECT_EQ(parse_time(to_text(picoseconds{rounded})).value.count(), rounded);
        EXPECT_EQ(parse_rate(to_text(bit_rate{rounded})).value.count(), rounded);
    }
}

}  // namespace
}  // namespace weir
