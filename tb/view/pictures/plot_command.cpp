#include "tb/run/arguments/commands.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "tb/run/arguments/argument_list.h"
#include "tb/run/fields/option_value.h"
#include "tb/run/options/load_config.h"
#include "tb/support/process/exit_status.h"
#include "tb/support/text/joined.h"
#include "tb/view/chart/draw_pictures.h"
#include "tb/view/chart/gnuplot.h"
#include "tb/view/chart/picture_directory.h"
#include "tb/view/pictures/run_charts.h"
#include "tb/view/pictures/run_pictures.h"
#include "tb/view/pictures/run_reader.h"
#include "tb/view/readers/run_labels.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

namespace {

namespace fs = std::filesystem;

parse_result<std::uint64_t> read_size(const std::string& text) {
    if (!text.empty() && text.find_first_not_of("0123456789") == std::string::npos) {
        return detail::parse_count(text, INT64_MAX);
    }
    const parse_result<bytes> size = parse_bytes(text);
    return {static_cast<std::uint64_t>(size.value.count()),
            size ? "" : size.error + ", or a bare number of bytes"};
}

void write_help_end(std::ostream& out) {
    std::size_t width = 0;
    for (const auto& chart : charts().entries()) {
        width = std::max(width, chart.name.size());
    }
    out << "\nPictures besides those of completion times, and the file of a run that each needs:\n";
    for (const auto& [name, title, traits] : charts().entries()) {
        out << "  " << name << std::string(width + 2 - name.size(), ' ') << title << " (" << traits.needs
            << ")\n";
    }
    out << "\nMetrics of runs: weir plot DIR [DIR ...] --metric METRIC [--over METRIC] --out DIR; weir plot "
           "--metric= --help\nsays more.\nA directory of weir sweep: weir plot DIR --metric METRIC --over "
           "KEY[,KEY] "
           "--out DIR; weir plot DIR --help\nwith such a DIR says more.\n";
}

struct plot_arguments : picture_arguments {
    static constexpr command_text command{
        "weir plot DIR [DIR ...] --out DIR\n\nDraws pictures of the runs in the directories, up to 16 "
        "overlaid: distributions of completion times of\njobs and transfers, percentiles by size, occupancy of "
        "the busiest ports, pauses and their causes. Each picture NAME is\nNAME.png and NAME.svg, drawn by the "
        "script NAME.gp from NAME.dat. Pictures of an earlier call are removed.\n\n",
        20, write_help_end};

    std::vector<std::string> directories;
    std::vector<std::string> labels;
    std::vector<std::uint64_t> sizes;
    std::vector<std::string> kinds;
    std::vector<std::string> tags;
    std::vector<std::uint64_t> classes;
    std::string title;
    run_picture_request pictures;

    void describe(argument_list& arguments) {
        arguments.files(directories, 1, most_curves, "directory", "directories");
        describe_out(arguments);
        arguments("label", labels, "TEXT",
                  "name of a run in the legends, once per DIR, in their order (default: DIR's last part)")
            .repeated();
        arguments("size", sizes, "BYTES",
                  "only jobs and transfers of this size, such as 8192 or 8KiB; may be repeated")
            .each_by(read_size);
        arguments("kind", kinds, "KIND", "only jobs of this kind, such as query; may be repeated").repeated();
        arguments("tag", tags, "TAG", "only jobs and transfers with this tag ('' for none); may be repeated")
            .repeated();
        arguments("class", classes, "CLASS", "only jobs and transfers of this class, 0 to 7; may be repeated")
            .range(0, 7)
            .repeated();
        arguments("title", title, "TEXT", "title of all pictures (default: what each one shows)");
        describe_format(arguments);
    }
    void complete(config_errors& errors) {
        errors.add(check_picture_directory(out));
        labels = run_labels(directories, labels, errors);
        pictures.title = title;
        pictures.filter = {{sizes.begin(), sizes.end()},
                           {kinds.begin(), kinds.end()},
                           {tags.begin(), tags.end()},
                           {classes.begin(), classes.end()}};
    }
};

/// Reports which of the wanted values no run has.
template <class Value, class ToText>
void check_wanted(const char* key, const char* what, const std::set<Value>& wanted, const std::set<Value>& seen,
                  const ToText& text_of, config_errors& errors) {
    for (const Value& each : wanted) {
        if (seen.count(each) == 0) {
            errors.push_back({"", 0, key,
                              "no run has jobs or transfers of " + (what + text_of(each)) + "; expected " +
                                  joined(seen, ", ", text_of)});
        }
    }
}

/// A filter that leaves nothing is a mistake, and says what there is.
void check_filter(const run_filter& wanted, const std::vector<run_data>& runs, config_errors& errors) {
    run_filter seen;
    bool any = wanted.takes_all();
    for (const run_data& r : runs) {
        const run_filter& of_run = r.completed.seen;
        seen.sizes.insert(of_run.sizes.begin(), of_run.sizes.end());
        seen.kinds.insert(of_run.kinds.begin(), of_run.kinds.end());
        seen.tags.insert(of_run.tags.begin(), of_run.tags.end());
        seen.classes.insert(of_run.classes.begin(), of_run.classes.end());
        any = any || !r.completed.jobs_by_kind.empty() ||
              (wanted.kinds.empty() && !r.completed.transfers.empty());
    }
    if (any) {
        return;
    }
    const auto quoted_name = [](const std::string& name) { return "'" + name + "'"; };
    const auto number = [](std::uint64_t value) { return std::to_string(value); };
    check_wanted("--kind", "kind ", wanted.kinds, seen.kinds, quoted_name, errors);
    check_wanted("--tag", "tag ", wanted.tags, seen.tags, quoted_name, errors);
    check_wanted("--class", "class ", wanted.classes, seen.classes, number, errors);
    if (errors.empty() && !wanted.sizes.empty()) {
        errors.push_back({"", 0, "--size",
                          "no run has jobs of " + sizes_text(wanted.sizes) + "; expected " +
                              sizes_text(seen.sizes) + (seen.sizes.size() < 32 ? "" : ", ...")});
    }
    if (errors.empty()) {
        errors.push_back(
            {"", 0, "--kind, --tag, --class",
             "no run has jobs or transfers that are all of this; expected fewer of these options"});
    }
}

}  // namespace

int plot_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err) {
    plot_arguments request;
    if (const std::optional<int> status = read_or_end(request, args, out, err)) {
        return *status;
    }
    config_errors errors;
    std::vector<run_data> runs =
        read_runs(request.directories, request.labels, request.pictures.filter, false, errors);
    if (errors.empty()) {
        check_filter(request.pictures.filter, runs, errors);
    }
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    for (run_data& r : runs) {
        if (!r.complete) {
            err << "warning: " << r.directory << ": the run was stopped before its end\n";
            r.label += " (incomplete)";
        }
    }
    return draw_pictures(run_pictures(request.pictures, runs, err), run_picture_names(), request.formats,
                         request.out, out, err);
}

}  // namespace weir::tb
