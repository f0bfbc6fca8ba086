#include "tb/report/report_command.h"

#include "tb/arguments/argument_reader.h"
#include "tb/plot/gnuplot.h"
#include "tb/plot/run_labels.h"
#include "tb/plot/run_reader.h"
#include "tb/process/error_text.h"
#include "tb/process/exit_status.h"
#include "tb/report/report_document.h"
#include "tb/report/report_file.h"
#include "tb/report/report_page.h"
#include "tb/report/sweep_report.h"
#include "tb/results/failed_run.h"
#include "tb/results/summary_texts.h"
#include "tb/table/campaign_runs.h"
#include "tb/text/joined.h"

namespace weir::tb {

namespace {

const command_declaration declared{
    "weir report DIR [DIR ...] --out FILE.html\n\n"
    "Writes one page with all that the runs in the directories, up to 16, have: configuration, tables, "
    "curves,\n"
    "timelines, causes of pauses, and how they compare with the first. "
    "A run that failed begins with its verdict.\n"
    "Of sweeps (also of weir size and weir reproduce): the runs that failed, a line per point, "
    "and curves of means\nover the varied options. "
    "The page needs no other file and no network.\n\n",
    20,
    {
        {"out", "FILE", "what to write: a new file, or a report, which is replaced"},
        {"label", "TEXT", "name of a run, once per DIR, in their order (default: DIR's last part)"},
        {"title", "TEXT", "title of the page (default: the runs' names)"},
    },
    1,
    most_curves,
    "directory of a run or a sweep",
    "directories of runs or sweeps"};

std::vector<run_data> read_runs(const std::vector<std::string>& directories,
                                const std::vector<std::string>& labels, config_errors& errors) {
    std::vector<run_data> runs;
    for (std::size_t i = 0; i < directories.size(); ++i) {
        runs.push_back(read_run(directories[i], {}, true));
        runs.back().label = labels[i];
        errors.insert(errors.end(), runs.back().errors.begin(), runs.back().errors.end());
    }
    return runs;
}

report_document collect_run_report(const std::string& title, const std::vector<std::string>& directories,
                                   const std::vector<std::string>& labels, std::ostream& err) {
    report_document document;
    std::vector<run_data> runs = read_runs(directories, labels, document.errors);
    if (!document.errors.empty()) {
        return document;
    }
    for (run_data& run : runs) {
        if (run.failure) {
            err << "warning: " << run.directory << ": the run failed (" << verdict_text(*run.failure) << ")\n";
            run.label += " (" + verdict_text(*run.failure) + ")";
        } else if (!run.complete) {
            err << "warning: " << run.directory << ": the run was stopped before its end\n";
            run.label += " (incomplete)";
        }
        err << unfinished_warning(run.summary, run.directory);
    }
    return collect_report(title, runs);
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
    const bool are_sweeps = are_campaigns(given.files(), given.errors);
    if (!given.errors.empty()) {
        return print_errors(given.errors, err);
    }
    const std::string head = title.empty() ? joined(labels, ", ") : title;
    const report_document document = are_sweeps ? collect_sweep_report(head, given.files(), labels, err)
                                                : collect_run_report(head, given.files(), labels, err);
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
