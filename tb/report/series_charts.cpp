#include <algorithm>
#include <cmath>
#include <string>

#include "tb/plot/occupancy_plot.h"
#include "tb/plot/series_plot.h"
#include "tb/report/report_charts.h"

namespace weir::tb {

namespace {

/// Where counts change, and the last time.
chart_series steps_of(const std::string& name, const std::vector<double>& time_ns,
                      const std::vector<double>& counts) {
    chart_series steps{name};
    for (const std::size_t at : envelope(counts, most_points)) {
        if (steps.y.empty() || counts[at] != steps.y.back()) {
            steps.add(time_ns[at], counts[at]);
        }
    }
    steps.x.push_back(time_ns.back());
    return steps;
}

/// Adds the foremost quantities; dashed in the same colours what stands beside them, which `beside` names; and
/// their capacities. What would flatten everything else is left out, as in pictures.
void add_lines(chart& to, const std::vector<limited_series>& shown, const std::string& beside) {
    const auto curve_of = [&](const std::string& name, const limited_series& s) {
        return to.kind == chart_kind::steps ? steps_of(name, s.time_ns, s.values)
                                            : line_of(name, s.time_ns, s.values);
    };
    std::size_t style = 0;
    double largest = 0;
    for (const limited_series& s : shown) {
        largest = std::max(largest, s.largest());
        to.add(curve_of(s.name, s), style);
        limited_series limit{s.name, {}, {}, {}};
        for (std::size_t i = 0; i < s.limits.size(); ++i) {
            if (!std::isnan(s.limits[i])) {
                limit.time_ns.push_back(s.time_ns[i]);
                limit.values.push_back(s.limits[i]);
            }
        }
        if (!limit.values.empty() && is_near(limit.largest(), s.largest())) {
            to.add(curve_of(s.name + ", " + beside, limit), style + most_styles);
        }
        ++style;
    }
    for (const auto& [bytes, place] : capacities_of(shown)) {
        if (is_near(bytes, largest)) {
            const std::vector<double>& time = shown[place].time_ns;
            to.add(line_of("capacity " + size_text(bytes), {time.front(), time.back()}, {bytes, bytes}),
                   style++ + most_styles);
        }
    }
}

}  // namespace

void add_series_charts(std::vector<chart>& charts, const std::vector<run_data>& runs) {
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto add = [&](const char* id, const char* section, const std::string& title,
                             const std::string& note, const char* what, const series_source& source,
                             const std::string& beside = {}) {
            const std::vector<limited_series> shown = source.foremost_of(runs[i]);
            const std::string capacity = capacity_text(shown);
            chart& made = charts.emplace_back(over_time(
                id + ("_" + std::to_string(i)), section, title + (runs.size() > 1 ? ": " + runs[i].label : ""),
                note + (capacity.empty() ? "" : "; " + capacity), {what, source.column.kind}));
            made.kind = source.column.kind == axis_kind::count ? chart_kind::steps : chart_kind::lines;
            add_lines(made, shown, beside);
        };
        const char* const largest = "the four largest, averaged over stretches of time";
        add("port_memory_ingress", "occupancy", "Ports and classes, what thresholds count at ingress",
            "the four nearest to their thresholds", "Memory", port_ingress, "threshold");
        add("port_memory_egress", "occupancy", "Ports and classes, egress",
            "the four nearest to what they may hold", "Memory", port_egress, "limit");
        add("pool_memory", "occupancy", "Pools of shared memories",
            "the four nearest to their sizes; threshold: what one group of the pool may hold", "Memory",
            pool_memory, "threshold");
        add("port_received", "occupancy", "Ports and classes, received", largest, "Rate", port_received);
        add("port_sent", "occupancy", "Ports and classes, sent", largest, "Rate", port_sent);
        add("port_announced", "pauses", "Ports and classes, XOFFs and XONs sent",
            "the four with most XOFFs, summed up", "Sent so far", port_announced, "XON");
        add("port_paused", "pauses", "Ports and classes, paused", largest, "Paused", port_paused);
    }
}

}  // namespace weir::tb
