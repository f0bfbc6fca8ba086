// Which event of one stream belongs to which of the other: in order, with the fewest and smallest errors.
//
// A scoreboard that takes events strictly by number calls everything wrong after the first one that is
// missing. Here events are aligned as lines are by `diff`, and times count too: of two alignments the one is
// taken whose errors weigh less.
//
//   alignment a = align(stream.expected, stream.actual, limits, 0);
//   a.steps[7];        // {7, 6}: expected event 7 is actual event 6; -1: none
//   a.errors;          // steps that are not a plain match
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tb/verify/events/event_streams.h"

#include "weir/base/enum_names.h"

namespace weir::tb {

/// How far events may be apart and still be the same.
struct match_limits {
    /// Unit: cycle.
    std::int64_t tolerance = 0;
    /// Unit: cycle.
    std::int64_t duration_tolerance = 0;
    /// Most events of a stream that may stand between an event's expected and its actual place.
    std::size_t reorder_depth = 0;
};

enum class mismatch_kind : std::uint8_t {
    missing,   ///< expected, and not there
    extra,     ///< there, and not expected
    late,      ///< the same values beyond the tolerance of time, after or before
    different  ///< in its place and time, with other values or durations
};
constexpr auto names_of(mismatch_kind) {
    return enum_names<mismatch_kind>({{mismatch_kind::missing, "missing"},
                                      {mismatch_kind::extra, "extra"},
                                      {mismatch_kind::late, "late"},
                                      {mismatch_kind::different, "different"}});
}

struct alignment_step {
    /// Places in the stream's events; -1: none.
    std::int64_t expected = -1;
    std::int64_t actual = -1;
};

struct alignment {
    /// Both streams in order. A pair that reordering allows stands where its expected event does.
    std::vector<alignment_step> steps;
    std::size_t errors = 0;
};

/// What two events that belong together are to each other.
struct pair_check {
    bool same_values = false;
    bool in_time = false;
    bool same_durations = false;
    bool good() const { return same_values && in_time && same_durations; }
};

/// `offset`: what every actual time is expected to be later. Unit: cycle.
pair_check check_pair(const stream_event& expected, const stream_event& actual, const match_limits& limits,
                      std::int64_t offset);

alignment align(const std::vector<stream_event>& expected, const std::vector<stream_event>& actual,
                const match_limits& limits, std::int64_t offset);

}  // namespace weir::tb
