// Compares two tables of events, stream by stream, and says what is wrong with which event.
//
//   comparison result = compare_events({expected, actual, streams}, options, accepted);
//   result.passed();                 // no mismatch that is not waived
//   result.mismatches.front();       // the first one: the blocks in the order of the file, then by time
//   result.offsets;                  // +3 cycles: 12 streams
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "tb/verify/compare/stream_alignment.h"
#include "tb/verify/compare/waivers.h"
#include "tb/verify/events/event_streams.h"
#include "weir/base/enum_names.h"

namespace weir::tb {

enum class stream_offset : std::uint8_t {
    none,   ///< times as they are
    first,  ///< each stream is moved so that as many of its events as can be fall together
    all     ///< all streams are moved by what most streams' events mostly are apart
};
constexpr auto names_of(stream_offset) {
    return enum_names<stream_offset>(
        {{stream_offset::none, "none"}, {stream_offset::first, "first"}, {stream_offset::all, "all"}});
}

struct event_mismatch {
    mismatch_kind kind = mismatch_kind::missing;
    /// Place in the streams.
    std::size_t stream = 0;
    /// Place in the stream's steps.
    std::size_t step = 0;
    /// Of the expected event, of the actual one where none was expected. Unit: cycle.
    std::int64_t time = 0;
    /// Actual less expected time, less the offset; for `late`. Unit: cycle.
    std::int64_t late_by = 0;
    bool waived = false;
};

/// What was found out of one stream.
struct stream_result {
    /// Taken off the actual times. Unit: cycle.
    std::int64_t offset = 0;
    alignment events;
    /// All events that have the same values are so much later than expected. Nothing: they differ, or are none.
    /// Unit: cycle.
    std::optional<std::int64_t> constant_offset;
};

struct comparison {
    /// One per stream.
    std::vector<stream_result> streams;
    std::vector<event_mismatch> mismatches;
    /// Number of mismatches, waived ones left out, by mismatch_kind.
    std::array<std::size_t, 4> count{};
    std::size_t waived = 0;
    /// Events that agree.
    std::size_t matched = 0;
    /// Number of streams with each constant offset that is not 0, by offset. Unit: cycle.
    std::map<std::int64_t, std::size_t> offsets;

    bool passed() const { return count == std::array<std::size_t, 4>{}; }
    /// Neither side had an event.
    bool empty() const { return matched == 0 && mismatches.empty(); }
};

struct comparison_options {
    match_limits limits;
    stream_offset offset = stream_offset::none;
    /// There is no time: only the order counts.
    bool timed = true;
};

/// Two tables, and the streams of both.
struct compared_events {
    const event_table& expected;
    const event_table& actual;
    const event_streams& streams;
};

/// Marks the waivers that are used.
comparison compare_events(const compared_events& events, const comparison_options& options, waivers& accepted);

}  // namespace weir::tb
