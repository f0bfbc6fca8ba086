// A congestion control sets a sender's window: the part of TCP in which NewReno, DCTCP, Cubic and Vegas differ.
//
// The sender (tcp_sender.h) finds out what was lost and what to send next; the algorithm only says how many
// bytes may be outstanding. One algorithm object serves all senders of a host and has no state of its own. What
// it keeps of a transfer is a struct of its own that begins with `congestion_state`; the host has one for each
// sender (flow_states.h). Kinds are registered by name in traffic/congestion/congestion_kinds.h.
//
//   newreno algorithm{1460_B};
//   newreno_state s;
//   algorithm.open(s, 3 * 1460, 1 << 20);
//   algorithm.on_ack(s, event);               // s.cwnd has grown by one segment
#pragma once

#include <cstddef>
#include <cstdint>

#include "weir/base/enum_names.h"
#include "weir/traffic/congestion/ack_event.h"

namespace weir::traffic {

/// A kind of congestion control that congestion_kinds.h registers. The first one is NewReno.
enum class congestion_kind : std::uint8_t {};

/// How windows grow in congestion avoidance.
enum class avoidance_growth : std::uint8_t { per_window, per_ack };
constexpr auto names_of(avoidance_growth) {
    return enum_names<avoidance_growth>({
        {avoidance_growth::per_window, "per_window",
         "one segment whenever a window's worth of bytes has been confirmed (RFC 5681 3.1, RFC 3465)"},
        {avoidance_growth::per_ack, "per_ack",
         "MSS^2 / cwnd, at least 1 B, with each ACK, however much it confirms (RFC 5681 eq. 3)"},
    });
}

/// What every algorithm has.
struct congestion_state {
    /// Unit: B. At least one segment.
    std::uint64_t cwnd = 0;
    /// Slow start below it, congestion avoidance from it on. Unit: B.
    std::uint64_t ssthresh = 0;
    /// The window was cut, for whatever reason, and nothing new has been sent since: the next new segment of an
    /// ECN-capable sender has CWR (RFC 3168 6.1.2).
    bool reduced = false;
};

class congestion_control {
 public:
    virtual ~congestion_control() = default;

    /// Size of what it keeps of a transfer: a trivially copyable struct that derives from `congestion_state`,
    /// in which zeros are a good beginning.
    virtual std::size_t state_bytes() const = 0;
    /// Data transmission begins; what derives from `s` is all zeros.
    virtual void open(congestion_state& s, std::uint64_t initial_window, std::uint64_t ssthresh) const = 0;
    /// New data confirmed, outside loss recovery.
    virtual void on_ack(congestion_state& s, const ack_event& ack) const = 0;
    /// A duplicate ACK outside recovery, or one below the threshold.
    virtual void on_duplicate(congestion_state& s, const ack_event& ack) const = 0;
    /// The threshold of duplicates is reached. `flight`: bytes sent and not confirmed.
    virtual void on_loss(congestion_state& s, std::uint64_t flight, std::uint32_t duplicates) const = 0;
    /// A further duplicate in recovery: one more segment has left the network.
    virtual void on_recovery_duplicate(congestion_state& s, const ack_event& ack) const = 0;
    /// An ACK of a part of what was outstanding when recovery began.
    virtual void on_partial_ack(congestion_state& s, const ack_event& ack) const = 0;
    /// All that was outstanding when recovery began is confirmed.
    virtual void on_recovered(congestion_state& s, const ack_event& ack) const = 0;
    /// The retransmission timer ran out. `repeated`: for the second time or more on the same segment.
    virtual void on_timeout(congestion_state& s, std::uint64_t flight, bool repeated) const = 0;
    /// True if `tcp.avoidance` says how the window grows in congestion avoidance, as for NewReno.
    virtual bool reads_avoidance() const { return true; }
    /// Whether data is sent as ECT(0).
    virtual bool ecn_capable() const { return false; }
    /// Whether receivers repeat ECE until a segment with CWR comes (RFC 3168 6.1.3). Else the ECE of an ACK
    /// says whether the segments that it is for were marked (RFC 8257 3.2).
    virtual bool latches_echo() const { return false; }
    /// Whether marks have cut the window and what was outstanding then is not all confirmed yet (`una`: the
    /// first byte that is not).
    virtual bool is_cut_by_marks(const congestion_state&, std::uint64_t /*una*/) const { return false; }
    /// Whether each ACK that confirms new data shall measure a round-trip time. The sender then keeps when each
    /// segment was sent.
    virtual bool wants_round_trips() const { return false; }
    /// Whether ACKs of new data shall come with `ack_event::smoothed_round_trip`.
    virtual bool wants_smoothed_round_trip() const { return false; }
    /// Whether each ACK that confirms new data shall come with `ack_event::telemetry`. Switches have to append
    /// it (`switch.telemetry`).
    virtual bool wants_telemetry() const { return false; }
};

}  // namespace weir::traffic
