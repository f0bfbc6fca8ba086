#include "tb/run/fields/option_value.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace weir::tb {

std::string option_value::text() const {
    return joined(texts(), "; ");
}

std::string repeated_text::assign(const std::string& text) {
    std::string added = text;
    std::string error = normalize(added);
    if (error.empty()) {
        m_field.push_back(std::move(added));
    }
    return error;
}

std::string repeated_text::normalize(std::string& text) const {
    return text.empty() ? "'' is empty; expected a text" : detail::parse_text(text).error;
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
    const char* const last = text.data() + text.size();
    auto [end, code] = std::from_chars(text.data(), last, value);
    auto exponent = weir::detail::find_exponent({end, static_cast<std::size_t>(last - end)});
    if (code == std::errc::invalid_argument || exponent.value < 0 || end + exponent.length != last) {
        return {0, quoted(text) + " is not a whole number" + allowed};
    }
    for (; exponent.value > 0 && value > 0 && code == std::errc{}; --exponent.value) {
        code = value > UINT64_MAX / 10 ? std::errc::result_out_of_range : code;
        value *= 10;
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
        const auto exponent =
            whole.empty() ? weir::detail::written_exponent{} : weir::detail::find_exponent(rest);
        const std::string_view unit = rest.substr(exponent.length);
        // A negative exponent makes a quantity smaller, as decimals do.
        const bool shrinks = exponent.value < 0 && !unit.empty();
        const char* const comma = with_ones.empty() ? "" : ", ";
        with_ones += comma + std::string(whole.empty() ? "" : "1") + std::string(unit);
        without_decimals += comma + std::string(whole) + std::string(shrinks ? unit : rest);
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

namespace {

/// All of the text, in decimal.
std::optional<double> read_decimal(std::string_view text) {
    double value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool read = !text.empty() && code == std::errc{} && end == text.data() + text.size();
    return read && std::isfinite(value) ? std::optional(value) : std::nullopt;
}
/// A number of hundredths. The hundredth is taken in decimal, so that a share is the double nearest to what was
/// written.
std::optional<double> read_percent(std::string_view text) {
    const std::size_t digits = std::min(text.find_first_of("eE"), text.size());
    const auto exponent = weir::detail::find_exponent(text.substr(digits));
    const bool is_whole = digits > 0 && digits + exponent.length == text.size();
    return is_whole
               ? read_decimal(std::string(text.substr(0, digits)) + "e" + std::to_string(exponent.value - 2))
               : std::nullopt;
}
/// A number in decimal, or a fraction: `1/8`.
std::optional<double> read_number(std::string_view text) {
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) {
        return read_decimal(text);
    }
    const auto above = read_decimal(trimmed(text.substr(0, slash)));
    const auto below = read_decimal(trimmed(text.substr(slash + 1)));
    return above && below && *below != 0 ? std::optional(*above / *below) : std::nullopt;
}

}  // namespace

parse_result<double> parse_number(std::string_view text) {
    const std::optional<double> value = read_number(text);
    return {
        value.value_or(0),
        value ? "" : quoted(text) + " is not a number; expected a number without a unit, such as 0.125 or 1/8"};
}

parse_result<double> parse_share(std::string_view text) {
    const bool has_unit = !text.empty() && text.back() == '%';
    const std::optional<double> value =
        has_unit ? read_percent(trimmed(text.substr(0, text.size() - 1))) : read_number(text);
    return {
        value.value_or(0),
        value ? "" : quoted(text) + " is not a share; expected a number with %, or a fraction such as 0.15"};
}

std::string share_in_percent(std::string_view text) {
    const bool has_unit = !text.empty() && text.back() == '%';
    return std::string(text) + (has_unit ? "" : "%");
}

std::string percent_advice(const std::string& percent) {
    return "; a number without % is a fraction of 1: write " + percent + " for percent";
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
