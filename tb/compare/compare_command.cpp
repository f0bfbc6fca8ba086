#include "tb/compare/compare_command.h"

#include "tb/compare/compare_arguments.h"
#include "tb/compare/comparison_report.h"
#include "tb/compare/waivers.h"
#include "tb/compare/waveform_events.h"
#include "tb/options/load_config.h"
#include "tb/process/exit_status.h"

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
    compare_arguments given = read_compare_arguments(args);
    if (given.help) {
        out << compare_usage();
        return 0;
    }
    config_errors errors = given.errors;
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    event_table expected = read_events(given.expected, given.expected_map, errors);
    event_table actual = read_events(given.actual, given.actual_map, errors);
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    keep_only(expected, actual, given.only, errors);
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
    given.options.timed = !roles.time.empty();
    const comparison result =
        compare_events(streams, given.options, [&](mismatch_kind kind, bool is_expected, std::uint32_t row) {
            const event_table& table = is_expected ? expected : actual;
            return accepted.waive(kind, table, table.rows[row]);
        });
    write_report(out, {expected, actual, roles, streams, result, given.options, accepted.count(),
                       accepted.unused(), given.most_listed, given.context, given.allow_empty});
    return result.passed() && (given.allow_empty || !result.empty()) ? exit_status::success
                                                                     : exit_status::verdict;
}

}  // namespace weir::tb
