#include "tb/plot/plot_command.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "tb/arguments/argument_reader.h"
#include "tb/options/load_config.h"
#include "tb/options/option_value.h"
#include "tb/plot/draw_pictures.h"
#include "tb/plot/gnuplot.h"
#include "tb/plot/picture_directory.h"
#include "tb/plot/run_labels.h"
#include "tb/plot/run_pictures.h"
#include "tb/plot/run_reader.h"
#include "tb/process/exit_status.h"
#include "tb/text/joined.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

namespace {

namespace fs = std::filesystem;

const command_declaration declared{
    "weir plot DIR [DIR ...] --out DIR\n\nDraws pictures of the runs in the directories, up to 16 overlaid: "
    "distributions of completion times of\njobs and transfers, percentiles by size, occupancy of the busiest "
    "ports, pauses and their causes. Each picture NAME is\nNAME.png and NAME.svg, drawn by the script NAME.gp "
    "from NAME.dat. Pictures of an earlier call are removed.\n\n",
    20,
    {
        {"out", "DIR", "where to write; made if it does not exist"},
        {"label", "TEXT",
         "name of a run in the legends, once per DIR, in their order (default: DIR's last part)"},
        {"size", "BYTES", "only jobs and transfers of this size, such as 8192 or 8KiB; may be repeated"},
        {"kind", "KIND", "only jobs of this kind, such as query; may be repeated"},
        {"tag", "TAG", "only jobs and transfers with this tag ('' for none); may be repeated"},
        {"class", "CLASS", "only jobs and transfers of this class, 0 to 7; may be repeated"},
        {"title", "TEXT", "title of all pictures (default: what each one shows)"},
        {"format", "LIST", "png, svg or png,svg (the default)"},
    },
    1,
    most_curves,
    "directory",
    "directories"};

constexpr const char* more_help =
    "\nA directory of weir sweep: weir plot DIR --metric METRIC --over KEY[,KEY] --out DIR; weir plot DIR "
    "--help\nwith such a DIR says more.\n";

struct plot_request {
    std::vector<std::string> directories;
    std::vector<std::string> labels;
    std::vector<std::string> formats{"png", "svg"};
    run_picture_request pictures;
    std::string out;
};

void read_sizes(const std::vector<std::string>& texts, run_filter& filter, config_errors& errors) {
    for (const std::string& text : texts) {
        const bool bare = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
        if (bare) {
            const auto count = detail::parse_count(text, INT64_MAX);
            filter.sizes.insert(count.value);
            if (!count) {
                errors.push_back({"", 0, "--size", count.error});
            }
            continue;
        }
        const parse_result<bytes> size = parse_bytes(text);
        if (size) {
            filter.sizes.insert(static_cast<std::uint64_t>(size.value.count()));
        } else {
            errors.push_back({"", 0, "--size", size.error + ", or a bare number of bytes"});
        }
    }
}

void read_classes(const std::vector<std::string>& texts, run_filter& filter, config_errors& errors) {
    for (const std::string& text : texts) {
        const auto frame_class = detail::parse_count(text, 7);
        filter.classes.insert(frame_class.value);
        if (!frame_class) {
            errors.push_back({"", 0, "--class", frame_class.error});
        }
    }
}

plot_request read_arguments(argument_reader& given) {
    plot_request request;
    request.directories = given.files();
    request.out = given.text("out");
    given.add(check_picture_directory(request.out));
    request.pictures.title = given.text("title");
    if (const auto formats = given.once("format")) {
        read_formats(*formats, request.formats, given.errors);
    }
    read_sizes(given.all("size"), request.pictures.filter, given.errors);
    read_classes(given.all("class"), request.pictures.filter, given.errors);
    const std::vector<std::string> kinds = given.all("kind");
    request.pictures.filter.kinds = {kinds.begin(), kinds.end()};
    const std::vector<std::string> tags = given.all("tag");
    request.pictures.filter.tags = {tags.begin(), tags.end()};
    request.labels = run_labels(given);
    return request;
}

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
    argument_reader given(declared, args);
    if (given.wants_help()) {
        out << help_of(declared) << more_help;
        return 0;
    }
    const plot_request request = read_arguments(given);
    config_errors errors = given.errors;
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    std::vector<run_data> runs;
    for (std::size_t i = 0; i < request.directories.size(); ++i) {
        runs.push_back(read_run(request.directories[i], request.pictures.filter));
        runs.back().label = request.labels[i];
        errors.insert(errors.end(), runs.back().errors.begin(), runs.back().errors.end());
    }
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
