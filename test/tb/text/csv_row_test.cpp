// Against std::to_chars, and the text that the fields have in RFC 4180.
#include "tb/support/text/csv_row.h"

#include <gtest/gtest.h>

#include <charconv>
#include <string>
#include <vector>

#include "tb/support/text/text_format.h"
#include "weir/base/rng.h"

using namespace weir;
using namespace weir::tb;

namespace {

std::string digits_of(std::uint64_t value) {
    std::string text(most_digits, '#');
    text.resize(static_cast<std::size_t>(put_digits(text.data(), value) - text.data()));
    return text;
}

std::string ns_of(std::int64_t ps) {
    std::string text(most_ns_digits, '#');
    text.resize(static_cast<std::size_t>(put_ns(text.data(), picoseconds{ps}) - text.data()));
    return text;
}

/// Numbers of all lengths, and those at which a length begins and ends.
std::vector<std::uint64_t> numbers() {
    std::vector<std::uint64_t> all{UINT64_MAX};
    for (std::uint64_t n = 0; n <= 1'100'000; n += n < 20'000 ? 1 : 37) {
        all.push_back(n);
    }
    for (std::uint64_t power = 1'000; power <= UINT64_MAX / 10; power *= 10) {
        all.insert(all.end(), {power - 1, power, power + 1, 9 * power});
    }
    random_stream chance(1, 0, random_purpose::sizes);
    for (unsigned i = 0; i < 20'000; ++i) {
        all.push_back(chance() >> chance.below(64));
    }
    return all;
}

TEST(digits, are_those_of_the_standard_library) {
    for (const std::uint64_t n : numbers()) {
        ASSERT_EQ(digits_of(n), std::to_string(n));
    }
}

TEST(digits, of_times_are_exact_in_ns_without_zeros_at_the_end) {
    EXPECT_EQ(ns_of(25'000'125), "25000.125");
    EXPECT_EQ(ns_of(0), "0");
    EXPECT_EQ(ns_of(-1), "-0.001");
    EXPECT_EQ(ns_of(INT64_MIN), "-9223372036854775.808");
    for (const std::uint64_t n : numbers()) {
        const auto ps = static_cast<std::int64_t>(n >> 1);
        std::string expected = std::to_string(ps / 1'000) + "." + std::to_string(1'000 + ps % 1'000).substr(1);
        expected.resize(expected.find_last_not_of('0') + 1);
        expected.resize(expected.find_last_not_of('.') + 1);
        ASSERT_EQ(ns_of(ps), expected) << ps;
        ASSERT_EQ(ns_of(-ps), (ps != 0 ? "-" : "") + expected) << ps;
    }
}

TEST(csv_row, is_what_csv_line_makes) {
    const std::string names[] = {"",    "query",      "a name of more than sixteen letters",
                                 "a,b", "a \"word\"", "two\nlines"};
    for (const std::string& name : names) {
        const csv_name kept(csv_text(name));
        std::string room(200, '#');
        csv_row row(room.data());
        row.add(17).add_name(kept).add_ns(25'000'125_ps).add_nothing().add_nothing().add(0);
        room.resize(static_cast<std::size_t>(row.end() - room.data()));
        EXPECT_EQ(room, csv_line({"17", name, ns_text(25'000'125_ps), "", "", "0"}));
        EXPECT_EQ(room, "17," + csv_text(name) + ",25000.125,,,0\n");
    }
    EXPECT_EQ(csv_text("a \"word\""), "\"a \"\"word\"\"\"");
}

TEST(csv_row, decimals_are_fixed_or_the_shortest) {
    std::string room(2 * longest_decimal, '#');
    csv_row row(room.data());
    EXPECT_EQ(std::string(room.data(), row.add_decimal(0.5, 3).add_real(0.25).end()), "0.500,0.25\n");
}

}  // namespace
