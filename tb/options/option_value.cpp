#include "tb/options/option_value.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace weir::tb {

std::string option_value::text() const {
    return detail::join(texts(), "; ");
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

bool blank(char c) {
    return c == ' ' || c == '\t';
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
    std::string_view number = text.substr(0, text.size() - (percent ? 1 : 0));
    while (percent && !number.empty() && blank(number.back())) {
        number.remove_suffix(1);
    }
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

std::vector<std::string> split_list(std::string_view text) {
    std::vector<std::string> parts;
    std::string_view rest = text;
    bool more = text.find_first_not_of(" \t") != std::string_view::npos;
    while (more) {
        const std::size_t comma = rest.find(',');
        std::string_view part = rest.substr(0, comma);
        while (!part.empty() && blank(part.front())) {
            part.remove_prefix(1);
        }
        while (!part.empty() && blank(part.back())) {
            part.remove_suffix(1);
        }
        parts.emplace_back(part);
        more = comma != std::string_view::npos;
        rest = more ? rest.substr(comma + 1) : std::string_view{};
    }
    return parts;
}

std::string join(const std::vector<std::string>& parts, const char* separator) {
    std::string all;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        all += (i == 0 ? "" : separator) + parts[i];
    }
    return all;
}

}  // namespace detail

}  // namespace weir::tb
