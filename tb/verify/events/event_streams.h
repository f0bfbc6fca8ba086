// Two tables of events, cut into streams: events of one key, in the order of the file.
//
//   event_streams streams = make_streams(expected, actual, roles, errors);
//   streams[0].expected[3].time;      // unit: cycle
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tb/verify/events/column_roles.h"
#include "tb/verify/events/event_table.h"

namespace weir::tb {

/// A duration that the file leaves empty.
inline constexpr std::int64_t no_duration = std::numeric_limits<std::int64_t>::min();
/// Largest time or duration. Unit: cycle.
inline constexpr std::int64_t most_event_cycles = std::int64_t{1} << 60;

struct stream_event {
    /// Unit: cycle; 0 where the files have no time.
    std::int64_t time = 0;
    /// Equal for events whose values are all equal.
    std::uint32_t values = 0;
    /// Place in the table.
    std::uint32_t row = 0;
    /// The columns `ends` (as distance from `time`), then `durations`. Unit: cycle.
    std::vector<std::int64_t> durations;
};

struct event_stream {
    /// Texts of the key's columns, as the stream's first event has them.
    std::vector<std::string> key;
    /// Streams with one number are parts of the same block's run: their keys are equal but for the signal.
    std::uint32_t scope = 0;
    std::vector<stream_event> expected;
    std::vector<stream_event> actual;
};

/// In the order of their first event, those of the expected file first.
using event_streams = std::vector<event_stream>;

/// Whole numbers are equal in any notation (`0x08`, `8`), other texts if they are the same (bit_text.h).
bool same_value(const std::string& a, const std::string& b);

/// Errors: a time or a duration that is no whole number.
event_streams make_streams(const event_table& expected, const event_table& actual, const column_roles& roles,
                           config_errors& errors);

}  // namespace weir::tb
