// NewReno: RFC 5681, by default with byte counting, and RFC 6582's windows in recovery. Ignores ECN.
//
//   newreno algorithm{1460_B};
//   newreno_state s;
//   algorithm.open(s, 3 * 1460, 1 << 20);
#pragma once

#include <algorithm>
#include <cstdint>

#include "weir/base/units.h"
#include "weir/traffic/congestion/congestion_control.h"

namespace weir::traffic {

struct newreno_state : congestion_state {
    /// In the slow start that follows a timeout.
    bool after_timeout = false;
    /// Bytes confirmed since the window last grew, in congestion avoidance.
    std::uint64_t counted = 0;
};

class newreno : public congestion_control {
 public:
    using state = newreno_state;

    /// `slow_start_limit`: most that one ACK adds to the window in slow start (RFC 3465's L), and not beyond
    /// ssthresh; one segment after a timeout, whatever it is (RFC 3465 2.3). Unit: segments. 0 = all that the
    /// ACK confirms.
    explicit newreno(bytes mss, std::uint32_t slow_start_limit = 1,
                     avoidance_growth growth = avoidance_growth::per_window)
        : m_mss(static_cast<std::uint64_t>(mss.count())),
          m_slow_start_most(slow_start_limit == 0 ? ~std::uint64_t{0} : slow_start_limit * m_mss),
          m_growth(growth) {}

    std::size_t state_bytes() const override { return sizeof(newreno_state); }
    void open(congestion_state& s, std::uint64_t initial_window, std::uint64_t ssthresh) const override;
    void on_ack(congestion_state& s, const ack_event& ack) const override { newreno::grow(s, ack); }
    void on_duplicate(congestion_state&, const ack_event&) const override {}
    void on_loss(congestion_state& s, std::uint64_t flight, std::uint32_t duplicates) const override;
    void on_recovery_duplicate(congestion_state& s, const ack_event& ack) const override;
    void on_partial_ack(congestion_state& s, const ack_event& ack) const override;
    void on_recovered(congestion_state& s, const ack_event& ack) const override;
    void on_timeout(congestion_state& s, std::uint64_t flight, bool repeated) const override;

    /// New data confirmed, outside loss recovery, and nothing of it marked.
    void grow(congestion_state& s, const ack_event& ack) const;
    /// What an ACK of new data says, whether or not the window may grow: in recovery, and with marks, too.
    virtual void note_ack(congestion_state&, const ack_event&) const {}

 protected:
    std::uint64_t mss() const { return m_mss; }
    void slow_start(congestion_state& s, const ack_event& ack) const;
    /// Both windows become `left` bytes, or two segments where that is less.
    void cut_to(congestion_state& s, std::uint64_t left) const;
    /// RFC 5681 eq. 4.
    std::uint64_t half_of(std::uint64_t flight) const { return std::max(flight / 2, 2 * m_mss); }

 private:
    std::uint64_t m_mss;
    /// Unit: B.
    std::uint64_t m_slow_start_most;
    avoidance_growth m_growth;
};

}  // namespace weir::traffic
