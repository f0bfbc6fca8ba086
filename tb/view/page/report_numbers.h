// Numbers and times as a page has them.
#pragma once

#include <cctype>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "tb/view/chart/gnuplot.h"

namespace weir::tb {

/// Of curves: seven digits, which is more than a screen can show. Whole numbers without a point: `8192`,
/// `0.1234568`.
inline nlohmann::ordered_json page_number(double value) {
    const std::string text = number_text(value);
    double rounded = 0;
    std::from_chars(text.data(), text.data() + text.size(), rounded);
    constexpr double exact = 9007199254740992;  // 2^53
    if (std::fabs(rounded) < exact && rounded == std::floor(rounded)) {
        return static_cast<std::int64_t>(rounded);
    }
    return rounded;
}

/// A text with times in the unit of charts: `12.000 µs`.
inline std::string page_text(std::string text) {
    const std::string ascii = " us";
    for (std::size_t at = text.find(ascii); at != std::string::npos; at = text.find(ascii, at + 1)) {
        const std::size_t end = at + ascii.size();
        if (at > 0 && std::isdigit(text[at - 1]) != 0 && (end == text.size() || std::isalpha(text[end]) == 0)) {
            text.replace(at, ascii.size(), " µs");
        }
    }
    return text;
}

}  // namespace weir::tb
