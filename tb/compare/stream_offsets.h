// Constant offsets of whole streams: what a block with more latency, or a recording that began at another time,
// makes of every event.
//
//   likely_distances(stream, 3);               // {2, 12, -8}: how much later equal events mostly are
//   align_shifted(stream, limits);             // pairs events whose times may all be off by the same
//   best_offset(stream, limits);               // at which most events agree
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tb/compare/event_streams.h"
#include "tb/compare/stream_alignment.h"

namespace weir::tb {

/// Distances (actual less expected time) that most pairs of events with equal values have, the most frequent
/// first, of equally frequent ones the smallest. Of long streams, and of events that are all alike, a sample is
/// looked at: 1,024 events, with 64 others each before and after. Unit: cycle.
std::vector<std::int64_t> likely_distances(const event_stream& stream, std::size_t most);

/// Aligns a stream whose times may all be off by the same: a shift must not be taken for events that are
/// missing at one end and extra at the other. The steps are the alignment; errors still count without offset.
alignment align_shifted(const event_stream& stream, const match_limits& limits);

/// Of the distances of the first and of the last events, the likely ones and 0 the one with the fewest errors;
/// of several such the smallest. Unit: cycle.
std::int64_t best_offset(const event_stream& stream, const match_limits& limits);

/// The likeliest distance of most streams; of several such the smallest. Unit: cycle.
std::int64_t common_offset(const event_streams& streams);

}  // namespace weir::tb
