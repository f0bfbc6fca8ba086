#include <cstdint>
#include <optional>

#include "tb/run/arguments/argument_list.h"
#include "tb/run/arguments/commands.h"
#include "tb/study/sweep/sweep_plot.h"
#include "tb/view/chart/draw_pictures.h"
#include "tb/view/chart/picture_directory.h"
#include "tb/view/readers/run_labels.h"
#include "tb/view/table/run_measures.h"
#include "tb/view/table/run_table.h"

namespace weir::tb {

namespace {

/// The axis with the names of the runs.
constexpr const char* run_axis = "run";

struct run_metric_arguments : picture_arguments, sweep_plot_request {
    static constexpr command_text command{
        "weir plot DIR [DIR ...] --metric METRIC [--over METRIC] --out DIR\n\n"
        "Draws metrics of the runs in the directories: a mark for each run, side by side in their order, or "
        "over "
        "another\nmetric.\n\n",
        20};

    std::vector<std::string> directories;
    std::vector<std::string> labels;
    std::vector<std::string> metrics;

    void describe(argument_list& arguments) {
        arguments.files(directories, 1, SIZE_MAX, "directory of a run", "directories of runs");
        arguments("metric", metrics, "METRIC",
                  "a number of weir table, such as jct_ns.p99, drops.total or tags.query.fct_ns.p99, a prefix\n"
                  "(jct_ns) or a pattern ('*.p99'); may be repeated. One picture per metric")
            .repeated()
            .required("a number in summary.json, such as fct_ns.p99");
        arguments.form("metric", definition_form, definition_help);
        arguments("over", over, "METRIC", "metric of the horizontal axis (default: the runs side by side)")
            .not_empty("METRIC");
        describe_out(arguments);
        arguments("label", labels, "TEXT",
                  "name of a run, once per DIR, in their order (default: DIR's last part)")
            .repeated();
        arguments("scale", scale, "SCALE", "scale of the vertical axis: linear, log, auto (default)");
        arguments("title", title, "TEXT", "title of all pictures (default: what each one shows)");
        describe_format(arguments);
    }
    void complete(config_errors& errors) {
        errors.add(check_picture_directory(out));
        labels = run_labels(directories, labels, errors);
        metrics = metrics_in(metrics);
        errors.add(check_over(*this));
        if (over.size() > 1) {
            add_error(errors, "--over", "names more than one metric; expected METRIC");
        }
        over.resize(1, run_axis);
    }
};

/// How the run ended, and its numbers.
read_metrics metrics_of_run(const measured_run& run) {
    read_metrics read;
    static_cast<run_failure&>(read.record) = run.failure.value_or(run_failure{});
    read.record.state = run.failure ? run_record::states::failed : run_record::states::done;
    for (const run_measure& each : run.measures) {
        if (!run.failure && (each.cell.value.is_number() || each.cell.value.is_null())) {
            read.metrics.push_back(
                {each.key, each.cell.value, each.cell.is_lower_bound, each.is_of_few, each.cell.has_no_ratio});
        }
    }
    return read;
}

}  // namespace

int run_metric_plot_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err) {
    run_metric_arguments read;
    if (const std::optional<int> status = read_or_end(read, args, out, err)) {
        return *status;
    }
    config_errors errors;
    sweep_plan plan;
    plan.is_of_runs = true;
    plan.seeds = {1};
    plan.metrics = definitions_of_runs(read.directories, read.metrics, errors);
    plan.axes = {{{run_axis}, {}}};
    std::vector<measured_run> runs;
    std::vector<const measured_run*> done;
    failed_runs failures;
    for (std::size_t i = 0; i < read.directories.size(); ++i) {
        plan.axes[0].values.push_back({read.labels[i]});
        runs.push_back(read_measured_run(read.directories[i], read_files::all, errors, plan.metrics));
        failures.add({{run_axis, read.labels[i]}}, std::nullopt, metrics_of_run(runs[i]).record);
    }
    for (const measured_run& run : runs) {
        if (!run.failure) {
            done.push_back(&run);
        }
    }
    const bool is_over_metric = read.over[0] != run_axis;
    if (errors.empty() && done.empty()) {
        add_error(errors, "DIR", failures.text() + "; expected a run that came to its end");
    }
    if (errors.empty()) {
        const std::string advice =
            "weir table DIR --format=csv lists all of them" +
            (failures.any() ? "; " + failures.text() + ", whose numbers are not drawn" : "");
        errors = unknown_metrics(metric_filter(read.metrics), plan.metrics, done, "--metric", advice);
        if (is_over_metric) {
            errors.add(unknown_metrics(metric_filter(read.over), plan.metrics, done, "--over", advice));
        }
    }
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    std::vector<std::string> wanted = read.metrics;
    wanted.insert(wanted.end(), read.over.begin(), read.over.end());
    const sweep_results results(
        plan, [&](std::size_t point, std::uint64_t) { return metrics_of_run(runs[point]); },
        metric_filter(std::move(wanted)));
    for (const std::string& name : metric_filter(read.metrics).unused(results.metrics())) {
        add_error(errors, "--metric", "'" + name + "' is no number; expected a metric such as jct_ns.p99");
    }
    if (is_over_metric) {
        errors.add(name_over_metric(results, "expected a number", read));
    }
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (!runs[i].is_complete && !runs[i].failure) {
            err << "warning: " << read.directories[i] << ": the run was stopped before its end\n";
        }
    }
    return draw_metrics(results, metric_filter(read.metrics), read, is_over_metric, is_over_metric, read, out,
                        err);
}

}  // namespace weir::tb
