#include "tb/support/text/csv_file.h"

#include <algorithm>
#include <boost/tokenizer.hpp>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "tb/support/text/joined.h"
#include "tb/support/text/text_format.h"

namespace weir::tb {

namespace {

constexpr unsigned most_errors = 20;

template <class T>
std::optional<T> parse_all(std::string_view text, int base) {
    T value{};
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value, base);
    return read.ec == std::errc{} && read.ptr == end ? std::optional<T>(value) : std::nullopt;
}

/// `first_index(-1=miss)`: `first_index`.
std::string_view without_note(std::string_view name) {
    return trimmed(name.substr(0, name.find('(')));
}

std::string shortened(const std::string& text, std::size_t most = 40) {
    return text.size() <= most ? text : text.substr(0, most) + "...";
}

}  // namespace

std::optional<std::uint64_t> parse_whole_number(std::string_view text) {
    const bool hexadecimal = text.substr(0, 2) == "0x";
    return parse_all<std::uint64_t>(hexadecimal ? text.substr(2) : text, hexadecimal ? 16 : 10);
}

std::optional<wide_bits> parse_wide_hex(std::string_view text) {
    constexpr std::size_t digits = 16;
    wide_bits value;
    do {
        const std::size_t from = text.size() > digits ? text.size() - digits : 0;
        const std::optional<std::uint64_t> word = parse_all<std::uint64_t>(text.substr(from), 16);
        if (!word) {
            return std::nullopt;
        }
        value.push_back(*word);
        text.remove_suffix(text.size() - from);
    } while (!text.empty());
    return value;
}

std::optional<std::vector<std::uint8_t>> parse_octets(std::string_view text) {
    if (text.size() % 2 != 0) {
        return std::nullopt;
    }
    std::vector<std::uint8_t> octets;
    for (std::size_t at = 0; at < text.size(); at += 2) {
        const std::optional<std::uint8_t> octet = parse_all<std::uint8_t>(text.substr(at, 2), 16);
        if (!octet) {
            return std::nullopt;
        }
        octets.push_back(*octet);
    }
    return octets;
}

csv_file::csv_file(std::string path, config_errors& errors, input_kind kind, const char* expected)
    : m_path(std::move(path)), m_errors(errors) {
    input_file input = open_input(m_path, kind);
    m_in = std::move(input.text);
    std::string line;
    if (!input.why_not.empty()) {
        report("", "cannot be read: " + input.why_not + "; expected " + expected);
    } else if (!read_line(line) && m_found == 0) {
        report("", "is empty; expected a CSV file with a header");
    }
    if (m_found != 0) {
        m_good = false;
        return;
    }
    // What spreadsheets put before UTF-8.
    if (line.compare(0, 3, "\xEF\xBB\xBF") == 0) {
        line.erase(0, 3);
    }
    m_good = split(line);
    m_header = std::exchange(m_fields, {});
}

std::optional<std::size_t> csv_file::optional_column(const std::string& name) const {
    auto at = std::find(m_header.begin(), m_header.end(), name);
    if (at == m_header.end()) {
        at = std::find_if(m_header.begin(), m_header.end(), [&](const std::string& header) {
            return without_note(header) == without_note(name);
        });
    }
    return at == m_header.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - m_header.begin()));
}

std::size_t csv_file::column(const std::string& name) {
    const std::optional<std::size_t> at = optional_column(name);
    if (!at && !m_header.empty()) {
        report(name, "is missing in the header '" + shortened(joined(m_header), 120) +
                         "'; expected a column of this name");
    }
    if (!at) {
        m_good = false;
    }
    return at.value_or(0);
}

void csv_file::refuse_others(const std::vector<std::string>& known) {
    for (const std::string& name : m_header) {
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            report(name, "is not a column of this table; expected one of " + joined(known, ", "));
        }
    }
}

std::vector<std::size_t> csv_file::columns(std::initializer_list<const char*> names) {
    std::vector<std::size_t> places;
    for (const char* name : names) {
        places.push_back(column(name));
    }
    return places;
}

bool csv_file::is_at_end() {
    int c = m_in.peek();
    for (; c == '\n' || c == '\r'; c = m_in.peek()) {
        m_in.get();
        m_line_number += c == '\n' ? 1 : 0;
    }
    return c == input_stream::traits_type::eof();
}

bool csv_file::next() {
    std::string line;
    m_refused.clear();
    while (m_good && m_found < most_errors && read_line(line)) {
        if (line.empty() || !split(line)) {
            continue;
        }
        if (m_fields.size() == m_header.size()) {
            ++m_rows;
            return true;
        }
        report("line", "has " + std::to_string(m_fields.size()) + " fields; expected " +
                           std::to_string(m_header.size()) + ", as in the header");
    }
    return false;
}

bool csv_file::read_line(std::string& line) {
    if (!std::getline(m_in, line)) {
        return false;
    }
    ++m_line_number;
    if (m_in.eof()) {
        report("line", "is incomplete: the file ends within it; expected lines that end with a line feed");
        return false;
    }
    if (!line.empty() && line.back() == '\r') {
        line.pop_back();
    }
    return true;
}

bool csv_file::split(const std::string& line) {
    if (std::count(line.begin(), line.end(), '"') % 2 != 0) {
        report("line", "has a quote that is not closed; expected quotes in pairs, within one line");
        return false;
    }
    // Fields keep their memory from line to line.
    std::size_t count = 0;
    bool quoted = false;
    for (std::size_t at = 0; at <= line.size(); ++count) {
        if (count == m_fields.size()) {
            m_fields.emplace_back();
        }
        std::string& field = m_fields[count];
        field.clear();
        at = std::min(line.find_first_not_of(blanks, at), line.size());
        // Blanks after this place do not count.
        std::size_t quoted_size = 0;
        for (; at < line.size() && (quoted || line[at] != ','); ++at) {
            if (line[at] != '"') {
                field += line[at];
            } else if (quoted && at + 1 < line.size() && line[at + 1] == '"') {
                field += line[++at];  // a quote within quotes is there twice
            } else {
                quoted = !quoted;
                quoted_size = field.size();
            }
        }
        field.erase(std::max(field.find_last_not_of(blanks) + 1, quoted_size));
        ++at;
    }
    m_fields.resize(count);
    return true;
}

void csv_file::expect_rows(std::uint64_t expected, const std::string& what) {
    if (m_good && m_found == 0 && m_rows != expected) {
        m_errors.push_back({m_path, 0, "",
                            "has " + std::to_string(m_rows) + " lines of data, but summary.json counts " +
                                std::to_string(expected) + " " + what + "; expected a complete table"});
    }
}

bool csv_file::number(std::size_t column, std::uint64_t& value, std::uint64_t low, std::uint64_t high) {
    const std::optional<std::uint64_t> read = parse_whole_number(text(column));
    const bool good = read && *read >= low && *read <= high;
    if (good) {
        value = *read;
    } else {
        refuse_value(column, read ? "out of range" : "not a whole number",
                     std::to_string(low) + (high == UINT64_MAX ? " and above" : " to " + std::to_string(high)));
    }
    return good;
}

bool csv_file::number(std::size_t column, double& value, const field_range<double>& allowed) {
    const std::string& field = text(column);
    const auto read = std::from_chars(field.data(), field.data() + field.size(), value);
    const bool is_number = read.ec == std::errc{} && read.ptr == field.data() + field.size() &&
                           std::abs(value) <= std::numeric_limits<double>::max();
    const bool good = is_number && allowed.holds(value);
    if (!good) {
        refuse_value(column, is_number ? "out of range" : "not a number",
                     allowed.high == not_negative.high ? "0 and above" : allowed.text(field_text<double>));
    }
    return good;
}

std::optional<wide_bits> csv_file::hex(std::size_t column, std::size_t bits) {
    std::optional<wide_bits> read = parse_wide_hex(text(column));
    if (!read || bit_length(*read) > bits) {
        refuse_value(column, read ? "out of range" : "not a hexadecimal number",
                     "hexadecimal digits, at most " + std::to_string(bits) + " bits");
        read.reset();
    }
    return read;
}

bool csv_file::word(std::size_t column, std::size_t& value, const std::vector<std::string>& allowed) {
    const auto at = std::find(allowed.begin(), allowed.end(), text(column));
    const bool good = at != allowed.end();
    if (good) {
        value = static_cast<std::size_t>(at - allowed.begin());
    } else {
        refuse_value(column, "unknown", joined(allowed, ", "));
    }
    return good;
}

std::vector<std::string> csv_file::words(std::size_t column) const {
    const boost::tokenizer<boost::char_separator<char>> all(text(column), boost::char_separator<char>(" "));
    return {all.begin(), all.end()};
}

bool csv_file::numbers(std::size_t column, std::vector<std::uint64_t>& values, std::size_t count,
                       std::uint64_t high) {
    values.clear();
    for (const std::string& w : words(column)) {
        const std::optional<std::uint64_t> read = parse_whole_number(w);
        if (!read || *read > high) {
            refuse(column, "'" + shortened(w) + "' is not a number in range; expected " +
                               std::to_string(count) + " whole numbers separated by blanks, each 0 to " +
                               std::to_string(high));
            return false;
        }
        values.push_back(*read);
    }
    if (values.size() != count) {
        refuse(column, std::to_string(values.size()) + " numbers; expected " + std::to_string(count) +
                           ", separated by blanks");
        return false;
    }
    return true;
}

void csv_file::refuse(std::size_t column, const std::string& message) {
    m_refused.push_back(column);
    report(m_header[column], message);
}

void csv_file::refuse(const std::string& name, const std::string& message) {
    const std::optional<std::size_t> at = optional_column(name);
    at ? refuse(*at, message) : report(name, message);
}

const std::string& csv_file::text(const std::string& name) const {
    static const std::string nothing;
    const std::optional<std::size_t> at = optional_column(name);
    return at ? text(*at) : nothing;
}

void csv_file::refuse_value(std::size_t column, const char* what, const std::string& expected) {
    refuse(column, "'" + shortened(text(column)) + "' is " + what + "; expected " + expected);
}

void csv_file::refuse_text(const std::string& name, const std::string& message) {
    refuse(column(name), "'" + shortened(text(column(name))) + "' " + message);
}

void csv_file::report(const std::string& column, const std::string& message) {
    if (++m_found > most_errors) {
        return;
    }
    m_errors.push_back({m_path, m_line_number, in_one_line(column),
                        in_one_line(message) + (m_found == most_errors ? " (the rest is not read)" : "")});
}

std::size_t widest_hex(const std::string& path, const std::string& column) {
    config_errors reported_later;
    csv_file file(path, reported_later, input_kind::stored);
    const std::size_t hex = file.column(column);
    std::size_t digits = 1;
    while (file.next()) {
        digits = std::max(digits, file.text(hex).size());
    }
    return std::min<std::size_t>(4 * digits, wide_tcam::most_key_bits);
}

}  // namespace weir::tb
