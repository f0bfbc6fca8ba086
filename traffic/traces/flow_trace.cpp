#include "weir/traffic/traces/flow_trace.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "weir/base/trimmed.h"
#include "weir/base/unit_text.h"
#include "weir/traffic/traces/flow_trace_csv.h"
#include "weir/traffic/traces/flow_trace_hpcc.h"
#include "weir/traffic/traces/flow_trace_htsim.h"

namespace weir::traffic {

namespace {

/// A comment starts at a '#' that begins the line or stands behind a blank, so that a name may contain one.
std::size_t start_of_comment(std::string_view text) {
    std::size_t at = text.find('#');
    while (at != std::string_view::npos && at != 0 && blanks.find(text[at - 1]) == std::string_view::npos) {
        at = text.find('#', at + 1);
    }
    return at;
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Exponents beyond this are too large or too small for any number that is wanted.
constexpr int largest_exponent = 1000;

/// The digits after an `e`, up to the end of the text.
bool parse_exponent(std::string_view text, int& exponent) {
    if (!text.empty() && text.front() == '+') {
        text.remove_prefix(1);
        if (!text.empty() && text.front() == '-') {
            return false;
        }
    }
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), exponent);
    if (status == std::errc::invalid_argument || end != text.data() + text.size()) {
        return false;
    }
    if (status == std::errc::result_out_of_range) {
        exponent = text.front() == '-' ? -largest_exponent : largest_exponent;
    }
    exponent = std::clamp(exponent, -largest_exponent, largest_exponent);
    return true;
}

const char* words_of(number_fault fault) {
    switch (fault) {
        case number_fault::none:
            return "is good";
        case number_fault::missing:
            return "is missing";
        case number_fault::not_a_number:
            return "is not a number";
        case number_fault::negative:
            return "is negative";
        case number_fault::not_whole:
            return "is not a whole number of the smallest unit";
        case number_fault::too_large:
            return "is too large";
    }
    return "is wrong";
}

}  // namespace

void error_log::add(config_error error) {
    if (++m_count <= most_kept) {
        m_kept.push_back(std::move(error));
    }
}

config_errors error_log::list() const {
    config_errors all = m_kept;
    if (m_count > most_kept) {
        all.push_back({m_kept.front().file, 0, "", "and " + std::to_string(m_count - most_kept) + " more"});
    }
    return all;
}

bool text_lines::next(std::string_view& line) {
    while (true) {
        m_in.getline(m_buffer.data(), static_cast<std::streamsize>(m_buffer.size()));
        auto length = static_cast<std::size_t>(m_in.gcount());
        if (m_in.bad() || (length == 0 && m_in.fail())) {
            m_unreadable = m_in.bad();
            return false;
        }
        m_number += m_number < std::numeric_limits<int>::max() ? 1 : 0;
        m_unterminated = m_in.eof();
        m_too_long = m_in.fail();
        if (m_too_long) {
            m_in.clear();
            m_in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
        } else if (!m_unterminated) {
            --length;  // the line feed
        }
        std::string_view text{m_buffer.data(), length};
        constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
        if (m_number == 1 && text.substr(0, byte_order_mark.size()) == byte_order_mark) {
            text.remove_prefix(byte_order_mark.size());
        }
        line = trimmed(text.substr(0, start_of_comment(text)));
        if (!line.empty()) {
            return true;
        }
    }
}

void split_at_blanks(std::string_view line, std::vector<std::string_view>& fields) {
    fields.clear();
    std::size_t at = line.find_first_not_of(blanks);
    while (at != std::string_view::npos) {
        const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
        fields.push_back(line.substr(at, end - at));
        at = line.find_first_not_of(blanks, end);
    }
}

void split_at_commas(std::string_view line, std::vector<std::string_view>& fields) {
    fields.clear();
    std::size_t at = 0;
    while (true) {
        const std::size_t comma = std::min(line.find(',', at), line.size());
        fields.push_back(trimmed(line.substr(at, comma - at)));
        if (comma == line.size()) {
            return;
        }
        at = comma + 1;
    }
}

number_fault parse_whole(std::string_view text, std::uint64_t largest, std::uint64_t& value) {
    if (text.empty()) {
        return number_fault::missing;
    }
    if (text.front() == '-') {
        std::uint64_t magnitude = 0;
        return parse_whole(text.substr(1), UINT64_MAX, magnitude) == number_fault::none
                   ? number_fault::negative
                   : number_fault::not_a_number;
    }
    std::uint64_t read = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), read);
    if (status == std::errc::invalid_argument || end != text.data() + text.size()) {
        return number_fault::not_a_number;
    }
    if (status == std::errc::result_out_of_range || read > largest) {
        return number_fault::too_large;
    }
    value = read;
    return number_fault::none;
}

number_fault parse_decimal(std::string_view text, int power, std::uint64_t largest, std::uint64_t& value) {
    if (text.empty()) {
        return number_fault::missing;
    }
    if (text.front() == '-') {
        std::uint64_t magnitude = 0;
        const number_fault fault = parse_decimal(text.substr(1), power, UINT64_MAX, magnitude);
        const bool number = fault != number_fault::not_a_number && fault != number_fault::missing;
        return number && text.size() > 1 && text[1] != '-' ? number_fault::negative
                                                           : number_fault::not_a_number;
    }
    // mantissa * 10^(zeros + exponent); zeros at the end wait until a further digit needs them.
    __extension__ using wide = unsigned __int128;
    constexpr wide most = wide{UINT64_MAX} * 1'000'000'000'000U;
    wide mantissa = 0;
    int zeros = 0;
    int exponent = power;
    bool any_digit = false;
    bool fraction = false;
    bool many_digits = false;
    std::size_t at = 0;
    for (; at < text.size() && (is_digit(text[at]) || (text[at] == '.' && !fraction)); ++at) {
        if (text[at] == '.') {
            fraction = true;
            continue;
        }
        any_digit = true;
        exponent -= fraction ? 1 : 0;
        ++zeros;
        if (text[at] != '0') {
            for (; zeros > 0; --zeros) {
                many_digits = many_digits || mantissa > most;
                mantissa = many_digits ? mantissa : mantissa * 10;
            }
            mantissa += static_cast<unsigned>(text[at] - '0');
        }
    }
    if (!any_digit) {
        return number_fault::not_a_number;
    }
    if (at < text.size()) {
        int written = 0;
        if ((text[at] != 'e' && text[at] != 'E') || !parse_exponent(text.substr(at + 1), written)) {
            return number_fault::not_a_number;
        }
        exponent += written;
    }
    if (mantissa == 0) {
        value = 0;
        return number_fault::none;
    }
    exponent += zeros;
    if (many_digits) {
        return exponent < 0 ? number_fault::not_whole : number_fault::too_large;
    }
    for (; exponent < 0 && mantissa % 10 == 0; ++exponent) {
        mantissa /= 10;
    }
    for (; exponent > 0 && mantissa <= largest; --exponent) {
        mantissa *= 10;
    }
    if (exponent < 0) {
        return number_fault::not_whole;
    }
    if (mantissa > largest) {
        return number_fault::too_large;
    }
    value = static_cast<std::uint64_t>(mantissa);
    return number_fault::none;
}

std::string in_quotes(std::string_view text) {
    constexpr std::size_t longest = 40;
    std::string shown{text.substr(0, longest)};
    for (char& c : shown) {
        c = static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? '?' : c;
    }
    return "'" + shown + (text.size() > longest ? "..." : "") + "'";
}

std::string describe(number_fault fault, std::string_view text, std::string_view allowed) {
    return (fault == number_fault::missing ? "" : in_quotes(text) + " ") + words_of(fault) + "; expected " +
           std::string(allowed);
}

bool trace_reader::next_line(std::string_view& line) {
    while (m_lines.next(line)) {
        if (!m_lines.too_long()) {
            return true;
        }
        error("line",
              "is longer than " + std::to_string(text_lines::longest) + " characters; expected one flow");
    }
    if (m_lines.unreadable()) {
        error("file", "cannot be read any further");
    }
    return false;
}

void trace_reader::error_at(int line, std::string_view key, std::string message) {
    m_errors.add({m_options.file, line, std::string(key), std::move(message)});
}

void trace_reader::warn_at(int line, std::string_view key, std::string message) {
    m_warnings.add({m_options.file, line, std::string(key), std::move(message)});
}

void trace_reader::warn_of_cut() {
    if (m_lines.unterminated()) {
        warn_at(m_lines.number(), "file",
                "ends without a line feed; if it was truncated, its last number may be incomplete");
    }
}

void trace_reader::missing_field(std::string_view key, std::size_t have, std::size_t want) {
    const std::string fields = std::to_string(have) + " of " + std::to_string(want) + " fields";
    error(key, m_lines.unterminated() ? "is missing: the file ends within this line, after " + fields
                                      : "is missing: the line has " + fields);
}

bool trace_reader::read_host(std::string_view key, std::string_view text, host_id& host) {
    constexpr host_id largest = std::numeric_limits<host_id>::max() - 1;
    const auto allowed = [&] {
        return "0 to " + std::to_string(m_options.hosts > 0 ? m_options.hosts - 1 : largest);
    };
    std::uint64_t value = 0;
    const number_fault fault = parse_whole(text, largest, value);
    if (fault != number_fault::none) {
        error(key, describe(fault, text, allowed()));
        return false;
    }
    if (m_options.hosts > 0 && value >= m_options.hosts) {
        error(key, in_quotes(text) + " is not a host of the fabric; expected " + allowed());
        return false;
    }
    host = static_cast<host_id>(value);
    return true;
}

bool trace_reader::read_destination(std::string_view key, std::string_view text, host_id src, bool src_ok,
                                    host_id& dst) {
    if (!read_host(key, text, dst)) {
        return false;
    }
    if (src_ok && src == dst) {
        error(key, in_quotes(text) + " is also the source; expected another host");
        return false;
    }
    return src_ok;
}

bool trace_reader::read_bytes(std::string_view key, std::string_view text, std::uint64_t& flow_bytes) {
    const auto allowed = [] { return "1 to " + std::to_string(largest_flow_bytes) + " B"; };
    const number_fault fault = parse_whole(text, largest_flow_bytes, flow_bytes);
    if (fault != number_fault::none) {
        error(key, describe(fault, text, allowed()));
        return false;
    }
    if (flow_bytes == 0) {
        error(key, in_quotes(text) + " is not a transfer; expected " + allowed());
        return false;
    }
    return true;
}

bool trace_reader::read_priority(std::string_view key, std::string_view text, pfc_class& priority) {
    std::uint64_t value = 0;
    const number_fault fault = parse_whole(text, pfc_classes - 1, value);
    if (fault != number_fault::none) {
        error(key, describe(fault, text, "0 to 7"));
        return false;
    }
    priority = static_cast<pfc_class>(value);
    return true;
}

bool trace_reader::read_start(std::string_view key, std::string_view text, int power, const char* unit,
                              picoseconds& start) {
    std::uint64_t value = 0;
    // A run ends with `longest_time`: what starts then never would.
    const number_fault fault =
        parse_decimal(text, power, static_cast<std::uint64_t>(longest_time.count()) - 1, value);
    if (fault != number_fault::none) {
        error(key, describe(fault, text,
                            std::string("a number of ") + unit + ", from 0 to below " + to_text(longest_time) +
                                " in steps of 1ps"));
        return false;
    }
    start = picoseconds{static_cast<std::int64_t>(value)};
    return true;
}

std::unique_ptr<trace_reader> make_trace_reader(trace_format format, std::istream& in, trace_options options,
                                                tag_table& tags) {
    switch (format) {
        case trace_format::csv:
            return std::make_unique<flow_trace_csv>(in, std::move(options), tags);
        case trace_format::hpcc:
            return std::make_unique<flow_trace_hpcc>(in, std::move(options));
        case trace_format::htsim:
            return std::make_unique<flow_trace_htsim>(in, std::move(options));
    }
    return nullptr;
}

trace_scan scan_trace(trace_reader& reader) {
    trace_scan scan;
    bool any_start = false;
    picoseconds last{0};
    for (trace_flow f; reader.next(f); ++scan.count) {
        scan.sorted = scan.sorted && f.start >= last;
        last = f.start;
        // Saturates: 65,536 of the largest flows would wrap.
        scan.total_bytes += std::min(f.flow_bytes, UINT64_MAX - scan.total_bytes);
        scan.max_host = std::max({scan.max_host, f.src, f.dst});
        if (const host_id larger = std::max(f.src, f.dst); larger < trace_scan::most_counted_hosts) {
            scan.of_hosts.resize(std::max(scan.of_hosts.size(), larger + std::size_t{1}));
            scan.of_hosts[f.src].sent += static_cast<double>(f.flow_bytes);
            scan.of_hosts[f.dst].received += static_cast<double>(f.flow_bytes);
        }
        scan.priorities = static_cast<class_mask>(scan.priorities | 1U << f.priority);
        if (f.trigger != no_trigger) {
            ++scan.triggered;
            continue;
        }
        scan.first_start = any_start ? std::min(scan.first_start, f.start) : f.start;
        scan.last_start = std::max(scan.last_start, f.start);
        any_start = true;
    }
    scan.triggers = reader.triggers();
    scan.errors = reader.errors();
    scan.warnings = reader.warnings();
    return scan;
}

}  // namespace weir::traffic
