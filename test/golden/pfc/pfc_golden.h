// The PFC golden traces for the tests: rows as maps from column to text.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "golden/golden_rows.h"
#include "weir/protocol/pause_frame.h"

namespace weir::pfc_golden {

using namespace tb;

using row = golden::row;

inline std::vector<row> read(const std::string& name) {
    return golden::rows("pfc/" + name);
}

inline std::int64_t number(const std::string& text) {
    return std::stoll(text, nullptr, 0);
}

using scenario_key = std::pair<std::string, std::string>;

/// Rows by configuration and scenario, in the file's order.
inline std::map<scenario_key, std::vector<row>> by_scenario(const std::vector<row>& rows) {
    std::map<scenario_key, std::vector<row>> groups;
    for (const row& r : rows) {
        groups[{r.at("config"), r.at("scenario")}].push_back(r);
    }
    return groups;
}

inline std::vector<std::uint8_t> octets(const std::string& hex) {
    return parse_octets(hex).value();
}

/// A pause as the receive goldens list it. Unit of the times: clock cycles.
struct interval {
    unsigned frame_class;
    std::int64_t start;
    std::int64_t end;

    friend bool operator==(const interval& a, const interval& b) {
        return a.frame_class == b.frame_class && a.start == b.start && a.end == b.end;
    }
    friend bool operator<(const interval& a, const interval& b) {
        return a.start != b.start ? a.start < b.start : a.frame_class < b.frame_class;
    }
};

}  // namespace weir::pfc_golden
