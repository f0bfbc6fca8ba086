// Charts of runs, by name. `weir plot` draws each as a picture, and `weir report` has it on its page. A chart
// is described once: in the list of run_charts.cpp, or in a plugin.
//
//   charts().add(chart_over_time("obeyed", "XOFFs that ports obeyed", "the four ports with most",
//                                {column_view({"port_series.csv", {"node", "port"}, "xoff_received"}, "pauses",
//                                             "XOFFs", axis_kind::count, sampling::sums)}));
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tb/view/chart/chart.h"
#include "tb/view/chart/gnuplot.h"
#include "tb/view/pictures/run_reader.h"
#include "tb/view/pictures/time_charts.h"
#include "weir/base/registry.h"

namespace weir::tb {

/// Panels row by row.
using chart_rows = std::vector<std::vector<chart>>;

/// The runs that a chart shows side by side.
struct charted_runs {
    const std::vector<run_data>& runs;
    /// True for the page of `weir report`, which has room for more charts than a picture.
    bool is_page = false;
    /// Second line of the picture. A chart adds what it leaves out.
    std::string details = {};
};

enum class run_chart : std::uint16_t {};

struct run_chart_traits {
    /// A few words on what is shown, for the second line of the picture and for the page.
    std::string details;
    /// File of a run without which it is not in the chart, for help and docs.
    std::string needs;
    /// Makes the charts; empty if no run has anything to show. Null: there is a picture only.
    std::function<chart_rows(charted_runs&)> make;
    /// Reads what `run_data` does not have; mistakes go to the run's errors. Null: it has everything.
    std::function<void(run_data&)> read = nullptr;
    /// Why there is nothing to show, for a note. Empty: there is no note.
    std::string why_not = {};
    /// True if the run was asked for what the chart shows. There is no note if no run was. Null: every run was.
    std::function<bool(const run_data&)> is_asked = nullptr;
    /// Draws a picture that is more than its charts.
    std::optional<picture> (*draw)(const picture_head& head, const std::vector<run_data>& runs) = nullptr;
    bool shows_first_run = false;
};

/// In the order of pictures. Names are those of pictures, docs are their titles.
registry<run_chart, run_chart_traits>& charts();
using run_chart_entry = registry<run_chart, run_chart_traits>::entry;

/// View of columns for `chart_over_time`: the four series with the largest sums, or largest values of `levels`.
/// `section`: part of the report's page. `what`: name of the vertical axis.
time_view column_view(table_columns from, const char* section, const char* what, axis_kind kind,
                      sampling curves);
/// Entry of `charts` for a chart over time: a row for each run, and a panel in it for each view. The arguments
/// live as long as the program. `needs`: null for views of columns, which name their file.
run_chart_entry chart_over_time(const char* name, const char* title, const char* details,
                                std::vector<time_view> views, const char* needs = nullptr);

/// The charts of all entries for a page. A chart without an id, a title or a note has those of its entry.
std::vector<chart> page_charts(const std::vector<run_data>& runs);

/// Lines and steps are panels with a legend each; other charts have one legend. Returns nothing if no chart has
/// a point.
std::optional<picture> picture_of(const picture_head& head, const chart_rows& rows);

}  // namespace weir::tb
