// One chart over time, as report_charts.h has it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tb/plot/occupancy_plot.h"
#include "tb/report/report_numbers.h"

namespace weir::tb {

/// Of a line.
inline constexpr std::size_t most_points = 2000;

inline nlohmann::ordered_json time_chart(const std::string& id, const char* section, const std::string& title,
                                         const std::string& note, const char* kind, nlohmann::ordered_json y,
                                         nlohmann::ordered_json series) {
    return {{"id", id},
            {"section", section},
            {"title", title},
            {"note", note},
            {"kind", kind},
            {"group", "time"},
            {"x", {{"what", "Time"}, {"quantity", "time"}}},
            {"y", std::move(y)},
            {"series", std::move(series)}};
}

/// Both of one length; thinned so that peaks stay.
inline nlohmann::ordered_json line_of(const std::vector<double>& time_ns, const std::vector<double>& values,
                                      std::size_t most = most_points) {
    nlohmann::ordered_json x = nlohmann::ordered_json::array();
    nlohmann::ordered_json y = nlohmann::ordered_json::array();
    for (const std::size_t at : envelope(values, most)) {
        x.push_back(page_number(time_ns[at]));
        y.push_back(page_number(values[at]));
    }
    return {{"x", std::move(x)}, {"y", std::move(y)}};
}

/// A curve with its name, and under `key` the number of its run, or of its look.
inline nlohmann::ordered_json named(const std::string& name, const char* key, std::size_t number,
                                    nlohmann::ordered_json curve) {
    nlohmann::ordered_json series{{"name", name}, {key, number}};
    series.update(curve);
    return series;
}

}  // namespace weir::tb
