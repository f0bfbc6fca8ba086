// What one ACK tells a sender's algorithms: its congestion control and its choice of a path.
#pragma once

#include <cstdint>

#include "weir/base/time.h"
#include "weir/protocol/frame_annex.h"

namespace weir::traffic {

/// Condition of options of TCP.
inline constexpr const char* over_tcp = "tcp_is_used";

/// Sequences and lengths in B.
struct ack_event {
    /// Bytes that this ACK confirms for the first time; 0 in a duplicate.
    std::uint64_t acked_bytes;
    /// First byte that is not confirmed, with this ACK.
    std::uint64_t una;
    /// End of what was ever sent; `max - una` is RFC 5681's FlightSize after this ACK.
    std::uint64_t max;
    picoseconds now;
    /// A round-trip time that this ACK measures, Karn's rule kept; else 0. One per window; where the congestion
    /// control asks for more (`congestion_control::wants_round_trips`), with each ACK that confirms new data.
    picoseconds round_trip;
    /// The receiver saw CE on the segments that this ACK is for.
    bool ecn_echo;
    /// Of the segment that this ACK answers (`ethernet_frame::path_tag`).
    std::uint16_t path_tag = 0;
    /// What the switches said that the segment passed whose arrival caused the ACK; each record comes back
    /// once. Null where switches say nothing, in an ACK that a timer or a change of marks caused, and where the
    /// congestion control does not ask (`wants_telemetry`).
    const frame_annex* telemetry = nullptr;
    /// RFC 6298's SRTT, this ACK's sample counted; 0 before the first one, and where the congestion control
    /// does not ask (`wants_smoothed_round_trip`).
    picoseconds smoothed_round_trip{0};
    /// Most that the receiver lets the sender have outstanding; no bound where the congestion control asks for
    /// no round-trip times. Unit: B.
    std::uint64_t receive_window = ~std::uint64_t{0};
};

}  // namespace weir::traffic
