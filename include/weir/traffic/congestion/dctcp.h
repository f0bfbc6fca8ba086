// DCTCP (RFC 8257; SIGCOMM 2010): NewReno, but marks cut the window by half of an estimate of the share of
// bytes that come back marked, so that queues which mark from a low threshold on stay short and links stay
// busy. The estimate is brought up to date once per window of data; losses are NewReno's. Receivers echo each
// mark.
//
//   dctcp algorithm{1460_B};
//   dctcp_state s;
//   algorithm.open(s, 10 * 1460, 1 << 20);     // alpha = 1: the first mark halves the window
#pragma once

#include "weir/traffic/congestion/newreno_ecn.h"

namespace weir::traffic {

struct dctcp_state : newreno_ecn::state {
    /// Estimate of the share of bytes that are marked. Range: 0 to 1.
    double alpha = 1;
    /// Bytes confirmed in this window of data, and those of them by ACKs with ECE. Both are below 2^32, because
    /// no receive window is above 2^30.
    std::uint32_t acked = 0;
    std::uint32_t marked = 0;
    /// End of this window of data. Unit: B.
    std::uint64_t window_end = 0;
};
static_assert(sizeof(dctcp_state) == 64, "one cache line");

class dctcp final : public newreno_ecn {
 public:
    using state = dctcp_state;

    /// `gain`: RFC 8257's g, the weight of the latest window in the estimate. `initial_alpha`: the estimate
    /// before the first window, from 0 to 1.
    explicit dctcp(bytes mss, std::uint32_t slow_start_limit = 1,
                   avoidance_growth growth = avoidance_growth::per_window, double gain = 1.0 / 16,
                   double initial_alpha = 1)
        : newreno_ecn(mss, slow_start_limit, growth), m_gain(gain), m_initial_alpha(initial_alpha) {}

    std::size_t state_bytes() const override { return sizeof(dctcp_state); }
    void open(congestion_state& s, std::uint64_t initial_window, std::uint64_t ssthresh) const override;
    void note_ack(congestion_state& s, const ack_event& ack) const override;
    bool latches_echo() const override { return false; }
    void on_marks(congestion_state& s, std::uint64_t flight) const override;

 private:
    double m_gain;
    double m_initial_alpha;
};

}  // namespace weir::traffic
