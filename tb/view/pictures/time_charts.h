// Charts of what runs do over time: occupancies, windows and rates of senders, ports and classes, pools,
// pauses. Pictures of `weir plot` (panel_plot.h) and reports draw the same charts.
//
//   const std::vector<std::vector<chart>> rows = charts_over_time(occupancy_views, runs);
//   rows[1][0];                        // ingress of the second run: "Buffer occupancy, ingress: detail"
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tb/support/text/joined.h"
#include "tb/view/chart/chart.h"
#include "tb/view/chart/gnuplot.h"
#include "tb/view/pictures/run_reader.h"
#include "tb/view/pictures/series_source.h"

namespace weir::tb {

/// How a curve is made of samples.
enum class sampling : std::uint8_t {
    levels,  ///< a point for each sample
    means,   ///< a point for each stretch of time: its mean
    counts,  ///< a step for each change of a number that only grows
    sums     ///< a step for each stretch of time: the sum of its samples, and in the legend that of all
};

/// Description of the charts of one list of series. A null text is that of the chart (run_charts.h).
struct time_view {
    series_source series;
    const char* id = nullptr;
    /// Section of the report.
    const char* section = "";
    const char* title = nullptr;
    /// Tells it from other views of the title: `ingress`. Empty: there is no other.
    const char* part = "";
    const char* note = nullptr;
    /// Its vertical axis.
    const char* what = "";
    axis_kind kind = axis_kind::count;
    sampling curves = sampling::levels;
    /// Name of what limits the series; it is drawn beside them.
    const char* limit = "";
    /// Series of a run that are drawn: those nearest to their limits, or else with the largest values.
    std::size_t most = 4;
    /// Without limits: those with the largest sums.
    bool is_by_sum = false;
};

/// Views of one list are drawn side by side.
extern const std::vector<time_view> occupancy_views;
extern const std::vector<time_view> window_views;
extern const std::vector<time_view> rate_views;
extern const std::vector<time_view> port_memory_views;
extern const std::vector<time_view> port_throughput_views;
extern const std::vector<time_view> port_pause_views;
extern const std::vector<time_view> pool_views;

/// The series of a run that a view shows, in the order of the table; of nothing but 0, none. Means and sums
/// have a value for each stretch of time; of sums `time_ns` has one more: the end of the last.
std::vector<time_series> shown_series(const time_view& view, const run_data& run);

/// A list for each run: a chart for each view, or nothing for a run without any of the series. A key has one
/// look in all charts if there are enough looks. Names of curves state capacities: `tor0.rx3 class 7 of 128
/// KiB`. Limits and capacities are left out where they would flatten the curves. `most`: points of a curve.
std::vector<std::vector<chart>> charts_over_time(const std::vector<time_view>& views,
                                                 const std::vector<run_data>& runs, std::size_t most = 2000);

/// A chart per tier: paused transmitters over time, with steps for each run that has samples of the tier. Where
/// every tier in which something was paused says how many transmitters it has, their share is shown. Names of
/// curves state the mean of all samples.
std::vector<chart> pause_charts(const std::vector<run_data>& runs);

/// Part that weighs no more than each share: a series for each run that has shares, a step for each value, from
/// 0 at the smallest. `what` and `weights` name the axes; the note says which runs have no samples.
chart share_chart(const char* id, const char* title, const char* what, const char* weights,
                  const std::vector<run_data>& runs, std::vector<weighted_share> run_data::*shares);

/// `NOTE; no samples: a, b`, with the labels of those runs for which has(run) is false; `note` where there are
/// none.
template <class Has>
std::string with_runs_without(const std::string& note, const std::vector<run_data>& runs, Has&& has) {
    std::vector<std::string> labels;
    for (const run_data& run : runs) {
        if (!has(run)) {
            labels.push_back(run.label);
        }
    }
    return labels.empty() ? note : note + (note.empty() ? "" : "; ") + "no samples: " + joined(labels, ", ");
}

/// A chart over time, zoomed together with the others.
chart over_time(std::string id, const char* section, std::string title, std::string note, chart_axis y);

/// Which of `values` to draw: all, or at most `most` of them, among them the smallest and the largest of
/// each stretch, so that no peak is lost. Ascending places from 0. Range: most >= 4.
std::vector<std::size_t> envelope(const std::vector<double>& values, std::size_t most = 2000);

/// A point for each of these samples, with gaps where samples are missing: a sender may begin and end during
/// the run.
chart_series line_of(const std::string& name, const std::vector<double>& time_ns,
                     const std::vector<double>& values, std::size_t most = 2000);

/// Steps over at most `most` stretches of equally many samples (of sums the last may have fewer): sums of
/// values, or means of values that are themselves means since the sample before. The first interval is as long
/// as the second; a sample at the start of a run ends none, and counts in sums alone.
chart_series stretches_of(const time_series& series, bool are_sums, std::size_t most = 250);

}  // namespace weir::tb
