// What each column of the compared files is: part of a stream's key, the time, a duration, a value, or nothing
// that is compared. Read off the names, so that the golden traces need no options; each can be given instead.
//
//   column_roles roles = find_roles(expected, actual, column_choice{}, errors);
//   roles.time;       // {"cycle"}
//   roles.key;        // {"config", "scenario", "signal"}
//   roles.ignored;    // {"time_ns"}: says the same again
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tb/compare/event_table.h"
#include "weir/base/config_error.h"

namespace weir::tb {

/// As the user gave them; nothing: by the names.
struct column_choice {
    std::optional<std::vector<std::string>> key;
    /// At most one.
    std::optional<std::vector<std::string>> time;
    std::optional<std::vector<std::string>> ends;
    std::optional<std::vector<std::string>> durations;
    std::optional<std::vector<std::string>> state;
    /// Besides those that say again what a compared column says.
    std::vector<std::string> ignored;
};

struct column_roles {
    /// Events with equal values here are one stream.
    std::vector<std::string> key;
    /// The last part of the key names one of several things that one block does (signal, class): the others
    /// are its state.
    bool key_ends_in_signal = false;
    /// One column with whole numbers, or none: only the order counts. Unit: cycle.
    std::vector<std::string> time;
    /// Points of time that are compared as the distance from `time`. Unit: cycle.
    std::vector<std::string> ends;
    /// Unit: cycle.
    std::vector<std::string> durations;
    /// Texts, or whole numbers in any notation.
    std::vector<std::string> values;
    /// Those values that are not seen from outside the block, such as an arbiter's pointers.
    std::vector<std::string> state;
    std::vector<std::string> ignored;

    /// What times and durations are counted in, by the end of the time's name: `ns` of `time_ns`; else nothing,
    /// which stands for cycles.
    std::string time_unit() const;
};

/// A number of cycles, or of the time's unit: `1 cycle`, `5 ns`.
std::string duration_text(std::int64_t count, const column_roles& roles);
/// The same with its sign.
std::string signed_duration_text(std::int64_t count, const column_roles& roles);

/// Columns that look like times and are compared as values, because nothing is the time: said in the report.
std::vector<std::string> unused_times(const column_roles& roles);

/// Errors: a column that one file has and the other has not, a name that is in neither, a column given twice.
column_roles find_roles(const event_table& expected, const event_table& actual, const column_choice& choice,
                        config_errors& errors);

/// For `weir compare --help` and docs/compare.md: which names stand for what.
extern const char* const role_names_help;

}  // namespace weir::tb
