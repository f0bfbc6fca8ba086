// What a frame, and a whole transfer, take through stages that carry nothing else: exact integers.
//
// A stage serves one frame at a time, in order: a wire, a crossbar, a lookup engine that takes one frame per
// interval. A transfer's segments leave back to back, as with an infinite window, and follow each other from
// stage to stage.
//
// Where crossbars move cells, in slots at whole multiples of a slot time, a frame waits for the next slot, and
// what a transfer takes depends on when it starts. The times here are then the least over all starts: a
// transfer takes as long if it starts at a good moment, and up to a slot per switch longer otherwise.
//
//   picoseconds one_way = frame_time(stages, 1530_B, delays);
//   picoseconds ideal = ideal_completion(stages, 32_KB, delays);
#pragma once

#include <cstdint>
#include <vector>

#include "weir/base/time.h"
#include "weir/base/units.h"

namespace weir::model {

/// The delays that do not belong to links.
struct unloaded_delays {
    /// Preamble, start-of-frame delimiter and inter-frame gap, on wires and in crossbars that move whole
    /// frames. IEEE 802.3: 20 B; DeTail counts none.
    bytes wire_overhead{20};
    /// From a frame's last bit to its place in a VOQ. DeTail 7.1: 3.1 us. Range: >= 0.
    picoseconds lookup_delay{3100ns};
    /// From one lookup of a switch to the next. 0: no limit. Range: >= 0.
    picoseconds lookup_interval{0};
    /// A switch's crossbar moves a frame at this times the rate of its fastest port. 0: there is none, as with
    /// a shared memory. DeTail: 4.
    std::uint32_t speedup = 4;
    /// What a crossbar moves in one slot. 0: whole frames, at any time. Range: >= 0.
    bytes cell{0};
    /// From the application to the NIC. Range: >= 0.
    picoseconds stack_out{0};
    /// From a frame's last bit to the application. Range: >= 0.
    picoseconds stack_in{0};
    /// Payload of a full segment. Range: >= 1 B.
    bytes segment_payload{1460};
    /// What a segment adds to its payload, destination address to FCS: Ethernet 14 + 4, IPv4 20, TCP 20.
    bytes header{58};
    /// Shorter frames are padded. IEEE 802.3: 64 B.
    bytes min_frame{64};
    /// A frame without payload goes there and another one comes back before the data.
    bool handshake = false;
    /// What these two have beyond their header.
    bytes syn_options{0};
    /// Another frame without payload goes right before the data.
    bool handshake_ack = false;
    /// Each frame of a transfer may take another path (unloaded_spread.h).
    bool spread = false;

    /// Length of the frame that carries `payload`.
    bytes frame_length(bytes payload) const {
        const bytes length = payload + header;
        return length < min_frame ? min_frame : length;
    }
};

/// A server that frames pass one at a time, in order, and a delay after it that they pass side by side.
struct path_stage {
    /// Of the wire, or of the crossbar; 0: of a lookup.
    bit_rate rate{0};
    /// From the end of this stage's service to the start of the next one's. Below 0 after a lookup that is done
    /// before the next one may start.
    picoseconds delay_after{0};
    /// Above 0: a crossbar that moves cells. A frame begins at a whole multiple of it, and takes one per cell.
    picoseconds slot{0};
    /// Of a lookup, or above 0: it takes so long whatever the frame.
    picoseconds interval{0};
};

/// The stages of one path: NIC, and per switch the lookup if it has an interval, the crossbar and the egress
/// port.
using path_stages = std::vector<path_stage>;

/// How long a frame of this length occupies the stage.
picoseconds service_time(const path_stage& stage, bytes frame_length, const unloaded_delays& delays);

/// Segments of a transfer: `full` equal ones, then one of `last` bytes of payload.
struct segmentation {
    std::int64_t full;
    bytes last;
};
segmentation segments_of(bytes transfer, const unloaded_delays& delays);

/// From the first bit that leaves the source to the last bit at the destination, for one frame.
picoseconds frame_time(const path_stages& stages, bytes frame_length, const unloaded_delays& delays);

/// From the application's start to the last byte at the receiver's application, without a handshake. A transfer
/// of 0 B is one empty segment. Where no stage has slots. `by_recursion` follows each segment through each
/// stage (finish = max(finish of the segment before, own arrival) + service); `in_closed_form` uses that all
/// segments but the last are equal.
picoseconds completion_by_recursion(const path_stages& stages, bytes transfer, const unloaded_delays& delays);
picoseconds completion_in_closed_form(const path_stages& stages, bytes transfer, const unloaded_delays& delays);

/// Longest transfer, in segments, that `ideal_completion` follows one by one.
inline constexpr std::int64_t recursion_segments = 64;
/// Most segments that it follows one by one where there are slots, before it takes their pattern to repeat.
inline constexpr std::int64_t slotted_segments = 4096;

/// Most starts that are tried for one time.
inline constexpr std::int64_t most_starts = 8192;

/// As the above, for any stages. With slots it is exact up to 64 segments, and beyond where the waits for slots
/// repeat within 64 segments, as they do for the usual frames and cells; else within a slot per switch. Where
/// the switches' slots have so long a common multiple that more than `most_starts` starts would have to be
/// tried, it is the time without any wait for a slot: not above the least, and below it by at most a slot per
/// switch and way.
picoseconds ideal_completion(const path_stages& stages, bytes transfer, const unloaded_delays& delays);
/// With a handshake before; `back` leads from the destination to the source.
picoseconds ideal_completion_with_handshake(const path_stages& there, const path_stages& back, bytes transfer,
                                            const unloaded_delays& delays);

/// What the transfer takes if it starts at this time. Range: start >= 0. `back`: null without a handshake.
picoseconds completion_from(picoseconds start, const path_stages& there, const path_stages* back,
                            bytes transfer, const unloaded_delays& delays);

}  // namespace weir::model
