// What each column of the compared files is: part of a stream's key, the time, a duration, a value, or nothing
// that is compared. Read off the names, so that the golden traces need no options; each can be given instead.
//
//   column_roles roles = find_roles(expected, actual, column_choice{}, errors);
//   roles.time();                       // "cycle"
//   roles.of(column_role::key);         // {"config", "scenario", "signal"}
//   roles.of(column_role::ignored);     // {"time_ns"}: says the same again
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tb/verify/events/event_table.h"
#include "weir/base/config_error.h"
#include "weir/base/enum_names.h"

namespace weir::tb {

enum class column_role : std::uint8_t {
    key,        ///< events with equal values here are one stream
    time,       ///< one column with whole numbers, or none: only the order counts. Unit: cycle
    ends,       ///< points of time that are compared as the distance from the time. Unit: cycle
    durations,  ///< unit: cycle
    state,      ///< values that are not seen from outside the block, such as an arbiter's pointers
    ignored,    ///< not compared
    values,     ///< texts, or whole numbers in any notation; those of the state, too
    count
};
/// The options that choose columns; none chooses values.
constexpr auto names_of(column_role) {
    return enum_names<column_role>({{column_role::key, "key"},
                                    {column_role::time, "time"},
                                    {column_role::ends, "ends"},
                                    {column_role::durations, "durations"},
                                    {column_role::state, "state"},
                                    {column_role::ignored, "ignore"},
                                    {column_role::values, "values"}});
}

using column_names = std::vector<std::string>;
template <class T>
using by_role = std::array<T, static_cast<std::size_t>(column_role::count)>;

/// Columns as the user gave them; nothing: by the names.
using column_choice = by_role<std::optional<column_names>>;

struct column_roles {
    by_role<column_names> names;
    /// The last part of the key names one of several things that one block does (signal, class): the others
    /// are its state.
    bool key_ends_in_signal = false;

    column_names& of(column_role role) { return names[static_cast<std::size_t>(role)]; }
    const column_names& of(column_role role) const { return names[static_cast<std::size_t>(role)]; }
    bool has_time() const { return !of(column_role::time).empty(); }
    /// Precondition: there is a time.
    const std::string& time() const { return of(column_role::time).front(); }
};

/// A number of cycles, or of the unit that ends the time's name (`ns` of `time_ns`): `1 cycle`, `5 ns`.
std::string duration_text(std::int64_t count, const column_roles& roles);
/// The same with its sign.
std::string signed_duration_text(std::int64_t count, const column_roles& roles);

/// Columns that look like times and are compared as values, because nothing is the time: said in the report.
column_names unused_times(const column_roles& roles);

/// Errors: a column that one file has and the other has not, a name that is in neither, a column given twice.
column_roles find_roles(const event_table& expected, const event_table& actual, const column_choice& choice,
                        config_errors& errors);

/// For `weir compare --help` and docs/compare.md: which names stand for what.
std::string role_names_help();

}  // namespace weir::tb
