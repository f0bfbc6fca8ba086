#include "tb/run/arguments/commands.h"

#include <cstdint>
#include <filesystem>
#include <optional>

#include "tb/run/arguments/argument_list.h"
#include "tb/run/options/requested_metrics.h"
#include "tb/run/results/derived_metric.h"
#include "tb/run/summary/failed_run.h"
#include "tb/support/process/error_text.h"
#include "tb/support/process/exit_status.h"
#include "tb/support/record/table_writers.h"
#include "tb/view/readers/run_labels.h"
#include "tb/view/table/run_table.h"
#include "tb/view/table/sweep_table.h"

namespace weir::tb {

namespace fs = std::filesystem;

namespace {

enum class table_format : std::uint8_t { text, csv, json, md };
constexpr auto names_of(table_format) {
    return enum_names<table_format>({{table_format::text, "text"},
                                     {table_format::csv, "csv"},
                                     {table_format::json, "json"},
                                     {table_format::md, "md"}});
}

using table_writer = void (*)(std::ostream&, const data_table&);
/// By format.
constexpr table_writer writers[] = {[](std::ostream& out, const data_table& table) { write_text(out, table); },
                                    write_csv, write_json, write_markdown};

struct table_arguments {
    static constexpr command_text command{
        "weir table DIR [DIR ...] [--format=text|csv|json|md]\n"
        "weir table HEALTHY BROKEN --victims [--without HOST]\n\nPrints runs side by side: the options in "
        "which they differ, completion times with their ratios to the first\nrun, slowdown, losses, "
        "watermarks, pauses, use of links. A run that was stopped before its end is marked\n(incomplete), one "
        "that failed by its verdict. Of sweeps (also of weir size and weir reproduce) a row per point: what "
        "was varied, and means\n"
        "over the seeds with their intervals.\n\n",
        22};

    std::vector<std::string> directories;
    table_format format = table_format::text;
    std::vector<std::string> metrics;
    std::vector<std::string> labels;
    bool victims = false;
    /// Hosts.
    std::vector<std::string> without;
    std::optional<double> confidence;
    bool are_sweeps = false;
    metric_filter filter;

    void describe(argument_list& arguments) {
        arguments.files(directories, 1, SIZE_MAX, "directory of a run or a sweep",
                        "directories of runs or sweeps");
        arguments("format", format, "FORMAT",
                  "text (default) and md for people; csv (a line per run) and json for programs, with\n"
                  "every number of summary.json, and units in the names");
        arguments("metric", metrics, "METRIC",
                  "a number in summary.json (jct_ns.p99, drops.total) or of the table (fct_slowdown.p99),\na "
                  "prefix (jct_ns) or a pattern ('*.p99'), or several with commas; may be repeated")
            .repeated()
            .not_empty("a number in summary.json, such as jct_ns.p99")
            .excludes("victims");
        arguments.form("metric", definition_form, definition_help);
        arguments("label", labels, "TEXT",
                  "name of a run or sweep, once per DIR, in their order (default: DIR's last part)")
            .repeated()
            .excludes("victims");
        arguments("victims", victims,
                  "of two runs of the same traffic and seed: transfers that completed in the first and not\nin "
                  "the second, by tag and by the switch of their hosts");
        arguments("without", without, "HOST",
                  "with --victims: leave out transfers that start or end there; may be repeated")
            .repeated_lists()
            .needs("victims");
        arguments("confidence", confidence, "SHARE", "sweeps: confidence level of the intervals (default 95%)")
            .share();
    }
    void complete(config_errors& errors) {
        are_sweeps = are_campaigns(directories, errors);
        labels = run_labels(directories, labels, errors);
        metrics = metrics_in(metrics);
        filter = metric_filter(metrics);
        if (confidence && !are_sweeps) {
            add_error(errors, "--confidence", "has no effect on runs; expected directories of sweeps");
        }
        if (victims && (directories.size() != 2 || are_sweeps)) {
            add_error(errors, "--victims",
                      "compares two runs; expected two directories of runs, the healthy one first");
        }
    }
};

data_table table_of_runs(const table_arguments& request, std::ostream& err, config_errors& errors) {
    std::vector<measured_run> runs;
    std::vector<const measured_run*> all;
    const derived_metrics definitions = definitions_of_runs(request.directories, request.metrics, errors);
    for (const std::string& directory : request.directories) {
        runs.push_back(read_measured_run(directory, read_files::all, errors, definitions));
    }
    for (const measured_run& run : runs) {
        all.push_back(&run);
    }
    if (errors.empty()) {
        errors = unknown_metrics(request.filter, definitions, all);
    }
    if (!errors.empty()) {
        return {};
    }
    for (std::size_t r = 0; r < runs.size(); ++r) {
        if (runs[r].failure) {
            err << "warning: " << request.directories[r] << ": the run failed ("
                << verdict_text(*runs[r].failure) << "); its numbers are up to that time\n";
        } else if (!runs[r].is_complete) {
            err << "warning: " << request.directories[r] << ": the run was stopped before its end\n";
        }
        if (runs[r].options.is_missing) {
            err << "warning: " << request.directories[r]
                << ": effective.ini is missing; options of this run are not known\n";
        }
    }
    return run_table(runs, request.labels, request.filter);
}

data_table table_of_sweeps(const table_arguments& request, config_errors& errors) {
    std::vector<campaign_runs> sweeps;
    for (const std::string& directory : request.directories) {
        sweeps.push_back(read_campaign_runs(directory, errors));
    }
    if (!errors.empty()) {
        return {};
    }
    const bool is_complete = request.format == table_format::csv || request.format == table_format::json;
    const double confidence = request.confidence.value_or(sweep_table_request{}.confidence);
    return sweep_table(sweeps, request.labels,
                       {request.filter, request.metrics, confidence, is_complete, sweeps.size() > 1}, errors);
}

}  // namespace

int table_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err) {
    table_arguments request;
    if (const std::optional<int> status = read_or_end(request, args, out, err)) {
        return *status;
    }
    config_errors errors;
    const data_table made =
        request.victims ? victims_table(request.directories[0], request.directories[1], request.without, errors)
        : request.are_sweeps ? table_of_sweeps(request, errors)
                             : table_of_runs(request, err, errors);
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    if (made.without_groups) {
        err << "note: there are more than " << most_shown_groups
            << " groups, which are left out; --metric=groups shows them\n";
    }
    writers[static_cast<std::size_t>(request.format)](out, made);
    return exit_status::success;
}

}  // namespace weir::tb
