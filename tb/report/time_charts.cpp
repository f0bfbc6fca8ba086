#include <algorithm>
#include <string>
#include <utility>

#include "tb/plot/occupancy_plot.h"
#include "tb/plot/pause_plot.h"
#include "tb/plot/runs_without.h"
#include "tb/plot/sender_plot.h"
#include "tb/report/report_charts.h"
#include "tb/report/report_numbers.h"
#include "tb/report/time_chart.h"
#include "tb/text/port_text.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

/// At each time the fill of the port that was fullest then. All ports of a run have the same times.
fill_series fullest(const std::vector<fill_series>& ports) {
    fill_series most = ports.front();
    for (const fill_series& port : ports) {
        for (std::size_t i = 0; i < most.occupancy_bytes.size(); ++i) {
            most.occupancy_bytes[i] = std::max(most.occupancy_bytes[i], port.occupancy_bytes[i]);
        }
    }
    return most;
}

/// Of a line in the charts of single runs' ports, of which there are many.
constexpr std::size_t most_folded_points = 800;

const ordered_json occupancy_axis{{"what", "Occupancy"}, {"quantity", "bytes"}};

/// Several runs: a line each; the ports of each of them are folded away.
void add_occupancy(ordered_json& charts, const std::vector<run_data>& runs, port_side side,
                   std::vector<fill_series> run_data::*ports, const std::vector<std::string>& shown) {
    const std::string side_name = name_of(side);
    const std::string id = "occupancy_" + side_name;
    const std::string title = "Buffer occupancy, " + side_name;
    const bool several = runs.size() > 1;
    const bool same_looks = shown.size() <= 2 * most_styles;
    ordered_json overview = ordered_json::array();
    ordered_json by_port = ordered_json::array();
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if ((runs[i].*ports).empty()) {
            continue;
        }
        if (several) {
            const fill_series most = fullest(runs[i].*ports);
            overview.push_back(named(runs[i].label, "run", i, line_of(most.time_ns, most.occupancy_bytes)));
        }
        ordered_json lines = ordered_json::array();
        for (const fill_series* port : busiest(runs[i].*ports, most_ports)) {
            const auto place = std::find(shown.begin(), shown.end(), port_key(*port)) - shown.begin();
            lines.push_back(named(
                port_text(port->node, side, port->port), "style",
                same_looks ? static_cast<std::size_t>(place) : lines.size(),
                line_of(port->time_ns, port->occupancy_bytes, several ? most_folded_points : most_points)));
        }
        ordered_json chart =
            time_chart(id + (several ? "_" + std::to_string(i) : ""), "occupancy",
                       title + (several ? ": " + runs[i].label : ""),
                       std::string("the ports with the largest mean (rx: ingress, tx: egress)") +
                           (same_looks ? "; a port looks the same in all charts" : ""),
                       "lines", occupancy_axis, std::move(lines));
        if (several) {
            chart["folded"] = "Ports of each run, " + side_name;
        }
        by_port.push_back(std::move(chart));
    }
    if (!overview.empty()) {
        charts.push_back(
            time_chart(id, "occupancy", title,
                       with_runs_without("of the port that was fullest at the time", "no samples", runs,
                                         [&](const run_data& run) { return !(run.*ports).empty(); }),
                       "lines", occupancy_axis, std::move(overview)));
    }
    charts.insert(charts.end(), by_port.begin(), by_port.end());
}

void add_pauses(ordered_json& charts, const std::vector<run_data>& runs) {
    const bool counted = transmitters_are_counted(runs);
    for (const std::string& tier : pause_tiers(runs)) {
        ordered_json series = ordered_json::array();
        bool any = false;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            const pause_series* const found = find_tier(runs[i], tier);
            if (found == nullptr) {
                continue;
            }
            const pause_curve curve = paused_over_time(*found);
            ordered_json x = ordered_json::array();
            ordered_json y = ordered_json::array();
            for (const double edge : curve.edge_ns) {
                x.push_back(page_number(edge));
            }
            for (const double paused : curve.paused) {
                y.push_back(page_number(pause_scale(*found, counted) * paused));
                any = any || paused > 0;
            }
            series.push_back({{"name", runs[i].label}, {"run", i}, {"x", x}, {"y", y}});
        }
        if (any) {
            charts.push_back(time_chart(
                "pauses_" + tier, "pauses", "Transmitters paused by flow control: " + tier_name(tier),
                with_runs_without("a transmitter is one class of one port", "no samples", runs,
                                  [&](const run_data& run) { return find_tier(run, tier) != nullptr; }),
                "steps",
                counted ? ordered_json{{"what", "Paused"}, {"quantity", "percent"}}
                        : ordered_json{{"what", "Paused transmitters"}, {"quantity", "count"}},
                std::move(series)));
        }
    }
}

void add_senders(ordered_json& charts, const std::vector<run_data>& runs, const char* id, const char* title,
                 const ordered_json& axis, std::vector<sender_series> run_data::*senders) {
    for (std::size_t i = 0; i < runs.size(); ++i) {
        ordered_json series = ordered_json::array();
        for (const sender_series* sender : largest_senders(runs[i].*senders)) {
            ordered_json x = ordered_json::array();
            ordered_json y = ordered_json::array();
            for (const sender_sample& each : shown_samples(*sender)) {
                if (each.after_gap) {
                    x.push_back(nullptr);
                    y.push_back(nullptr);
                }
                x.push_back(page_number(sender->time_ns[each.at]));
                y.push_back(page_number(sender->values[each.at]));
            }
            series.push_back({{"name", sender->name}, {"style", series.size()}, {"x", x}, {"y", y}});
        }
        if (!series.empty()) {
            charts.push_back(time_chart(id + ("_" + std::to_string(i)), "senders",
                                        title + (runs.size() > 1 ? ": " + runs[i].label : ""),
                                        "numbers of hosts: from > to; those with the largest sums", "lines",
                                        axis, std::move(series)));
        }
    }
}

}  // namespace

ordered_json time_charts(const std::vector<run_data>& runs) {
    ordered_json charts = ordered_json::array();
    const std::vector<std::string> shown = shown_ports(runs, most_ports);
    add_occupancy(charts, runs, port_side::ingress, &run_data::ingress, shown);
    add_occupancy(charts, runs, port_side::egress, &run_data::egress, shown);
    add_pauses(charts, runs);
    add_senders(charts, runs, "windows", "Congestion windows", {{"what", "Window"}, {"quantity", "bytes"}},
                &run_data::windows);
    add_senders(charts, runs, "rates", "Rates of senders", {{"what", "Rate"}, {"quantity", "rate"}},
                &run_data::rates);
    return charts;
}

}  // namespace weir::tb
