#include "tb/run/arguments/commands.h"

#include "tb/run/arguments/argument_list.h"
#include "tb/run/summary/failed_run.h"
#include "tb/run/summary/summary_texts.h"
#include "tb/support/process/error_text.h"
#include "tb/support/process/exit_status.h"
#include "tb/support/text/joined.h"
#include "tb/view/chart/gnuplot.h"
#include "tb/view/page/report_file.h"
#include "tb/view/page/report_page.h"
#include "tb/view/pictures/run_reader.h"
#include "tb/view/readers/run_labels.h"
#include "tb/view/report/report_document.h"
#include "tb/view/report/sweep_report.h"
#include "tb/view/table/sweep_table.h"

namespace weir::tb {

namespace {

struct report_arguments {
    static constexpr command_text command{
        "weir report DIR [DIR ...] --out FILE.html\n\n"
        "Writes one page with all that the runs in the directories, up to 16, have: configuration, tables, "
        "curves,\ntimelines, causes of pauses, and how they compare with the first. A run that failed begins "
        "with its verdict.\n"
        "Of sweeps: the runs that failed, a line per point, and curves of means over the varied options. Of "
        "searches\n(weir size) the answer, of reproductions the verdicts on the paper's statements. The page "
        "begins with verdicts,\ncompleted and unfinished transfers, and the options with the largest say. It "
        "needs no other file and no network.\n\n",
        20};

    std::vector<std::string> directories;
    std::string out;
    std::vector<std::string> labels;
    std::string title;
    bool are_sweeps = false;

    void describe(argument_list& arguments) {
        arguments.files(directories, 1, most_curves, "directory of a run or a sweep",
                        "directories of runs or sweeps");
        arguments("out", out, "FILE", "what to write: a new file, or a report, which is replaced");
        arguments("label", labels, "TEXT",
                  "name of a run, once per DIR, in their order (default: DIR's last part)")
            .repeated();
        arguments("title", title, "TEXT", "title of the page (default: the runs' names)");
    }
    void complete(config_errors& errors) {
        errors.add(check_report_file(out));
        labels = run_labels(directories, labels, errors);
        are_sweeps = are_campaigns(directories, errors);
        title = title.empty() ? joined(labels, ", ") : title;
    }
};

report_document collect_run_report(const std::string& title, const std::vector<std::string>& directories,
                                   const std::vector<std::string>& labels, std::ostream& err) {
    report_document document;
    std::vector<run_data> runs = read_runs(directories, labels, {}, true, document.errors);
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
        err << (run.is_from_tables ? "" : unfinished_warning(run.summary, run.directory));
    }
    return collect_report(title, runs);
}

}  // namespace

int report_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err) {
    report_arguments given;
    if (const std::optional<int> status = read_or_end(given, args, out, err)) {
        return *status;
    }
    const auto collect = given.are_sweeps ? collect_sweep_report : collect_run_report;
    const report_document document = collect(given.title, given.directories, given.labels, err);
    if (!document.errors.empty()) {
        return print_errors(document.errors, err);
    }
    write_report(given.out, report_page(document.content));
    if (!is_stream(given.out)) {
        out << given.out << '\n';
    }
    return exit_status::success;
}

}  // namespace weir::tb
