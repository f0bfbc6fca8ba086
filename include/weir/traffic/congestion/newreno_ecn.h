// NewReno that listens to marks (RFC 3168): data is sent as ECT(0), and a window of which some segment came
// marked is halved as if one had been lost, at most once per window of data. The ACK that tells so does not
// make the window grow. Receivers echo each segment's mark (tcp_receiver.h), so no CWR is needed to make them
// stop.
//
//   newreno_ecn algorithm{1460_B};
//   newreno_ecn_state s;
//   algorithm.open(s, 3 * 1460, 1 << 20);
#pragma once

#include "weir/traffic/congestion/newreno.h"

namespace weir::traffic {

struct newreno_ecn_state : newreno_state {
    /// End of what had been sent when the window was last halved for a mark. Unit: B.
    std::uint64_t halved_until = 0;
};

class newreno_ecn final : public newreno {
 public:
    using newreno::newreno;

    std::size_t state_bytes() const override { return sizeof(newreno_ecn_state); }
    void on_ack(congestion_state& s, const ack_event& ack) const override;
    bool ecn_capable() const override { return true; }
};

}  // namespace weir::traffic
