#include "tb/view/report/sweep_report.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "tb/run/summary/failed_run.h"
#include "tb/study/points/sweep_plan.h"
#include "tb/study/reproduce/paper_results.h"
#include "tb/study/sweep/mean_curves.h"
#include "tb/study/sweep/metric_title.h"
#include "tb/study/sweep/sweep_plot.h"
#include "tb/study/sweep/swept_axis.h"
#include "tb/support/files/input_file.h"
#include "tb/support/files/json_file.h"
#include "tb/support/text/joined.h"
#include "tb/view/report/report_charts.h"
#include "tb/view/report/report_opening.h"
#include "tb/view/report/report_tables.h"
#include "tb/view/table/sweep_table.h"
#include "weir/base/how_many.h"

namespace weir::tb {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

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
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        const std::string& metric = table.columns[column].key;
        if (!table.columns[column].is_printed || table.columns[column].part != column_part::metric) {
            continue;
        }
        chart made = chart_over(x);
        made.id = "sweep_" + std::to_string(first_row) + "_" + std::to_string(column);
        made.section = "curves";
        made.title = (sweep.empty() ? "" : sweep + ": ") + metric_title(metric, plan.metrics);
        if (known.size() > most_curves) {
            made.note = "the first " + std::to_string(most_curves) +
                        " combinations of the other options; the table has all";
        }
        made.y = {metric_title(metric), metric_axis_kind(metric)};
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
            charts.push_back(std::move(made));
        }
    }
}

/// Parts of the page that only some kinds of directories have.
struct campaign_parts {
    ordered_json verdicts = ordered_json::array();
    ordered_json tables = ordered_json::array();
    ordered_json pictures = ordered_json::array();
    std::vector<chart> charts;
};

std::string joined_texts(const ordered_json& texts, const char* between) {
    return joined(texts.get<std::vector<std::string>>(), between);
}

/// The name of a table that directories have one of each, with a number from the second on.
std::string own_id(const char* name, const campaign_parts& parts) {
    return name + (parts.tables.empty() ? std::string() : std::to_string(parts.tables.size()));
}

/// Adds the pictures that the command drew.
void add_pictures(campaign_parts& parts, const fs::path& directory) {
    for (const fs::path& file : folders_in(directory / "plots")) {
        if (file.extension() == ".svg") {
            parts.pictures.push_back({{"name", file.stem().string()}, {"svg", read_if_there(file)}});
        }
    }
}

/// Adds the answer of a search as `weir size` gave it, and the values that it tested. Returns the verdict.
std::string add_search(campaign_parts& parts, const fs::path& directory, const std::string& label,
                       config_errors& errors) {
    const fs::path file = directory / "answer.json";
    if (!path_exists(file)) {
        return "the search has not ended; the same command goes on";
    }
    const json_file read = read_json(file, "the answer.json of a search",
                                     {{"verdict", json_kind::text},
                                      {"text[]", json_kind::text, false},
                                      {"tested[][]", json_kind::text, false},
                                      {"notes[]", json_kind::text, false}});
    const ordered_json& answer = read.document;
    errors.add(read.errors);
    if (!read.errors.empty()) {
        return "-";
    }
    add_pictures(parts, directory);
    if (!answer.contains("text") || !answer.contains("tested") || !answer.contains("notes")) {
        return answer["verdict"].get<std::string>() + "; the same command writes the answer in words";
    }
    parts.verdicts.push_back(
        page_verdict(label, joined_texts(answer["text"], "\n"), answer["verdict"] != "met"));
    table_block tested{"Tested values of " + label, answer["tested"]};
    if (!tested.is_empty()) {
        tested.labels = tested.lines[0].size();
        parts.tables.push_back(
            page_table(own_id("tested", parts), "answers", joined_texts(answer["notes"], "; "), tested));
    }
    return answer["verdict"];
}

/// Adds the statements of a paper with their verdicts, and its pictures. Returns the number of each verdict.
std::string add_reproduction(campaign_parts& parts, const fs::path& directory, config_errors& errors) {
    if (!path_exists(directory / "results.json")) {
        return "the reproduction has not ended; the same command goes on";
    }
    const recorded_statements found = read_statements(directory, errors);
    table_block statements{"Statements of " + found.paper, found.lines};
    statements.lines.insert(statements.lines.begin(), {"Where", "The paper says", "Paper", "Here", "Verdict",
                                                       "Interval", "Cause, notes"});
    statements.labels = statements.lines[0].size();
    parts.tables.push_back(page_table(own_id("statements", parts), "answers", "", statements));
    add_pictures(parts, directory);
    return found.counts();
}

/// Sum over the runs of a sweep: over those that are done from the means of its points, and `of_failed`. Null
/// if no run has the metric.
ordered_json sum_of(const data_table& table, const std::string& metric, std::size_t first, std::size_t points,
                    std::optional<std::uint64_t> of_failed) {
    const auto column = std::find_if(table.columns.begin(), table.columns.end(),
                                     [&](const table_column& each) { return each.key == metric; });
    if (column == table.columns.end()) {
        return of_failed ? ordered_json(*of_failed) : ordered_json();
    }
    double sum = static_cast<double>(of_failed.value_or(0));
    for (std::size_t row = first; row < first + points; ++row) {
        const mean_interval& mean =
            table.cell(row, static_cast<std::size_t>(column - table.columns.begin())).interval;
        sum += static_cast<double>(mean.n) * mean.mean;
    }
    return std::llround(sum);
}

/// The directory's column of the first table. `first`: row of its first point in `table`.
opening opening_of(const campaign_runs& runs, const std::string& label, const std::string& state,
                   const data_table& table, std::size_t first, config_errors& errors) {
    std::size_t done = 0;
    std::size_t failed = 0;
    std::size_t missing = 0;
    std::size_t points = 0;
    std::optional<std::uint64_t> completed;
    std::optional<std::uint64_t> unfinished;
    std::vector<effective_options> options;
    for (const campaign_point& point : runs.points) {
        done += point.done.size();
        failed += point.failed.size();
        missing += point.missing;
        points += point.is_reference ? 0 : 1;
        if (point.is_reference) {
            continue;
        }
        for (const fs::path& run : point.failed) {
            if (const std::optional<run_failure> failure = failure_in(run); failure && failure->flows) {
                completed = completed.value_or(0) + failure->flows->completed;
                unfinished = unfinished.value_or(0) + failure->flows->unfinished;
            }
        }
        if (const std::vector<fs::path>& any = point.done.empty() ? point.failed : point.done; !any.empty()) {
            options.push_back(read_effective_options(any.front() / "effective.ini", errors));
        }
    }
    opening made{label};
    made.add("Verdict", state);
    const std::size_t references = runs.points.size() - points;
    made.add("Points", std::to_string(points) +
                           (references == 0 ? "" : " and " + how_many(references, "reference point")));
    made.add("Runs", std::to_string(done) + " done" +
                         (failed == 0 ? "" : ", " + std::to_string(failed) + " failed") +
                         (missing == 0 ? "" : ", " + std::to_string(missing) + " missing"));
    const auto varied = [&](const std::string& key) { return key + ": " + values_text(options, key); };
    made.add("Varied", runs.has_keys ? joined(runs.keys, "; ", varied) : "several experiments");
    made.add_counts("Transfers", sum_of(table, "flows.completed", first, points, completed),
                    sum_of(table, "flows.unfinished", first, points, unfinished));
    // Runs that failed are in no percentile or mean that is to be explained.
    const ordered_json of_done = sum_of(table, "flows.unfinished", first, points, std::nullopt);
    made.has_unfinished = of_done.is_number() && of_done > 0;
    made.add_options(options);
    return made;
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
    campaign_parts parts;
    std::vector<opening> openings;
    std::size_t row = 0;
    for (std::size_t s = 0; s < sweeps.size(); ++s) {
        const campaign_runs& runs = sweeps[s];
        const bool is_search = path_exists(runs.directory / "search.json");
        const std::string failed = runs.failures.text();
        std::string state = failed.empty() ? "all runs are done" : failed;
        // In a search a run that loses a frame is an outcome.
        if (runs.failures.any() && !is_search) {
            parts.verdicts.push_back(page_verdict(labels[s], state, true));
        }
        if (is_search) {
            state = add_search(parts, runs.directory, labels[s], made.errors);
        } else if (path_exists(runs.directory / "reproduction.json")) {
            state = add_reproduction(parts, runs.directory, made.errors);
        } else {
            add_curves(parts.charts, read_plan(runs.directory, made.errors), table, row,
                       request.names_sweeps ? labels[s] : "");
        }
        openings.push_back(opening_of(runs, labels[s], state, table, row, made.errors));
        row += runs.points.size();
    }
    if (!made.errors.empty()) {
        return made;
    }
    ordered_json& tables = parts.tables;
    tables.insert(tables.begin(), opening_table(openings));
    table_block points = upright_blocks(table).front();
    points.title = "Points";
    for (const opening& each : openings) {
        if (each.has_unfinished) {
            err << "warning: " << each.label
                << ": transfers did not complete: 'at least', in curves an arrow, marks lower bounds, and "
                   "means are over completed transfers\n";
        }
    }
    tables.push_back(page_table("points", "sweep",
                                "means over the seeds, with half of their confidence interval; -: no value",
                                points));
    if (const table_block failures = failures_of(sweeps, labels); !failures.is_empty()) {
        tables.push_back(
            page_table("failures", "failures", "weir report takes the directory of such a run, too", failures));
    }
    made.content = report_frame(title);
    made.content.update({{"verdicts", std::move(parts.verdicts)},
                         {"runs", ordered_json::array()},
                         {"configuration", ordered_json::array()},
                         {"tables", std::move(tables)},
                         {"charts", to_json(parts.charts)},
                         {"pictures", std::move(parts.pictures)},
                         {"trees", ordered_json::array()}});
    return made;
}

}  // namespace weir::tb
