#include "tb/verify/compare/compare_arguments.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "tb/verify/events/waveform.h"

namespace weir::tb {

void write_help_of_columns(std::ostream& out) {
    out << "\nCOLS: names separated by commas. Roles that are not given follow from the names of the "
           "columns:\n\n"
        << role_names_help()
        << "\nA waivers file is CSV: each line accepts all mismatches of events that match its texts (`*`: any "
           "text).\n\n"
           "Exit status: 0 no mismatch; 1 mismatches that are not waived, or no event in either file; 2 bad "
           "input; 3 the environment failed.\n";
}

parse_result<std::optional<column_names>> read_columns(const std::string& text) {
    column_names names = text == "none" ? column_names{} : split_list(text);
    const bool has_empty = text.empty() || std::find(names.begin(), names.end(), "") != names.end();
    return {std::move(names),
            has_empty ? "'" + text + "' has an empty name; expected names separated by commas" : ""};
}

parse_result<event_filter> read_filter(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos) {
        return {{}, "'" + text + "' is not a condition; expected --only COLUMN=TEXT"};
    }
    const std::string_view whole = text;
    return {{std::string(trimmed(whole.substr(0, equals))), {std::string(trimmed(whole.substr(equals + 1)))}},
            {}};
}

void compare_arguments::complete(config_errors& errors) {
    if (const std::optional<column_names>& time = chosen(column_role::time); time && time->size() > 1) {
        add_error(errors, "--time", "names more than one column; expected one, or none");
    }
    if (std::find(ignored.begin(), ignored.end(), "") != ignored.end()) {
        add_error(errors, "--ignore", "has an empty name; expected names separated by commas");
    }
    chosen(column_role::ignored) = ignored;
    std::vector<event_filter> by_column;
    for (event_filter& filter : only) {
        const auto same = std::find_if(by_column.begin(), by_column.end(),
                                       [&](const event_filter& each) { return each.column == filter.column; });
        if (same == by_column.end()) {
            by_column.push_back(std::move(filter));
        } else {
            same->values.push_back(std::move(filter.values.front()));
        }
    }
    only = std::move(by_column);
    event_files.resize(2);
    // A waveform needs a map, and a map a waveform.
    const auto check = [&](const std::string& file, const std::string& option, std::string& own) {
        const bool is_wave = is_waveform(file);
        if (!own.empty() && !is_wave) {
            add_error(errors, option,
                      "has no effect, because '" + file + "' is not a waveform; expected a .vcd or .fst file");
        }
        own = is_wave && own.empty() ? map : own;
        if (is_wave && own.empty()) {
            add_error(errors, file, "is a waveform; expected --map FILE, which defines its events");
        }
        return is_wave;
    };
    const bool is_expected_wave = check(event_files[0], "--expected-map", expected_map);
    const bool is_actual_wave = check(event_files[1], "--actual-map", actual_map);
    if (!map.empty() && !is_expected_wave && !is_actual_wave) {
        add_error(errors, "--map",
                  "has no effect, because neither file is a waveform; expected a .vcd or .fst file");
    }
}

}  // namespace weir::tb
