#include <algorithm>
#include <string>
#include <utility>

#include "tb/plot/occupancy_plot.h"
#include "tb/plot/pause_plot.h"
#include "tb/plot/runs_without.h"
#include "tb/plot/sender_plot.h"
#include "tb/report/report_charts.h"
#include "tb/text/port_text.h"

namespace weir::tb {

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

/// Points of a line in the charts of single runs' ports, of which there are many.
constexpr std::size_t most_folded_points = 800;

/// Several runs: a line each; the ports of each of them are folded away.
void add_occupancy(std::vector<chart>& charts, const std::vector<run_data>& runs, port_side side,
                   std::vector<fill_series> run_data::*ports, const std::vector<std::string>& shown) {
    const std::string side_name = name_of(side);
    const bool several = runs.size() > 1;
    const bool same_looks = shown.size() <= most_curves;
    const chart frame =
        over_time("occupancy_" + side_name, "occupancy", "Buffer occupancy, " + side_name,
                  with_runs_without("of the port that was fullest at the time", "no samples", runs,
                                    [&](const run_data& run) { return !(run.*ports).empty(); }),
                  {"Occupancy", axis_kind::bytes});
    const std::size_t overview = charts.size();
    if (several) {
        charts.push_back(frame);
    }
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if ((runs[i].*ports).empty()) {
            continue;
        }
        chart by_port = frame;
        by_port.note = std::string("the ports with the largest mean (rx: ingress, tx: egress)") +
                       (same_looks ? "; a port looks the same in all charts" : "");
        if (several) {
            const fill_series most = fullest(runs[i].*ports);
            charts[overview].add(line_of(runs[i].label, most.time_ns, most.occupancy_bytes), i, true);
            by_port.id += "_" + std::to_string(i);
            by_port.title += ": " + runs[i].label;
            by_port.folded = "Ports of each run, " + side_name;
        }
        for (const fill_series* port : busiest(runs[i].*ports, most_ports)) {
            const auto place = std::find(shown.begin(), shown.end(), port_key(*port)) - shown.begin();
            by_port.add(fill_line(*port, side, several ? most_folded_points : most_points),
                        same_looks ? static_cast<std::size_t>(place) : by_port.series.size());
        }
        charts.push_back(std::move(by_port));
    }
}

void add_pauses(std::vector<chart>& charts, const std::vector<run_data>& runs) {
    for (const chart& tier : pause_charts(runs)) {
        if (tier.largest() > 0) {
            chart& made = charts.emplace_back(over_time(
                tier.id, "pauses", "Transmitters paused by flow control: " + tier.title, tier.note, tier.y));
            made.kind = tier.kind;
            made.series = tier.series;
        }
    }
}

void add_senders(std::vector<chart>& charts, const std::vector<run_data>& runs, const char* id,
                 const char* title, const chart_axis& axis, std::vector<sender_series> run_data::*senders) {
    for (std::size_t i = 0; i < runs.size(); ++i) {
        chart& made = charts.emplace_back(over_time(
            id + ("_" + std::to_string(i)), "senders", title + (runs.size() > 1 ? ": " + runs[i].label : ""),
            "numbers of hosts: from > to; those with the largest sums", axis));
        for (const sender_series* sender : largest_senders(runs[i].*senders)) {
            made.add(sender_line(*sender), made.series.size());
        }
    }
}

}  // namespace

chart over_time(std::string id, const char* section, std::string title, std::string note, chart_axis y) {
    chart made{std::move(id), section, std::move(title), std::move(note)};
    made.x = {"Time", axis_kind::time};
    made.y = std::move(y);
    made.is_over_time = true;
    return made;
}

void add_time_charts(std::vector<chart>& charts, const std::vector<run_data>& runs) {
    const std::vector<std::string> shown = shown_ports(runs, most_ports);
    add_occupancy(charts, runs, port_side::ingress, &run_data::ingress, shown);
    add_occupancy(charts, runs, port_side::egress, &run_data::egress, shown);
    add_pauses(charts, runs);
    add_senders(charts, runs, "windows", "Congestion windows", window_axis, &run_data::windows);
    add_senders(charts, runs, "rates", "Rates of senders", rate_axis, &run_data::rates);
}

}  // namespace weir::tb
