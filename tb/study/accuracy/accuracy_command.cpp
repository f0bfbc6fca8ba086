#include "tb/run/arguments/commands.h"

#include <algorithm>
#include <filesystem>

#include "tb/run/arguments/argument_list.h"
#include "tb/run/fields/load_options.h"
#include "tb/run/fields/option_value.h"
#include "tb/run/summary/summary_reader.h"
#include "tb/study/accuracy/accuracy_plot.h"
#include "tb/study/accuracy/accuracy_table.h"
#include "tb/support/files/run_directory.h"
#include "tb/support/process/exit_status.h"
#include "tb/support/text/joined.h"
#include "tb/view/chart/draw_pictures.h"
#include "tb/view/chart/picture_directory.h"

namespace weir::tb {

namespace fs = std::filesystem;

namespace {

parse_result<accuracy_pair> read_pair(const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::vector<std::string> values =
        equals == std::string::npos ? std::vector<std::string>{} : split_list(text.substr(equals + 1));
    if (text.empty()) {
        return {};
    }
    if (equals == 0 || values.size() != 2) {
        return {
            {text, "", ""},
            "'" + text + "' is not a pair; expected KEY=MODEL,REFERENCE, such as switch.crossbar=frame,cell"};
    }
    return {{text.substr(0, equals), values[0], values[1]}, {}};
}

struct accuracy_arguments : picture_arguments, accuracy_units, accuracy_plot_request {
    static constexpr command_text command{
        "weir accuracy SWEEP_DIR --pair KEY=MODEL,REFERENCE --out DIR\nweir accuracy RUN_DIR REFERENCE_DIR\n\n"
        "Compares two values of an option that a sweep (made with --keep all) varied, transfer by transfer: "
        "both see\nthe same traffic. Writes accuracy.csv, accuracy.md and pictures; prints the table. With the "
        "directories of two runs: prints\nthe differences between the completion times of their transfers.\n\n",
        30};

    std::vector<std::string> directories;
    accuracy_pair pair;

    void describe(argument_list& arguments) {
        arguments.files(directories, 1, 2, "directory");
        arguments("pair", pair, "KEY=MODEL,REFERENCE",
                  "such as switch.crossbar=frame,cell; switch.crossbar=frame,rtl compares with the\nRTL of a "
                  "whole switch, if the sweep has single switches only (docs/accuracy.md)")
            .by(read_pair);
        describe_out(arguments);
        arguments("cycle", cycle, "TIME", "length of a cycle, the unit of errors (default: one crossbar slot)")
            .range(0_ps, longest_time, range_ends::low_excluded);
        arguments("confidence", confidence, "SHARE",
                  "confidence level of the intervals over seeds (default 95%)")
            .share();
        arguments("over", over, "KEY[,KEY]",
                  "options of the pictures' horizontal axis and curves (default: the other varied\noptions, if "
                  "there are one or two)");
        arguments("title", title, "TEXT", "of the pictures");
        describe_format(arguments);
    }
    bool compares_runs() const { return directories.size() == 2; }
    void complete(config_errors& errors) {
        if (compares_runs()) {
            return;
        }
        errors.add(check_picture_directory(out));
        if (pair.key.empty()) {
            add_error(errors, "--pair",
                      "is missing; expected KEY=MODEL,REFERENCE, such as switch.crossbar=frame,cell");
        }
        if (over.size() > 2) {
            add_error(errors, "--over", "names more than two options; expected KEY or KEY,KEY");
        }
    }
};

/// The sweep's other options, one of each axis, where they are not more than a picture can show.
std::vector<std::string> default_axes(const sweep_plan& plan, const accuracy_pair& pair) {
    std::vector<std::string> over;
    for (const sweep_axis& axis : plan.axes) {
        if (axis.values.size() > 1 && !axis.has(pair.key)) {
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
        if (!axis.has(pair.key)) {
            const auto found =
                std::find_first_of(axis.keys.begin(), axis.keys.end(), drawn.begin(), drawn.end());
            keys.push_back(found == axis.keys.end() ? axis.keys.front() : *found);
        }
    }
    return keys;
}

int compare_runs(const accuracy_arguments& given, const std::vector<std::string>& args, std::ostream& out,
                 std::ostream& err) {
    config_errors errors;
    for (const std::string& arg : args) {
        if (arg.compare(0, 2, "--") == 0) {
            add_error(errors, arg.substr(0, arg.find('=')),
                      "has no effect with the directories of two runs; expected no options");
        }
    }
    const std::string table =
        errors.empty() ? run_pair_table(given.directories[0], given.directories[1], errors) : std::string{};
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    out << table;
    return 0;
}

}  // namespace

int accuracy_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err) {
    accuracy_arguments read;
    if (const std::optional<int> status = read_or_end(read, args, out, err)) {
        return *status;
    }
    if (read.compares_runs()) {
        return compare_runs(read, args, out, err);
    }
    config_errors errors;
    const std::string& sweep = read.directories.front();
    const sweep_plan plan = read_plan(sweep, errors);
    read.pair.key = plan.key_of(read.pair.key);
    for (std::string& key : read.over) {
        key = plan.key_of(key);
    }
    if (errors.empty()) {
        errors = check_pair(plan, read.pair);
    }
    if (errors.empty()) {
        if (read.over.empty()) {
            read.over = default_axes(plan, read.pair);
        }
        if (!read.over.empty()) {
            errors = check_accuracy_plot(plan, read.pair, read);
        }
    }
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    if (const auto none = without_done_runs(sweep)) {
        return print_errors({*none}, err);
    }
    const campaign_layout layout(sweep, plan.points());
    const std::vector<accuracy_row> rows = accuracy_rows(plan, layout, read.pair, read, errors);
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    make_out_directory(read.out);
    write_file(fs::path(read.out) / "accuracy.csv", accuracy_csv(rows, read.confidence));
    const std::string table = accuracy_markdown(rows, table_keys(plan, read.pair, read.over));
    write_file(fs::path(read.out) / "accuracy.md", table);
    synchronise(read.out);
    out << table;
    if (read.over.empty()) {
        return 0;
    }
    const std::vector<picture> pictures = accuracy_pictures(plan, read.pair, rows, read.confidence, read);
    std::vector<std::string> names;
    for (const picture& p : pictures) {
        names.push_back(p.name);
    }
    return draw_pictures(pictures, names, read.formats, read.out, out, err);
}

}  // namespace weir::tb
