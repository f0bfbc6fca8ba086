// How large a sender's window is: the part of TCP in which NewReno, DCTCP, Cubic and Vegas differ.
//
// The sender (tcp_sender.h) finds out what was lost and what to send next; the algorithm only says how many
// bytes may be outstanding. One algorithm object serves all senders of a host and has no state of its own;
// each sender has one `congestion_state`, of which the algorithm uses `scratch` as it likes.
//
//   newreno algorithm{1460_B};
//   congestion_state s;
//   algorithm.open(s, 3 * 1460, 1 << 20);
//   algorithm.on_ack(s, event);               // s.cwnd has grown by one segment
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "weir/base/time.h"
#include "weir/base/units.h"

namespace weir {

struct congestion_state {
    /// Unit: B. At least one segment.
    std::uint64_t cwnd = 0;
    /// Slow start below it, congestion avoidance from it on. Unit: B.
    std::uint64_t ssthresh = 0;
    /// The algorithm's own.
    std::array<std::uint64_t, 5> scratch{};
};

/// What one ACK tells. Sequences and lengths in B.
struct ack_event {
    /// Bytes that this ACK confirms for the first time; 0 in a duplicate.
    std::uint64_t acked_bytes;
    /// First byte that is not confirmed, with this ACK.
    std::uint64_t una;
    /// End of what was ever sent; `max - una` is RFC 5681's FlightSize after this ACK.
    std::uint64_t max;
    picoseconds now;
    /// Round-trip time if this ACK ends a measurement (one per window, Karn's rule kept); else 0.
    picoseconds round_trip;
    /// The receiver saw CE on the segments that this ACK is for.
    bool ecn_echo;
};

class congestion_control {
 public:
    virtual ~congestion_control() = default;

    /// Data transmission begins.
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
    /// Whether data is sent as ECT(0).
    virtual bool ecn_capable() const { return false; }
};

/// RFC 5681 with byte counting, and RFC 6582's windows in recovery. Ignores ECN.
class newreno : public congestion_control {
 public:
    /// `slow_start_limit`: most that one ACK adds to the window in slow start (RFC 3465's L), and not beyond
    /// ssthresh; one segment after a timeout, whatever it is (RFC 3465 2.3). Unit: segments. 0 = all that the
    /// ACK confirms.
    explicit newreno(bytes mss, std::uint32_t slow_start_limit = 1)
        : m_mss(static_cast<std::uint64_t>(mss.count())),
          m_slow_start_most(slow_start_limit == 0 ? ~std::uint64_t{0} : slow_start_limit * m_mss) {}

    void open(congestion_state& s, std::uint64_t initial_window, std::uint64_t ssthresh) const override;
    void on_ack(congestion_state& s, const ack_event& ack) const override;
    void on_duplicate(congestion_state&, const ack_event&) const override {}
    void on_loss(congestion_state& s, std::uint64_t flight, std::uint32_t duplicates) const override;
    void on_recovery_duplicate(congestion_state& s, const ack_event& ack) const override;
    void on_partial_ack(congestion_state& s, const ack_event& ack) const override;
    void on_recovered(congestion_state& s, const ack_event& ack) const override;
    void on_timeout(congestion_state& s, std::uint64_t flight, bool repeated) const override;

 protected:
    std::uint64_t mss() const { return m_mss; }
    /// RFC 5681 eq. 4.
    std::uint64_t half_of(std::uint64_t flight) const { return std::max(flight / 2, 2 * m_mss); }

 private:
    /// Index in `scratch`: bytes confirmed since the window last grew, in congestion avoidance.
    static constexpr unsigned counted = 0;
    /// The same: 1 in the slow start that follows a timeout.
    static constexpr unsigned after_timeout = 1;
    std::uint64_t m_mss;
    /// Unit: B.
    std::uint64_t m_slow_start_most;
};

}  // namespace weir
