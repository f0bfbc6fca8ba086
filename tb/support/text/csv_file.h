// A CSV file that is read: a header, then one line after the other, so that one of millions of lines takes no
// memory. Columns stand in any order and are found by name; those that nobody asks for (a golden file's
// answers) are skipped.
//
//   csv_file file("requests_n8.csv", errors);
//   const std::size_t slot = file.column("slot");
//   while (file.next()) {
//       std::uint64_t number = 0;
//       file.number(slot, number, 0, 1000);
//   }
//   if (!errors.empty()) { ... }         // requests_n8.csv:7: slot: 'x' is no whole number; expected 0 to 1000
//
// Blanks round a field do not count, unless quotes enclose them.
//
// The last line must end with a line feed, or a file that was cut within its last number would pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tb/support/files/input_file.h"
#include "weir/base/config_error.h"
#include "weir/base/field_range.h"
#include "weir/model/forwarding/wide_tcam.h"

namespace weir::tb {

/// `8`, `0x1f`: decimal, or hexadecimal after `0x`. Nothing else, no signs.
std::optional<std::uint64_t> parse_whole_number(std::string_view text);
/// Hexadecimal digits without `0x`, at least one, any number.
std::optional<wide_bits> parse_wide_hex(std::string_view text);
/// Pairs of hexadecimal digits.
std::optional<std::vector<std::uint8_t>> parse_octets(std::string_view text);

class csv_file {
 public:
    /// Opens the file and reads its header. What is wrong with it goes to `errors`, at most 20 per file.
    /// `input_kind::stored` for a file that is read twice. `expected`: what a path that cannot be read should
    /// have named.
    csv_file(std::string path, config_errors& errors, input_kind kind = input_kind::any,
             const char* expected = "a CSV file with a header");

    /// Place of a column, which has to be there. What a header says in brackets, as `first_index(-1=miss)`,
    /// may be left out. Call before `next`.
    std::size_t column(const std::string& name);
    /// The same of several, in their order.
    std::vector<std::size_t> columns(std::initializer_list<const char*> names);
    std::optional<std::size_t> optional_column(const std::string& name) const;
    const std::vector<std::string>& header() const { return m_header; }
    /// Reports columns with other names than these: of a table in which nothing is to be skipped.
    void refuse_others(const std::vector<std::string>& known);

    /// Goes to the next line that has as many fields as the header; empty lines are skipped. False at the
    /// end, and for a file without a header or without a column that has to be there.
    bool next();
    int line() const { return m_line_number; }
    /// Skips empty lines.
    bool is_at_end();
    /// At the end: there have to be so many lines of data, which summary.json counts as `what`.
    void expect_rows(std::uint64_t expected, const std::string& what);

    /// Of this line; valid until `next`.
    const std::string& text(std::size_t column) const { return m_fields[column]; }
    /// Field of the column with this name; empty if there is no such column.
    const std::string& text(const std::string& name) const;
    /// False, and an error, where the field is no whole number in [low, high].
    bool number(std::size_t column, std::uint64_t& value, std::uint64_t low = 0,
                std::uint64_t high = UINT64_MAX);
    /// The same of any number; without a range, of one that is not negative.
    bool number(std::size_t column, double& value, const field_range<double>& allowed = not_negative);
    /// The same of a field that may be empty, which leaves the value as it is.
    template <class Number>
    bool number_or_none(std::size_t column, Number& value) {
        return text(column).empty() || number(column, value);
    }
    /// Hexadecimal of at most `bits` bits.
    std::optional<wide_bits> hex(std::size_t column, std::size_t bits);
    /// One of a few words; `value` is its place in the list.
    bool word(std::size_t column, std::size_t& value, const std::vector<std::string>& allowed);
    /// What stands between blanks.
    std::vector<std::string> words(std::size_t column) const;
    /// Whole numbers with blanks between, `count` of them, each in [0, high].
    bool numbers(std::size_t column, std::vector<std::uint64_t>& values, std::size_t count, std::uint64_t high);

    /// Reports a mistake in a column of this line: what is wrong; expected ....
    void refuse(std::size_t column, const std::string& message);
    /// Reports a mistake in the column with this name, or in the whole `line`.
    void refuse(const std::string& name, const std::string& message);
    /// The same of a column that is there, after its text: `is not a table; expected ...`.
    void refuse_text(const std::string& name, const std::string& message);
    /// Columns of this line with mistakes that were reported.
    const std::vector<std::size_t>& refused() const { return m_refused; }

 private:
    static constexpr field_range<double> not_negative{0, std::numeric_limits<double>::max()};

    bool read_line(std::string& line);
    bool split(const std::string& line);
    void refuse_value(std::size_t column, const char* what, const std::string& expected);
    void report(const std::string& column, const std::string& message);

    std::string m_path;
    config_errors& m_errors;
    input_stream m_in;
    std::vector<std::string> m_header;
    std::vector<std::string> m_fields;
    std::vector<std::size_t> m_refused;
    int m_line_number = 0;
    std::uint64_t m_rows = 0;
    unsigned m_found = 0;
    bool m_good = true;
};

/// Four bits per digit of the longest field of a column, at least 4 and at most `wide_tcam::most_key_bits`.
/// What is wrong with the file is reported by who reads it for good. Unit: bit.
std::size_t widest_hex(const std::string& path, const std::string& column);

}  // namespace weir::tb
