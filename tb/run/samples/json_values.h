// Values of JSON results: times, rounded numbers, names of tags.
//
//   json_ns(1500_ps);          // 1.5
//   with_decimals(0.123456);   // 0.1235
#pragma once

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tb/run/samples/fabric_totals.h"

namespace weir::tb {

using weir::to_text;

/// A time in nanoseconds: an integer where it is whole or longer than 1,000 s; else with its decimals.
nlohmann::ordered_json json_ns(pause_totals::wide_picoseconds time);
inline nlohmann::ordered_json json_ns(picoseconds time) {
    return json_ns(pause_totals::wide_picoseconds{time.count()});
}
/// With at most so many decimals.
inline double with_decimals(double value, int decimals = 4) {
    const double scale = std::pow(10, decimals);
    return std::round(value * scale) / scale;
}
/// The value if it is there, or null.
inline nlohmann::ordered_json if_there(bool is_there, const nlohmann::ordered_json& value) {
    return is_there ? value : nlohmann::ordered_json(nullptr);
}
/// As files have it: indented, with a line's end.
std::string to_text(const nlohmann::ordered_json& document);

/// The name of a tag, empty for what has none; the number of a tag that nobody has named.
inline std::string tag_name(const std::vector<std::string>& tags, std::uint8_t tag) {
    return tag < tags.size() ? tags[tag] : std::to_string(tag);
}

}  // namespace weir::tb
