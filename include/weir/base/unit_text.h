// Quantities as text with units, read and written: `128KiB`, `10Gbps`, `1.6us`, `15%`.
//
// KiB, MiB, GiB are powers of two, KB, MB, GB powers of ten. A bare number is refused, except 0 where it
// means the same in every unit. Decimal fractions and exponents are exact: `1.6us` and `1.6e-6s` are 1,600,000
// ps. A value that is no whole number of the smallest unit is refused rather than rounded.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "weir/base/time.h"
#include "weir/base/units.h"

namespace weir {

/// A value, or the reason why there is none.
template <class T>
struct parse_result {
    T value{};
    /// Empty where the text was read; else what is wrong and what is expected.
    std::string error;
    explicit operator bool() const { return error.empty(); }
};

namespace detail {

struct unit_scale {
    std::string_view suffix;
    std::int64_t scale;
};

/// An exponent that stands at the beginning of a text: `e-6`.
struct written_exponent {
    /// Clamped to +-1,000, which is beyond every value that fits.
    int value = 0;
    /// Number of characters, from the `e` on. 0: there is no exponent, because no digit follows the `e` or its
    /// sign.
    std::size_t length = 0;
};

inline written_exponent find_exponent(std::string_view text) {
    if (text.empty() || (text[0] != 'e' && text[0] != 'E')) {
        return {};
    }
    const bool signed_one = text.size() > 1 && (text[1] == '-' || text[1] == '+');
    const std::size_t first = signed_one ? 2 : 1;
    written_exponent read;
    std::size_t at = first;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
        read.value = std::min(read.value * 10 + (text[at] - '0'), 1000);
    }
    if (at == first) {
        return {};
    }
    read.value = text[1] == '-' ? -read.value : read.value;
    read.length = at;
    return read;
}

/// Reads `text` as a non-negative decimal number, with or without an exponent, times one of `units`.
template <std::size_t Count>
parse_result<std::int64_t> parse_scaled(std::string_view text, const unit_scale (&units)[Count],
                                        const char* allowed) {
    __extension__ using wide = __int128;
    const auto fail = [&](const char* what) {
        return parse_result<std::int64_t>{0, "'" + std::string(text) + "' " + what + "; expected " + allowed};
    };
    // In whole ones of the largest unit.
    const auto too_large = [&] {
        auto read = fail("is too large");
        const unit_scale& largest =
            *std::max_element(std::begin(units), std::end(units),
                              [](const unit_scale& a, const unit_scale& b) { return a.scale < b.scale; });
        read.error += ", at most " + std::to_string(INT64_MAX / largest.scale) + std::string(largest.suffix);
        return read;
    };
    constexpr wide most{1'000'000'000'000'000'000};
    std::size_t at = 0;
    wide number = 0;
    wide divisor = 1;
    bool any_digit = false;
    bool fraction = false;
    bool huge = false;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '.' && !fraction) {
            fraction = true;
        } else if (c >= '0' && c <= '9') {
            any_digit = true;
            huge = huge || (number > most && !fraction);
            if (huge) {
                continue;
            }
            if (number > most || divisor > most) {
                return fail("has too many digits");
            }
            number = number * 10 + (c - '0');
            divisor *= fraction ? 10 : 1;
        } else {
            break;
        }
    }
    if (!any_digit) {
        return fail(text.substr(0, 1) == "-" ? "is negative" : "is not a number with a unit");
    }
    written_exponent exponent = find_exponent(text.substr(at));
    at += exponent.length;
    if (huge && exponent.value < 0) {
        return fail("has too many digits");
    }
    for (; exponent.value > 0 && number > 0 && !huge; --exponent.value) {
        if (divisor > 1) {
            divisor /= 10;
        } else {
            huge = number > most;
            number *= 10;
        }
    }
    // A divisor above every numerator leaves a remainder, however much larger it is.
    for (constexpr wide above_all = most * most; exponent.value < 0 && divisor < above_all; ++exponent.value) {
        divisor *= 10;
    }
    while (at < text.size() && text[at] == ' ') {
        ++at;
    }
    const std::string_view suffix = text.substr(at);
    if (suffix.empty()) {
        return number == 0 ? parse_result<std::int64_t>{0, {}} : fail("has no unit");
    }
    for (const unit_scale& unit : units) {
        if (unit.suffix == suffix) {
            const wide scaled = number * unit.scale;
            if (huge || scaled / divisor > wide{INT64_MAX}) {
                return too_large();
            }
            if (scaled % divisor != 0) {
                return fail("is not a whole number of the smallest unit");
            }
            return {static_cast<std::int64_t>(scaled / divisor), {}};
        }
    }
    return fail("has an unknown unit");
}

inline constexpr unit_scale byte_units[] = {{"GiB", std::int64_t{1} << 30},
                                            {"GB", 1'000'000'000},
                                            {"MiB", 1 << 20},
                                            {"MB", 1'000'000},
                                            {"KiB", 1 << 10},
                                            {"KB", 1'000},
                                            {"B", 1}};
inline constexpr unit_scale time_units[] = {
    {"s", 1'000'000'000'000}, {"ms", 1'000'000'000}, {"us", 1'000'000}, {"ns", 1'000}, {"ps", 1}};
inline constexpr unit_scale rate_units[] = {
    {"Tbps", 1'000'000'000'000}, {"Gbps", 1'000'000'000}, {"Mbps", 1'000'000}, {"kbps", 1'000}, {"bps", 1}};

/// The shortest exact text: the first unit in which `count` needs at most three decimals (none, where
/// `decimals` is false), or the smallest.
template <std::size_t Count>
std::string format_scaled(std::int64_t count, const unit_scale (&units)[Count], bool decimals) {
    for (const unit_scale& unit : units) {
        if (count == 0 && unit.scale != 1) {
            continue;
        }
        if (count >= unit.scale && count % unit.scale == 0) {
            return std::to_string(count / unit.scale) + std::string(unit.suffix);
        }
        __extension__ using wide = __int128;
        const wide thousandths = static_cast<wide>(count) * 1000;
        if (decimals && count >= unit.scale && unit.scale >= 1000 && unit.scale % 1000 == 0 &&
            thousandths % unit.scale == 0) {
            const auto value = static_cast<std::int64_t>(thousandths / unit.scale);
            std::string fraction = std::to_string(1000 + value % 1000).substr(1);
            fraction.erase(fraction.find_last_not_of('0') + 1);
            return std::to_string(value / 1000) + "." + fraction + std::string(unit.suffix);
        }
    }
    return std::to_string(count) + std::string(units[Count - 1].suffix);
}

}  // namespace detail

inline parse_result<bytes> parse_bytes(std::string_view text) {
    const auto read =
        detail::parse_scaled(text, detail::byte_units, "a number with B, KB, MB, GB, KiB, MiB or GiB");
    return {bytes{read.value}, read.error};
}
inline parse_result<picoseconds> parse_time(std::string_view text) {
    const auto read = detail::parse_scaled(text, detail::time_units, "a number with ps, ns, us, ms or s");
    return {picoseconds{read.value}, read.error};
}
inline parse_result<bit_rate> parse_rate(std::string_view text) {
    const auto read =
        detail::parse_scaled(text, detail::rate_units, "a number with bps, kbps, Mbps, Gbps or Tbps");
    return {bit_rate{read.value}, read.error};
}

inline std::string to_text(bytes value) {
    return detail::format_scaled(value.count(), detail::byte_units, false);
}
inline std::string to_text(picoseconds value) {
    return detail::format_scaled(value.count(), detail::time_units, true);
}
inline std::string to_text(bit_rate value) {
    return detail::format_scaled(value.count(), detail::rate_units, true);
}

}  // namespace weir
