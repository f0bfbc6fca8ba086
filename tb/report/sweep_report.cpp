#include "tb/report/sweep_report.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "tb/files/input_file.h"
#include "tb/report/report_charts.h"
#include "tb/report/report_numbers.h"
#include "tb/report/report_tables.h"
#include "tb/results/failed_run.h"
#include "tb/sweep/mean_curves.h"
#include "tb/sweep/metric_title.h"
#include "tb/sweep/sweep_plan.h"
#include "tb/sweep/sweep_plot.h"
#include "tb/sweep/swept_axis.h"
#include "tb/table/sweep_table.h"
#include "tb/text/joined.h"
#include "weir/base/how_many.h"

namespace weir::tb {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

std::vector<std::size_t> printed_columns(const data_table& table) {
    std::vector<std::size_t> columns;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (table.columns[c].is_printed) {
            columns.push_back(c);
        }
    }
    return columns;
}

/// Empty if all transfers of all runs completed.
std::string unfinished_note(const data_table& table) {
    const auto column = std::find_if(table.columns.begin(), table.columns.end(),
                                     [](const table_column& each) { return each.key == "fct_ns.unfinished"; });
    if (column == table.columns.end()) {
        return {};
    }
    const auto place = static_cast<std::size_t>(column - table.columns.begin());
    const auto points = std::count_if(table.rows.begin(), table.rows.end(), [&](const table_row& row) {
        return row.cells[place].value.is_number() && row.cells[place].value > 0;
    });
    return points == 0 ? ""
                       : std::to_string(points) + " of " + how_many(table.rows.size(), "point") +
                             " have transfers that did not complete: percentiles there may be lower bounds, "
                             "which curves do not mark, and means are over completed transfers";
}

table_block failures_of(const std::vector<campaign_runs>& sweeps, const std::vector<std::string>& labels) {
    table_block block{"Runs that failed"};
    block.lines.push_back({"Sweep", "Run", "Settings", "Verdict", "Message"});
    block.labels = block.lines[0].size();
    for (std::size_t s = 0; s < sweeps.size(); ++s) {
        for (const campaign_point& point : sweeps[s].points) {
            const std::string settings = joined(
                point.settings, ", ", [](const auto& setting) { return setting.first + "=" + setting.second; });
            for (const fs::path& run : point.failed) {
                const run_failure failure = failure_in(run).value_or(run_failure{});
                block.lines.push_back({labels[s], "points/" + point.name + "/" + run.filename().string(),
                                       settings, verdict_text(failure), message_text(failure)});
            }
        }
    }
    return block;
}

/// The options of points at these places, but for the horizontal axis: `scheme = detail, load = 50%`.
std::string curve_name(const sweep_plan& plan, std::size_t horizontal, const std::vector<std::size_t>& at) {
    std::string name;
    for (std::size_t a = 0; a < plan.axes.size(); ++a) {
        if (a != horizontal) {
            const swept_axis axis(plan, plan.axes[a].keys.front());
            name += (name.empty() ? "" : ", ") + axis.setting(at[a]);
        }
    }
    return name.empty() ? "mean" : name;
}

/// A chart for each metric for which some point has a number other than 0; a curve for each combination of the
/// options that are not the horizontal axis. `first_row`: of the sweep's points in the table.
void add_curves(std::vector<chart>& charts, const sweep_plan& plan, const data_table& table,
                std::size_t first_row, const std::string& sweep) {
    if (plan.axes.empty()) {
        return;
    }
    const swept_axis x(plan, default_sweep_plot(plan).over[0]);
    std::vector<std::vector<std::size_t>> places;
    std::vector<std::string> names;
    std::set<std::vector<std::size_t>> known;
    for (std::size_t point = 0; point < plan.points(); ++point) {
        std::vector<std::size_t> at = plan.places(point);
        at[x.index()] = 0;
        if (known.insert(at).second && places.size() < most_curves) {
            places.push_back(at);
            names.push_back(curve_name(plan, x.index(), at));
        }
    }
    for (const std::size_t column : printed_columns(table)) {
        const std::string& metric = table.columns[column].key;
        if (table.columns[column].part != column_part::metric) {
            continue;
        }
        chart made = chart_over(x);
        made.id = "sweep_" + std::to_string(first_row) + "_" + std::to_string(column);
        made.section = "curves";
        made.title = (sweep.empty() ? "" : sweep + ": ") + metric_title(metric);
        if (known.size() > most_curves) {
            made.note = "the first " + std::to_string(most_curves) +
                        " combinations of the other options; the table has all";
        }
        made.y = {metric, metric_axis_kind(metric)};
        bool any = false;
        const std::vector<chart_series> curves = curves_over(x, names, [&](std::size_t place, std::size_t c) {
            std::vector<std::size_t> at = places[c];
            at[x.index()] = place;
            const table_cell& cell = table.cell(first_row + plan.point(at), column);
            any = any || (cell.value.is_number() && cell.value != 0);
            return cell.value.is_number() ? cell.interval : mean_interval{};
        });
        if (any) {
            made.series = curves;
        }
        charts.push_back(std::move(made));
    }
}

}  // namespace

report_document collect_sweep_report(const std::string& title, const std::vector<std::string>& directories,
                                     const std::vector<std::string>& labels, std::ostream& err) {
    report_document made;
    std::vector<campaign_runs> sweeps;
    for (const std::string& directory : directories) {
        sweeps.push_back(read_campaign_runs(directory, made.errors));
    }
    if (!made.errors.empty()) {
        return made;
    }
    sweep_table_request request;
    request.is_complete = false;
    request.names_sweeps = sweeps.size() > 1;
    const data_table table = sweep_table(sweeps, labels, request, made.errors);
    if (!made.errors.empty()) {
        return made;
    }
    ordered_json verdicts = ordered_json::array();
    std::vector<chart> charts;
    std::size_t row = 0;
    for (std::size_t s = 0; s < sweeps.size(); ++s) {
        if (sweeps[s].failures.any()) {
            verdicts.push_back({{"title", labels[s]}, {"text", sweeps[s].failures.text()}});
        }
        if (path_exists(sweeps[s].directory / "plan.json")) {
            add_curves(charts, read_plan(sweeps[s].directory, made.errors), table, row,
                       request.names_sweeps ? labels[s] : "");
        }
        row += sweeps[s].points.size();
    }
    ordered_json tables = ordered_json::array();
    table_block points = upright_blocks(table).front();
    points.title = "Points";
    std::string note = "means over the seeds, with half of their confidence interval; -: no value";
    if (const std::string unfinished = unfinished_note(table); !unfinished.empty()) {
        note += "; " + unfinished;
        err << "warning: " << unfinished << '\n';
    }
    tables.push_back(page_table("points", "sweep", note, points));
    if (const table_block failures = failures_of(sweeps, labels); !failures.is_empty()) {
        tables.push_back(
            page_table("failures", "sweep", "weir report takes the directory of such a run, too", failures));
    }
    made.content = report_frame(title);
    made.content.update({{"verdicts", std::move(verdicts)},
                         {"runs", ordered_json::array()},
                         {"configuration", ordered_json::array()},
                         {"tables", std::move(tables)},
                         {"charts", to_json(charts)},
                         {"trees", ordered_json::array()}});
    return made;
}

}  // namespace weir::tb
