#include "tb/run/arguments/commands.h"

#include <algorithm>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "tb/run/options/load_config.h"
#include "tb/support/process/exit_status.h"
#include "tb/verify/compare/compare_arguments.h"
#include "tb/verify/compare/comparison_report.h"
#include "tb/verify/compare/waivers.h"
#include "tb/verify/events/waveform_events.h"

namespace weir::tb {

namespace {

/// `map`: of a waveform.
event_table read_events(const std::string& path, const std::string& map, config_errors& errors) {
    if (map.empty()) {
        return read_event_csv(path, errors);
    }
    const std::size_t before = errors.size();
    const signal_map signals = read_signal_map(map, errors);
    return errors.size() == before ? read_waveform_events(path, signals, errors) : event_table{};
}

}  // namespace

int compare_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err) {
    compare_arguments given;
    if (const std::optional<int> status = read_or_end(given, args, out, err)) {
        return *status;
    }
    config_errors errors;
    event_table expected = read_events(given.event_files[0], given.expected_map, errors);
    event_table actual = read_events(given.event_files[1], given.actual_map, errors);
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    for (const event_filter& filter : given.only) {
        keep_only(expected, actual, filter, errors);
    }
    const column_roles roles = find_roles(expected, actual, given.columns, errors);
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    const event_streams streams = make_streams(expected, actual, roles, errors);
    waivers accepted;
    for (const std::string& path : given.waivers) {
        accepted.read(path, expected, errors);
    }
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    given.options.timed = roles.has_time();
    const comparison result = compare_events({expected, actual, streams}, given.options, accepted);
    write_report(out, {given, expected, actual, roles, streams, result, accepted});
    return result.passed() && (given.allow_empty || !result.empty()) ? exit_status::success
                                                                     : exit_status::verdict;
}

}  // namespace weir::tb
