#include <cmath>
#include <string>
#include <utility>

#include "tb/plot/gnuplot.h"
#include "tb/plot/series_plot.h"
#include "tb/report/report_charts.h"
#include "tb/report/time_chart.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

/// The quantities that come nearest to their limits, and the limits, dashed in the same colours.
ordered_json lines_of(const std::vector<limited_series>& all) {
    ordered_json lines = ordered_json::array();
    std::size_t style = 0;
    for (const limited_series& s : foremost(all)) {
        lines.push_back(named(s.name, "style", style, line_of(s.time_ns, s.values)));
        limited_series limit{s.name, {}, {}, {}};
        for (std::size_t i = 0; i < s.limits.size(); ++i) {
            if (!std::isnan(s.limits[i])) {
                limit.time_ns.push_back(s.time_ns[i]);
                limit.values.push_back(s.limits[i]);
            }
        }
        // What would flatten everything else is left out, as in pictures.
        if (!limit.values.empty() && limit.largest() <= farthest_limit * s.largest()) {
            lines.push_back(
                named(s.name + ", limit", "style", style + most_styles, line_of(limit.time_ns, limit.values)));
        }
        ++style;
    }
    return lines;
}

std::vector<limited_series> smooth(const std::vector<limited_series>& all) {
    std::vector<limited_series> means;
    for (const limited_series& s : all) {
        means.push_back(averaged(s));
    }
    return means;
}

}  // namespace

ordered_json series_charts(const std::vector<run_data>& runs) {
    ordered_json charts = ordered_json::array();
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto add = [&](const char* id, const char* section, const std::string& title,
                             const std::string& note, const ordered_json& axis,
                             const std::vector<limited_series>& all) {
            ordered_json lines = lines_of(all);
            if (!lines.empty()) {
                charts.push_back(time_chart(id + ("_" + std::to_string(i)), section,
                                            title + (runs.size() > 1 ? ": " + runs[i].label : ""), note,
                                            "lines", axis, std::move(lines)));
            }
        };
        const ordered_json memory{{"what", "Memory"}, {"quantity", "bytes"}};
        const char* const nearest = "the four nearest to their limits; dashed: the limit";
        const port_class_series& ports = runs[i].ports;
        add("port_memory_ingress", "occupancy", "Ports and classes, what thresholds count at ingress", nearest,
            memory, ports.ingress);
        add("port_memory_egress", "occupancy", "Ports and classes, egress", nearest, memory, ports.egress);
        add("pool_memory", "occupancy", "Pools of shared memories", nearest, memory, runs[i].pools);
        add("port_throughput", "occupancy", "Ports and classes, throughput",
            "the four largest, averaged over stretches of time", {{"what", "Rate"}, {"quantity", "rate"}},
            smooth(ports.throughput));
        add("port_paused", "pauses", "Ports and classes, paused",
            "the four largest, averaged over stretches of time", {{"what", "Paused"}, {"quantity", "percent"}},
            smooth(ports.paused));
    }
    return charts;
}

}  // namespace weir::tb
