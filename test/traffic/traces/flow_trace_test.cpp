#include "weir/traffic/traces/flow_trace.h"

#include <gtest/gtest.h>

#include <sstream>

namespace weir::traffic {
namespace {

constexpr auto latest = static_cast<std::uint64_t>(latest_time.count());

number_fault decimal(const char* text, int power, std::uint64_t expected) {
    std::uint64_t value = ~std::uint64_t{0};
    const number_fault fault = parse_decimal(text, power, latest, value);
    if (fault == number_fault::none) {
        EXPECT_EQ(value, expected) << text;
    }
    return fault;
}

TEST(parse_decimal, is_exact_to_the_picosecond) {
    EXPECT_EQ(decimal("0", 3, 0), number_fault::none);
    EXPECT_EQ(decimal("1250.125", 3, 1'250'125), number_fault::none);
    EXPECT_EQ(decimal("0.001", 3, 1), number_fault::none);
    EXPECT_EQ(decimal("1.50000000000000000000000000", 3, 1500), number_fault::none);
    EXPECT_EQ(decimal("000000000000000000000000000000000007.", 3, 7000), number_fault::none);
    EXPECT_EQ(decimal(".5", 3, 500), number_fault::none);
    EXPECT_EQ(decimal("2.000000001", 12, 2'000'000'001'000), number_fault::none);
    EXPECT_EQ(decimal("2.5e-06", 12, 2'500'000), number_fault::none);
    EXPECT_EQ(decimal("1E+3", 3, 1'000'000), number_fault::none);
    EXPECT_EQ(decimal("1200e-2", 0, 12), number_fault::none);
    EXPECT_EQ(decimal("0.000e999999999999", 3, 0), number_fault::none);
    EXPECT_EQ(decimal("4503599627370.494", 3, latest), number_fault::none);
}

TEST(parse_decimal, refuses_what_it_cannot_hold) {
    EXPECT_EQ(decimal("", 3, 0), number_fault::missing);
    EXPECT_EQ(decimal("0.0001", 3, 0), number_fault::not_whole);
    EXPECT_EQ(decimal("1.0000000000000000000000000000000000000000001", 3, 0), number_fault::not_whole);
    EXPECT_EQ(decimal("1e-999999999999", 3, 0), number_fault::not_whole);
    EXPECT_EQ(decimal("4503599627370.495", 3, 0), number_fault::too_large);
    EXPECT_EQ(decimal("1e999999999999", 3, 0), number_fault::too_large);
    EXPECT_EQ(decimal("123456789012345678901234567890123456789012345", 3, 0), number_fault::too_large);
    EXPECT_EQ(decimal("-1.5", 3, 0), number_fault::negative);
    EXPECT_EQ(decimal("-1e99", 3, 0), number_fault::negative);
    for (const char* text : {"x", ".", "-", "--1", "-.", "1.2.3", "1e", "1e+", "1e+-3", "1e3x", "+1", "1 2",
                             "nan", "inf", "0x10", "1,5"}) {
        EXPECT_EQ(decimal(text, 3, 0), number_fault::not_a_number) << text;
    }
}

TEST(parse_whole, takes_digits_only) {
    std::uint64_t value = 0;
    EXPECT_EQ(parse_whole("18446744073709551615", UINT64_MAX, value), number_fault::none);
    EXPECT_EQ(value, UINT64_MAX);
    EXPECT_EQ(parse_whole("18446744073709551616", UINT64_MAX, value), number_fault::too_large);
    EXPECT_EQ(parse_whole("8", 7, value), number_fault::too_large);
    EXPECT_EQ(parse_whole("-8", 7, value), number_fault::negative);
    EXPECT_EQ(parse_whole("", 7, value), number_fault::missing);
    for (const char* text : {"1.0", "1e3", "+1", "--1", "-", "a", "1a"}) {
        EXPECT_EQ(parse_whole(text, UINT64_MAX, value), number_fault::not_a_number) << text;
    }
}

TEST(text_lines, strips_comments_blanks_and_carriage_returns) {
    std::istringstream in{"\xEF\xBB\xBF# head\r\n\r\n  a b \t\r\n\n#\nc#d # e\nlast"};
    text_lines lines{in};
    std::string_view line;
    ASSERT_TRUE(lines.next(line));
    EXPECT_EQ(line, "a b");
    EXPECT_EQ(lines.number(), 3);
    ASSERT_TRUE(lines.next(line));
    EXPECT_EQ(line, "c#d");
    EXPECT_EQ(lines.number(), 6);
    EXPECT_FALSE(lines.unterminated());
    ASSERT_TRUE(lines.next(line));
    EXPECT_EQ(line, "last");
    EXPECT_TRUE(lines.unterminated());
    EXPECT_FALSE(lines.next(line));
    EXPECT_EQ(lines.number(), 7);
    EXPECT_FALSE(lines.unreadable());
}

TEST(text_lines, holds_a_line_of_the_longest_length_and_flags_a_longer_one) {
    for (const bool line_feed : {true, false}) {
        const std::string end = line_feed ? "\n" : "";
        std::istringstream fits{std::string(text_lines::longest, 'a') + end};
        text_lines lines{fits};
        std::string_view line;
        ASSERT_TRUE(lines.next(line));
        EXPECT_EQ(line.size(), text_lines::longest);
        EXPECT_FALSE(lines.too_long());
        EXPECT_FALSE(lines.next(line));

        std::istringstream longer{std::string(3 * text_lines::longest, 'a') + "\nb" + end};
        text_lines more{longer};
        ASSERT_TRUE(more.next(line));
        EXPECT_TRUE(more.too_long());
        ASSERT_TRUE(more.next(line));
        EXPECT_EQ(line, "b");
        EXPECT_FALSE(more.too_long());
        EXPECT_EQ(more.number(), 2);
        EXPECT_FALSE(more.next(line));
    }
}

/// Gives some characters, then fails as a broken disk does.
class broken_buffer : public std::streambuf {
 public:
    broken_buffer() { setg(m_text, m_text, m_text + sizeof(m_text) - 1); }

 protected:
    int_type underflow() override { throw std::runtime_error("broken"); }

 private:
    char m_text[31] = "start_ns,src,dst,bytes\n0,0,1,5";
};

TEST(flow_trace, a_stream_that_fails_is_an_error_and_no_end) {
    broken_buffer buffer;
    std::istream in{&buffer};
    tag_table tags;
    const auto reader = make_trace_reader(trace_format::csv, in, {"t.csv"}, tags);
    const trace_scan scan = scan_trace(*reader);
    EXPECT_EQ(scan.count, 0U);
    ASSERT_EQ(scan.errors.size(), 1U);
    EXPECT_EQ(scan.errors[0].message, "cannot be read any further");
}

TEST(flow_trace, keeps_the_first_20_mistakes_and_counts_the_others) {
    std::string text = "start_ns,src,dst,bytes\n";
    for (int i = 0; i < 50; ++i) {
        text += "0,1,1,5\n";
    }
    std::istringstream in{text};
    tag_table tags;
    const auto reader = make_trace_reader(trace_format::csv, in, {"t.csv"}, tags);
    const trace_scan scan = scan_trace(*reader);
    EXPECT_EQ(scan.count, 0U);
    ASSERT_EQ(scan.errors.size(), 21U);
    EXPECT_EQ(scan.errors[19].line, 21);
    EXPECT_EQ(scan.errors[20].message, "and 30 more");
}

TEST(flow_trace, a_scan_sums_up_the_whole_trace) {
    std::istringstream in{"start_ns,src,dst,bytes\n5,0,9,100\n2.5,3,1,20\n7,2,4,3\n"};
    tag_table tags;
    const auto reader = make_trace_reader(trace_format::csv, in, {"t.csv", 10}, tags);
    const trace_scan scan = scan_trace(*reader);
    EXPECT_TRUE(scan.errors.empty());
    EXPECT_EQ(scan.count, 3U);
    EXPECT_FALSE(scan.sorted);
    EXPECT_EQ(scan.first_start, 2500_ps);
    EXPECT_EQ(scan.last_start, picoseconds{7ns});
    EXPECT_EQ(scan.total_bytes, 123U);
    EXPECT_EQ(scan.max_host, 9U);
}

TEST(flow_trace, an_odd_value_is_quoted_short_and_without_control_characters) {
    EXPECT_EQ(in_quotes(std::string_view{"a\0b\x1b[2J", 7}), "'a?b?[2J'");
    EXPECT_EQ(in_quotes(std::string(100, 'x')), "'" + std::string(40, 'x') + "...'");
}

}  // namespace
}  // namespace weir::traffic
