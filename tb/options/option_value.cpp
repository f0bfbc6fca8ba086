#include "tb/options/option_value.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace weir::tb {

std::string option_value::text() const {
    return joined(texts(), "; ");
}

std::string repeated_text::assign(const std::string& text) {
    auto read = detail::parse_text(text);
    if (read && text.empty()) {
        return "'' is empty; expected a text";
    }
    if (read) {
        m_field.push_back(std::move(read.value));
    }
    return read.error;
}

namespace detail {

namespace {

std::string quoted(std::string_view text) {
    return "'" + std::string(text) + "'";
}

}  // namespace

parse_result<std::uint64_t> parse_count(std::string_view text, std::uint64_t largest) {
    const char* allowed = "; expected a whole number without a unit";
    if (text.substr(0, 1) == "-") {
        return {0, quoted(text) + " is negative" + allowed};
    }
    std::uint64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code == std::errc::invalid_argument || end != text.data() + text.size()) {
        return {0, quoted(text) + " is not a whole number" + allowed};
    }
    if (code == std::errc::result_out_of_range || value > largest) {
        return {0, quoted(text) + " is too large; expected at most " + std::to_string(largest)};
    }
    return {value, {}};
}

bool is_too_large(std::string_view text, const std::function<bool(const std::string&)>& can_be_read) {
    constexpr const char* digits = "0123456789";
    const auto number_end = [&](std::string_view t) { return std::min(t.find_first_not_of(digits), t.size()); };
    std::string with_ones;
    std::string without_decimals;
    for (const std::string& part : split_list(text)) {
        std::string_view rest = part;
        const std::string_view whole = rest.substr(0, number_end(rest));
        rest.remove_prefix(whole.size());
        if (!whole.empty() && rest.substr(0, 1) == ".") {
            rest.remove_prefix(1 + number_end(rest.substr(1)));
        }
        std::string_view unit = rest;
        if (!whole.empty() && (rest.substr(0, 1) == "e" || rest.substr(0, 1) == "E")) {
            unit.remove_prefix(rest.substr(1, 1) == "-" || rest.substr(1, 1) == "+" ? 2 : 1);
            unit.remove_prefix(number_end(unit));
        }
        const char* const comma = with_ones.empty() ? "" : ", ";
        with_ones += comma + std::string(whole.empty() ? "" : "1") + std::string(unit);
        without_decimals += comma + std::string(whole) + std::string(rest);
    }
    return can_be_read(with_ones) && !can_be_read(without_decimals);
}

parse_result<bool> parse_bool(std::string_view text) {
    for (const char* yes : {"true", "on", "yes"}) {
        if (text == yes) {
            return {true, {}};
        }
    }
    for (const char* no : {"false", "off", "no"}) {
        if (text == no) {
            return {false, {}};
        }
    }
    return {false, quoted(text) + " is neither yes nor no; expected true, false, on, off, yes, no"};
}

parse_result<double> parse_number(std::string_view text) {
    double value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) {
        return {0, quoted(text) + " is not a number; expected a number without a unit"};
    }
    return {value, {}};
}

parse_result<double> parse_share(std::string_view text) {
    const bool percent = !text.empty() && text.back() == '%';
    const std::string_view number = percent ? trimmed(text.substr(0, text.size() - 1)) : text;
    // The hundredth is taken in decimal, so that a share is the double nearest to what was written.
    const std::string share = std::string(number) + (percent ? "e-2" : "");
    double value = 0;
    const auto [end, code] = std::from_chars(share.data(), share.data() + share.size(), value);
    if (number.empty() || code != std::errc{} || end != share.data() + share.size() || !std::isfinite(value)) {
        return {0, quoted(text) + " is not a share; expected a number with %, or a fraction such as 0.15"};
    }
    return {value, {}};
}

parse_result<std::string> parse_text(std::string_view text) {
    for (const char c : text) {
        if (c == '#') {
            return {{}, quoted(text) + " has '#', which starts a comment; expected a text without it"};
        }
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
            return {{}, "has a control character; expected a text without control characters"};
        }
    }
    if (!text.empty() && (text.front() == ' ' || text.back() == ' ')) {
        return {{}, quoted(text) + " begins or ends with blanks; expected a text without them"};
    }
    return {std::string(text), {}};
}

}  // namespace detail

}  // namespace weir::tb
