#include "tb/accuracy/accuracy_command.h"

#include <algorithm>
#include <filesystem>

#include "tb/accuracy/accuracy_plot.h"
#include "tb/accuracy/accuracy_table.h"
#include "tb/accuracy/run_pair.h"
#include "tb/arguments/argument_reader.h"
#include "tb/files/run_directory.h"
#include "tb/options/load_options.h"
#include "tb/options/option_value.h"
#include "tb/plot/draw_pictures.h"
#include "tb/plot/picture_directory.h"
#include "tb/process/exit_status.h"
#include "tb/results/summary_reader.h"
#include "tb/sweep/quantity.h"
#include "tb/text/joined.h"

namespace weir::tb {

namespace fs = std::filesystem;

namespace {

const command_declaration declared{
    "weir accuracy SWEEP_DIR --pair KEY=MODEL,REFERENCE --out DIR\nweir accuracy RUN_DIR "
    "REFERENCE_DIR\n\nCompares two values of an option that a sweep (made with --keep all) varied, transfer by "
    "transfer: both see\nthe same traffic. Writes accuracy.csv, accuracy.md and pictures; prints the table. "
    "With the directories of two runs: prints\nthe differences between the completion times of their "
    "transfers.\n\n",
    30,
    {
        {"pair", "KEY=MODEL,REFERENCE",
         "such as switch.crossbar=frame,cell; switch.crossbar=frame,rtl compares with the\nRTL of a whole "
         "switch, if the sweep has single switches only (docs/accuracy.md)"},
        {"out", "DIR", "where to write; made if it does not exist"},
        {"cycle", "TIME", "length of a cycle, the unit of errors (default: one crossbar slot)"},
        {"confidence", "SHARE", "confidence level of the intervals over seeds (default 95%)"},
        {"over", "KEY[,KEY]",
         "options of the pictures' horizontal axis and curves (default: the other varied\noptions, if there "
         "are one or two)"},
        {"title", "TEXT", "of the pictures"},
        {"format", "LIST", "png, svg or png,svg (the default)"},
    },
    1,
    2,
    "directory"};

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
        equals == std::string::npos ? std::vector<std::string>{} : split_list(text.substr(equals + 1));
    if (equals == 0 || values.size() != 2) {
        errors.push_back(
            {"", 0, "--pair",
             (text.empty() ? "is missing" : "'" + text + "' is not a pair") +
                 std::string("; expected KEY=MODEL,REFERENCE, such as switch.crossbar=frame,cell")});
        return;
    }
    pair = {text.substr(0, equals), values[0], values[1]};
}

accuracy_arguments read_arguments(argument_reader& given) {
    accuracy_arguments read;
    read.sweep = given.file(0);
    read.out = given.text("out");
    given.add(check_picture_directory(read.out));
    read_pair(given.text("pair"), read.pair, given.errors);
    if (const auto text = given.once("cycle")) {
        const auto cycle = parse_time(*text);
        if (!cycle || cycle.value <= picoseconds{0}) {
            given.fail("--cycle", cycle ? "'" + *text + "' is out of range; expected above 0ps" : cycle.error);
        }
        read.units.cycle = cycle.value;
    }
    read.units.confidence = given.share("confidence", read.units.confidence);
    read.pictures.over = split_list(given.text("over"));
    if (read.pictures.over.size() > 2) {
        given.fail("--over", "names more than two options; expected KEY or KEY,KEY");
    }
    read.pictures.title = given.text("title");
    if (const auto list = given.once("format")) {
        read_formats(*list, read.formats, given.errors);
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

int compare_runs(const argument_reader& given, std::ostream& out, std::ostream& err) {
    config_errors errors;
    for (const declared_argument& option : declared.arguments) {
        if (given.is_given(option.name)) {
            errors.push_back({"", 0, std::string("--") + option.name,
                              "has no effect with the directories of two runs; expected no options"});
        }
    }
    const std::string table =
        errors.empty() ? run_pair_table(given.file(0), given.file(1), errors) : std::string{};
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    out << table;
    return 0;
}

}  // namespace

int accuracy_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err) {
    argument_reader given(declared, args);
    if (given.wants_help()) {
        out << help_of(declared);
        return 0;
    }
    if (given.files().size() == 2 && given.errors.empty()) {
        return compare_runs(given, out, err);
    }
    accuracy_arguments read = read_arguments(given);
    config_errors errors = given.errors;
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    const sweep_plan plan = read_plan(read.sweep, errors);
    read.pair.key = plan.key_of(read.pair.key);
    for (std::string& key : read.pictures.over) {
        key = plan.key_of(key);
    }
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
    write_file(fs::path(read.out) / "accuracy.csv", accuracy_csv(rows, read.units.confidence));
    const std::string table = accuracy_markdown(rows, table_keys(plan, read.pair, read.pictures.over));
    write_file(fs::path(read.out) / "accuracy.md", table);
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

}  // namespace weir::tb
