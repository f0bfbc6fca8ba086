#include "tb/report/report_command.h"

#include <filesystem>
#include <system_error>

#include "tb/arguments/argument_reader.h"
#include "tb/plot/gnuplot.h"
#include "tb/plot/run_labels.h"
#include "tb/plot/run_reader.h"
#include "tb/process/error_text.h"
#include "tb/process/exit_status.h"
#include "tb/report/report_document.h"
#include "tb/report/report_file.h"
#include "tb/report/report_page.h"
#include "tb/results/summary_texts.h"
#include "tb/text/joined.h"

namespace weir::tb {

namespace {

namespace fs = std::filesystem;

const command_declaration declared{
    "weir report DIR [DIR ...] --out FILE.html\n\nWrites one page with all that the runs in the directories, "
    "up to "
    "8, have: configuration, tables, curves,\ntimelines, causes of pauses, and how they compare with the "
    "first. "
    "It needs no other file and no network.\n\n",
    20,
    {
        {"out", "FILE", "what to write: a new file, or a report, which is replaced"},
        {"label", "TEXT", "name of a run, once per DIR, in their order (default: DIR's last part)"},
        {"title", "TEXT", "title of the page (default: the runs' names)"},
    },
    1,
    most_styles,
    "directory",
    "directories"};

/// What to use instead, of directories with many runs; empty for all others.
std::string other_command(const std::string& directory) {
    std::error_code error;
    if (fs::exists(fs::path(directory) / "summary.json", error)) {
        return {};
    }
    return fs::exists(fs::path(directory) / "plan.json", error)
               ? " (weir plot DIR --metric M --over KEY draws a sweep, means.csv has its numbers, weir table "
                 "compares runs in it)"
           : fs::exists(fs::path(directory) / "search.json", error)
               ? " (weir size draws its search itself, weir table compares runs in it)"
               : "";
}

std::vector<run_data> read_runs(const std::vector<std::string>& directories,
                                const std::vector<std::string>& labels, config_errors& errors) {
    std::vector<run_data> runs;
    for (std::size_t i = 0; i < directories.size(); ++i) {
        runs.push_back(read_run(directories[i], {}));
        runs.back().label = labels[i];
        if (!runs.back().errors.empty()) {
            runs.back().errors.front().message += other_command(directories[i]);
        }
        errors.insert(errors.end(), runs.back().errors.begin(), runs.back().errors.end());
    }
    return runs;
}

}  // namespace

int report_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err) {
    argument_reader given(declared, args);
    if (given.wants_help()) {
        out << help_of(declared);
        return exit_status::success;
    }
    const std::string file = given.text("out");
    given.add(check_report_file(file));
    const std::vector<std::string> labels = run_labels(given);
    const std::string title = given.text("title");
    if (!given.errors.empty()) {
        return print_errors(given.errors, err);
    }
    config_errors errors;
    std::vector<run_data> runs = read_runs(given.files(), labels, errors);
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    for (run_data& run : runs) {
        err << unfinished_warning(run.summary, run.directory);
        if (!run.complete) {
            err << "warning: " << run.directory << ": the run was stopped before its end\n";
            run.label += " (incomplete)";
        }
    }
    const report_document document = collect_report(title.empty() ? joined(labels, ", ") : title, runs);
    if (!document.errors.empty()) {
        return print_errors(document.errors, err);
    }
    write_report(file, report_page(document.content));
    if (!is_stream(file)) {
        out << file << '\n';
    }
    return exit_status::success;
}

}  // namespace weir::tb
