// Numbers of curves as a page has them: seven digits, which is more than a screen can show.
#pragma once

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "tb/plot/gnuplot.h"

namespace weir::tb {

/// Whole numbers without a point: `8192`, `0.1234568`.
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

}  // namespace weir::tb
