// Reads the PFC golden traces for the tests: rows of a CSV file as maps from column to text.
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "weir/protocol/pause_frame.h"

namespace weir::pfc_golden {

using row = std::map<std::string, std::string>;

/// Splits at commas outside double quotes.
inline std::vector<std::string> split(const std::string& line) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (const char c : line) {
        if (c == '"') {
            quoted = !quoted;
        } else if (c == ',' && !quoted) {
            fields.emplace_back();
        } else {
            fields.back() += c;
        }
    }
    return fields;
}

inline std::vector<row> read(const std::string& name) {
    std::ifstream file(std::string(WEIR_GOLDEN_DIR) + "/pfc/" + name);
    std::string line;
    if (!std::getline(file, line)) {
        throw std::runtime_error("no golden file " + name);
    }
    const std::vector<std::string> header = split(line);
    std::vector<row> rows;
    while (std::getline(file, line)) {
        const std::vector<std::string> fields = split(line);
        row r;
        for (std::size_t i = 0; i < header.size(); ++i) {
            r[header[i]] = fields.at(i);
        }
        rows.push_back(r);
    }
    return rows;
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
    std::vector<std::uint8_t> result;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        result.push_back(static_cast<std::uint8_t>(std::stoi(hex.substr(i, 2), nullptr, 16)));
    }
    return result;
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
