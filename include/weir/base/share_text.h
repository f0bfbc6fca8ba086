// A share as text: `15%`.
#pragma once

#include <charconv>
#include <cstddef>
#include <string>

namespace weir {

/// With a percent sign; exact: reading it back, with the hundredth taken in decimal, gives the same double.
inline std::string share_text(double value) {
    if (value == 0) {
        return "0%";
    }
    char text[64];
    const auto [end, code] = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific);
    if (code != std::errc{}) {
        return "?";
    }
    // d.ddde+xx: shift the point by two places, in decimal.
    std::string digits;
    std::string sign;
    int exponent = 0;
    for (const char* at = text; at != end; ++at) {
        if (*at == 'e') {
            const char* from = at[1] == '+' ? at + 2 : at + 1;
            std::from_chars(from, end, exponent);
            break;
        }
        if (*at == '-') {
            sign = "-";
        } else if (*at != '.') {
            digits += *at;
        }
    }
    const int point = exponent + 3;  // digits before the point
    if (point <= 0) {
        digits = "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
    } else if (static_cast<std::size_t>(point) < digits.size()) {
        digits.insert(static_cast<std::size_t>(point), ".");
    } else {
        digits.append(static_cast<std::size_t>(point) - digits.size(), '0');
    }
    return sign + digits + "%";
}

}  // namespace weir
