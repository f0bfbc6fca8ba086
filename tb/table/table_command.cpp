#include "tb/table/table_command.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "tb/arguments/argument_reader.h"
#include "tb/plot/run_labels.h"
#include "tb/process/error_text.h"
#include "tb/process/exit_status.h"
#include "tb/results/failed_run.h"
#include "tb/table/campaign_runs.h"
#include "tb/table/run_table.h"
#include "tb/table/sweep_table.h"
#include "tb/table/table_writers.h"
#include "tb/table/victims.h"

namespace weir::tb {

namespace fs = std::filesystem;

namespace {

const command_declaration declared{
    "weir table DIR [DIR ...] [--format=text|csv|json|md]\n"
    "weir table HEALTHY BROKEN --victims [--without HOST]\n\nPrints runs side by side: the options in which "
    "they "
    "differ, completion times with their ratios to the first\nrun, slowdown, losses, watermarks, pauses, use "
    "of "
    "links. A run that was stopped before its end is marked\n(incomplete), one that failed by its verdict. Of "
    "sweeps (also of weir size and "
    "weir "
    "reproduce) a row per point: what was varied, and means\nover the seeds with their intervals.\n\n",
    22,
    {
        {"format", "FORMAT",
         "text (default) and md for people; csv (a line per run) and json for programs, with\nevery number of "
         "summary.json, and units in the names"},
        {"metric", "METRIC",
         "a number in summary.json (jct_ns.p99, drops.total) or of the table (fct_slowdown.p99),\na prefix "
         "(jct_ns) or a pattern ('*.p99'), or several with commas; may be repeated"},
        {"label", "TEXT", "name of a run or sweep, once per DIR, in their order (default: DIR's last part)"},
        {"victims", nullptr,
         "of two runs of the same traffic and seed: transfers that completed in the first and not\nin the "
         "second, "
         "by tag and by the switch of their hosts"},
        {"without", "HOST", "with --victims: leave out transfers that start or end there; may be repeated"},
        {"confidence", "SHARE", "sweeps: confidence level of the intervals (default 95%)"},
    },
    1,
    SIZE_MAX,
    "directory of a run or a sweep",
    "directories of runs or sweeps",
};

using table_writer = void (*)(std::ostream&, const data_table&);

struct table_format {
    const char* name;
    table_writer write;
    bool is_for_programs;
};
constexpr table_format formats[] = {
    {"text", [](std::ostream& out, const data_table& table) { write_text(out, table); }, false},
    {"csv", write_csv, true},
    {"json", write_json, true},
    {"md", write_markdown, false}};

struct table_request {
    std::vector<std::string> directories;
    std::vector<std::string> labels;
    metric_filter filter;
    const table_format* format = &formats[0];
    std::optional<double> confidence;
    bool are_sweeps = false;
    bool wants_victims = false;
    /// Hosts.
    std::vector<std::string> without;
};

void read_victims(argument_reader& given, table_request& request) {
    request.wants_victims = given.has("victims");
    request.without = given.list("without");
    if (given.is_given("without") && !request.wants_victims) {
        given.fail("--without", "has no effect without --victims; expected --victims too");
    }
    if (!request.wants_victims) {
        return;
    }
    if (request.directories.size() != 2 || request.are_sweeps) {
        given.fail("--victims", "compares two runs; expected two directories of runs, the healthy one first");
    }
    for (const char* other : {"metric", "label"}) {
        if (given.is_given(other)) {
            given.fail(std::string("--") + other, "has no effect with --victims; expected one of both");
        }
    }
}

table_request read_arguments(argument_reader& given) {
    table_request request;
    request.directories = given.files();
    request.are_sweeps = are_campaigns(request.directories, given.errors);
    std::vector<std::string> names;
    for (const table_format& each : formats) {
        names.emplace_back(each.name);
    }
    request.format = &formats[given.one_of("format", names)];
    const std::vector<std::string> metrics = given.list("metric");
    if (given.is_given("metric") && metrics.empty()) {
        given.fail("--metric", "is empty; expected a number in summary.json, such as jct_ns.p99");
    }
    request.filter = metric_filter(metrics);
    if (given.is_given("confidence")) {
        request.confidence = given.share("confidence", 0.95);
        if (!request.are_sweeps) {
            given.fail("--confidence", "has no effect on runs; expected directories of sweeps");
        }
    }
    request.labels = run_labels(given);
    read_victims(given, request);
    return request;
}

data_table table_of_runs(const table_request& request, std::ostream& err, config_errors& errors) {
    std::vector<measured_run> runs;
    std::vector<const measured_run*> all;
    for (const std::string& directory : request.directories) {
        runs.push_back(read_measured_run(directory, read_files::all, errors));
    }
    for (const measured_run& run : runs) {
        all.push_back(&run);
    }
    if (errors.empty()) {
        errors = unknown_metrics(request.filter, all);
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

data_table table_of_sweeps(const table_request& request, config_errors& errors) {
    std::vector<campaign_runs> sweeps;
    for (const std::string& directory : request.directories) {
        sweeps.push_back(read_campaign_runs(directory, errors));
    }
    if (!errors.empty()) {
        return {};
    }
    sweep_table_request wanted;
    wanted.filter = request.filter;
    wanted.confidence = request.confidence.value_or(wanted.confidence);
    wanted.is_complete = request.format->is_for_programs;
    wanted.names_sweeps = sweeps.size() > 1;
    return sweep_table(sweeps, request.labels, wanted, errors);
}

}  // namespace

int table_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err) {
    argument_reader given(declared, args);
    if (given.wants_help()) {
        out << help_of(declared);
        return 0;
    }
    const table_request request = read_arguments(given);
    config_errors errors = given.errors;
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    const data_table made =
        request.wants_victims
            ? victims_table(request.directories[0], request.directories[1], request.without, errors)
        : request.are_sweeps ? table_of_sweeps(request, errors)
                             : table_of_runs(request, err, errors);
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    if (made.without_groups) {
        err << "note: there are more than " << most_shown_groups
            << " groups, which are left out; --metric=groups shows them\n";
    }
    request.format->write(out, made);
    return exit_status::success;
}

}  // namespace weir::tb
