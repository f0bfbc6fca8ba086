#include <algorithm>
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

const char* quantity_of(series_unit unit) {
    switch (unit) {
        case series_unit::bytes:
            return "bytes";
        case series_unit::rate:
            return "rate";
        case series_unit::percent:
            return "percent";
        case series_unit::count:
            break;
    }
    return "count";
}

/// Where counts change, and the last time.
ordered_json steps_of(const std::vector<double>& time_ns, const std::vector<double>& counts) {
    ordered_json x = ordered_json::array();
    ordered_json y = ordered_json::array();
    for (const std::size_t at : envelope(counts, most_points)) {
        if (y.empty() || counts[at] != y.back()) {
            x.push_back(page_number(time_ns[at]));
            y.push_back(page_number(counts[at]));
        }
    }
    x.push_back(page_number(time_ns.back()));
    return {{"x", std::move(x)}, {"y", std::move(y)}};
}

/// The foremost quantities; dashed in the same colours what stands beside them, which `beside` names; and their
/// capacities. What would flatten everything else is left out, as in pictures.
ordered_json lines_of(const std::vector<limited_series>& shown, const std::string& beside, bool are_counts) {
    const auto curve_of = [&](const limited_series& s) {
        return are_counts ? steps_of(s.time_ns, s.values) : line_of(s.time_ns, s.values);
    };
    ordered_json lines = ordered_json::array();
    std::size_t style = 0;
    double largest = 0;
    for (const limited_series& s : shown) {
        largest = std::max(largest, s.largest());
        lines.push_back(named(s.name, "style", style, curve_of(s)));
        limited_series limit{s.name, {}, {}, {}};
        for (std::size_t i = 0; i < s.limits.size(); ++i) {
            if (!std::isnan(s.limits[i])) {
                limit.time_ns.push_back(s.time_ns[i]);
                limit.values.push_back(s.limits[i]);
            }
        }
        if (!limit.values.empty() && is_near(limit.largest(), s.largest())) {
            lines.push_back(named(s.name + ", " + beside, "style", style + most_styles, curve_of(limit)));
        }
        ++style;
    }
    for (const auto& [bytes, place] : capacities_of(shown)) {
        if (is_near(bytes, largest)) {
            const std::vector<double>& time = shown[place].time_ns;
            lines.push_back(named("capacity " + size_text(bytes), "style", style++ + most_styles,
                                  line_of({time.front(), time.back()}, {bytes, bytes})));
        }
    }
    return lines;
}

}  // namespace

ordered_json series_charts(const std::vector<run_data>& runs) {
    ordered_json charts = ordered_json::array();
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto add = [&](const char* id, const char* section, const std::string& title,
                             const std::string& note, const char* what, series_unit unit,
                             const std::vector<limited_series>& all, const std::string& beside = {}) {
            const std::vector<limited_series> shown = foremost(all);
            if (!shown.empty()) {
                const std::string capacity = capacity_text(shown);
                const bool are_counts = unit == series_unit::count;
                charts.push_back(time_chart(
                    id + ("_" + std::to_string(i)), section,
                    title + (runs.size() > 1 ? ": " + runs[i].label : ""),
                    note + (capacity.empty() ? "" : "; " + capacity), are_counts ? "steps" : "lines",
                    {{"what", what}, {"quantity", quantity_of(unit)}}, lines_of(shown, beside, are_counts)));
            }
        };
        const char* const largest = "the four largest, averaged over stretches of time";
        const port_class_series& ports = runs[i].ports;
        add("port_memory_ingress", "occupancy", "Ports and classes, what thresholds count at ingress",
            "the four nearest to their thresholds", "Memory", series_unit::bytes, ports.ingress, "threshold");
        add("port_memory_egress", "occupancy", "Ports and classes, egress",
            "the four nearest to what they may hold", "Memory", series_unit::bytes, ports.egress, "limit");
        add("pool_memory", "occupancy", "Pools of shared memories",
            "the four nearest to their sizes; threshold: what one group of the pool may hold", "Memory",
            series_unit::bytes, runs[i].pools, "threshold");
        add("port_received", "occupancy", "Ports and classes, received", largest, "Rate", series_unit::rate,
            averaged(ports.received));
        add("port_sent", "occupancy", "Ports and classes, sent", largest, "Rate", series_unit::rate,
            averaged(ports.sent));
        add("port_announced", "pauses", "Ports and classes, XOFFs and XONs sent",
            "the four with most XOFFs, summed up", "Sent so far", series_unit::count, ports.announced, "XON");
        add("port_paused", "pauses", "Ports and classes, paused", largest, "Paused", series_unit::percent,
            averaged(ports.paused));
    }
    return charts;
}

}  // namespace weir::tb
