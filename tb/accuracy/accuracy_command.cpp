#include "tb/accuracy/accuracy_command.h"

#include <algorithm>
#include <filesystem>

#include "tb/accuracy/accuracy_plot.h"
#include "tb/accuracy/accuracy_table.h"
#include "tb/accuracy/run_pair.h"
#include "tb/files/run_directory.h"
#include "tb/options/command_line.h"
#include "tb/options/load_options.h"
#include "tb/options/option_value.h"
#include "tb/plot/draw_pictures.h"
#include "tb/plot/picture_directory.h"
#include "tb/process/exit_status.h"
#include "tb/results/summary_reader.h"
#include "tb/sweep/quantity.h"

namespace weir {

namespace fs = std::filesystem;

namespace {

constexpr const char* usage =
    "weir accuracy SWEEP_DIR --pair KEY=MODEL,REFERENCE --out DIR\n"
    "weir accuracy RUN_DIR REFERENCE_DIR\n"
    "\n"
    "Compares two values of an option that a sweep (made with --keep all) varied, transfer by transfer: both "
    "see\n"
    "the same traffic. Writes accuracy.csv, accuracy.md and pictures; prints the table. With the directories "
    "of two runs: "
    "prints\nthe differences between the completion times of their transfers.\n"
    "\n"
    "  --pair KEY=MODEL,REFERENCE  such as switch.crossbar=frame,cell; switch.crossbar=frame,rtl compares with "
    "the\n                              RTL of a whole switch, if the sweep has single switches only "
    "(docs/accuracy.md)\n"
    "  --out DIR                   where to write; made if it does not exist\n"
    "  --cycle TIME                length of a cycle, the unit of errors (default: one crossbar slot)\n"
    "  --confidence SHARE          confidence level of the intervals over seeds (default 95%)\n"
    "  --over KEY[,KEY]            options of the pictures' horizontal axis and curves (default: the other "
    "varied\n                              options, if there are one or two)\n"
    "  --title TEXT                of the pictures\n"
    "  --format LIST               png, svg or png,svg (the default)\n";

struct accuracy_arguments {
    std::string sweep;
    std::string out;
    accuracy_pair pair;
    accuracy_units units;
    accuracy_plot_request pictures;
    std::vector<std::string> formats{"png", "svg"};
};

void read_pair(const std::string& text, accuracy_pair& pair, config_errors& errors) {
    const std::size_t equals = text.find('=');
    const std::vector<std::string> values =
        equals == std::string::npos ? std::vector<std::string>{} : detail::split_list(text.substr(equals + 1));
    if (equals == 0 || values.size() != 2) {
        errors.push_back(
            {"", 0, "--pair",
             (text.empty() ? "is missing" : "'" + text + "' is not a pair") +
                 std::string("; expected KEY=MODEL,REFERENCE, such as switch.crossbar=frame,cell")});
        return;
    }
    pair = {text.substr(0, equals), values[0], values[1]};
}

accuracy_arguments read_arguments(const command_arguments& given, config_errors& errors) {
    const auto once = [&](const char* name) { return given.once(name, errors); };
    accuracy_arguments read;
    read.sweep = given.files.empty() ? std::string{} : given.files[0];
    read.out = once("out").value_or("");
    const config_errors refused = check_picture_directory(read.out);
    errors.insert(errors.end(), refused.begin(), refused.end());
    read_pair(once("pair").value_or(""), read.pair, errors);
    if (const auto text = once("cycle")) {
        const auto cycle = parse_time(*text);
        if (!cycle || cycle.value <= picoseconds{0}) {
            errors.push_back({"", 0, "--cycle",
                              cycle ? "'" + *text + "' is out of range; expected above 0ps" : cycle.error});
        }
        read.units.cycle = cycle.value;
    }
    if (const auto text = once("confidence")) {
        const auto share = detail::parse_share(*text);
        if (!share || !(share.value > 0 && share.value < 1)) {
            errors.push_back(
                {"", 0, "--confidence",
                 share ? "'" + *text + "' is out of range; expected above 0%, below 100%" : share.error});
        }
        read.units.confidence = share.value;
    }
    read.pictures.over = detail::split_list(once("over").value_or(""));
    if (read.pictures.over.size() > 2) {
        errors.push_back({"", 0, "--over", "names more than two options; expected KEY or KEY,KEY"});
    }
    read.pictures.title = once("title").value_or("");
    if (const auto list = once("format")) {
        read_formats(*list, read.formats, errors);
    }
    return read;
}

/// The sweep's other options, one of each axis, where they are not more than a picture can show.
std::vector<std::string> default_axes(const sweep_plan& plan, const accuracy_pair& pair) {
    std::vector<std::string> over;
    for (const sweep_axis& axis : plan.axes) {
        if (axis.values.size() > 1 &&
            std::find(axis.keys.begin(), axis.keys.end(), pair.key) == axis.keys.end()) {
            over.push_back(axis.keys.front());
        }
    }
    if (over.size() > 2) {
        over.clear();
    }
    return over;
}

/// One option of each axis but the compared one: one that is drawn, else the first.
std::vector<std::string> table_keys(const sweep_plan& plan, const accuracy_pair& pair,
                                    const std::vector<std::string>& drawn) {
    std::vector<std::string> keys;
    for (const sweep_axis& axis : plan.axes) {
        const auto is_drawn = [&](const std::string& key) {
            return std::find(drawn.begin(), drawn.end(), key) != drawn.end();
        };
        if (std::find(axis.keys.begin(), axis.keys.end(), pair.key) == axis.keys.end()) {
            const auto found = std::find_if(axis.keys.begin(), axis.keys.end(), is_drawn);
            keys.push_back(found == axis.keys.end() ? axis.keys.front() : *found);
        }
    }
    return keys;
}

int compare_runs(const command_arguments& given, std::ostream& out, std::ostream& err) {
    config_errors errors;
    for (const auto& option : given.values) {
        errors.push_back({"", 0, "--" + option.first,
                          "has no effect with the directories of two runs; expected no options"});
    }
    const std::string table =
        errors.empty() ? run_pair_table(given.files[0], given.files[1], errors) : std::string{};
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    out << table;
    return 0;
}

void write_whole(const fs::path& name, const std::string& text) {
    output_file file(name);
    file.write(text);
    file.finish();
}

}  // namespace

int accuracy_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err) {
    command_syntax syntax;
    syntax.values = {"pair", "out", "cycle", "confidence", "over", "title", "format"};
    syntax.flags = {"help"};
    syntax.min_files = 1;
    syntax.max_files = 2;
    syntax.file = "directory";
    const command_arguments given = split_arguments(args, syntax, option_table{});
    if (given.flags.count("help") != 0) {
        out << usage;
        return 0;
    }
    config_errors errors = given.errors;
    if (given.files.size() == 2 && errors.empty()) {
        return compare_runs(given, out, err);
    }
    accuracy_arguments read = read_arguments(given, errors);
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    const sweep_plan plan = read_plan(read.sweep, errors);
    if (errors.empty()) {
        errors = check_pair(plan, read.pair);
    }
    if (errors.empty()) {
        if (read.pictures.over.empty()) {
            read.pictures.over = default_axes(plan, read.pair);
        }
        if (!read.pictures.over.empty()) {
            errors = check_accuracy_plot(plan, read.pair, read.pictures);
        }
    }
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    if (const auto none = without_done_runs(read.sweep)) {
        return print_errors({*none}, err);
    }
    const campaign_layout layout(read.sweep, plan.points());
    const std::vector<accuracy_row> rows = accuracy_rows(plan, layout, read.pair, read.units, errors);
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    make_out_directory(read.out);
    write_whole(fs::path(read.out) / "accuracy.csv", accuracy_csv(rows, read.units.confidence));
    const std::string table = accuracy_markdown(rows, table_keys(plan, read.pair, read.pictures.over));
    write_whole(fs::path(read.out) / "accuracy.md", table);
    synchronise(read.out);
    out << table;
    if (read.pictures.over.empty()) {
        return 0;
    }
    const std::vector<picture> pictures =
        accuracy_pictures(plan, read.pair, rows, read.units.confidence, read.pictures);
    std::vector<std::string> names;
    for (const picture& p : pictures) {
        names.push_back(p.name);
    }
    return draw_pictures(pictures, names, read.formats, read.out, out, err);
}

}  // namespace weir
