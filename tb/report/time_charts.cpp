#include <algorithm>
#include <string>
#include <utility>

#include "tb/plot/time_charts.h"
#include "tb/report/report_charts.h"

namespace weir::tb {

namespace {

/// Of several runs a line each: at each time the fill of the port that was fullest then. All ports of a run
/// have the same times.
void add_fullest(std::vector<chart>& charts, const std::vector<run_data>& runs, const time_view& view) {
    const auto has_ports = [&](const run_data& run) { return !(run.*view.series).empty(); };
    chart& made = charts.emplace_back(
        over_time(view.id, view.section, view.title + (", " + std::string(view.part)),
                  with_runs_without("of the port that was fullest at the time", runs, has_ports),
                  {view.what, view.kind}));
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (has_ports(runs[i])) {
            time_series most = (runs[i].*view.series).front();
            for (const time_series& port : runs[i].*view.series) {
                std::transform(most.values.begin(), most.values.end(), port.values.begin(), most.values.begin(),
                               [](double a, double b) { return std::max(a, b); });
            }
            made.add(line_of(runs[i].label, most.time_ns, most.values), i, true);
        }
    }
}

/// Points of a line in the charts of single runs' ports, of which there are many.
constexpr std::size_t most_folded_points = 800;

/// The ports of several runs are folded away.
void add_occupancy(std::vector<chart>& charts, const std::vector<run_data>& runs) {
    const bool several = runs.size() > 1;
    const std::vector<std::vector<chart>> by_port =
        charts_over_time(occupancy_views, runs, several ? most_folded_points : most_points);
    for (std::size_t side = 0; side < occupancy_views.size(); ++side) {
        if (several) {
            add_fullest(charts, runs, occupancy_views[side]);
        }
        for (const std::vector<chart>& of_run : by_port) {
            if (!of_run.empty()) {
                charts.push_back(of_run[side]);
                charts.back().folded =
                    several ? "Ports of each run, " + std::string(occupancy_views[side].part) : "";
            }
        }
    }
}

}  // namespace

void add_time_charts(std::vector<chart>& charts, const std::vector<run_data>& runs) {
    add_occupancy(charts, runs);
    for (chart& tier : pause_charts(runs)) {
        if (tier.largest() > 0) {
            charts.push_back(std::move(tier));
        }
    }
    for (const std::vector<time_view>* const views : {&window_views, &rate_views, &port_memory_views,
                                                      &pool_views, &port_throughput_views, &port_pause_views}) {
        for (std::vector<chart>& of_run : charts_over_time(*views, runs)) {
            std::move(of_run.begin(), of_run.end(), std::back_inserter(charts));
        }
    }
}

}  // namespace weir::tb
