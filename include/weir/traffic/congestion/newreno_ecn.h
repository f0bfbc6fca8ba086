// NewReno that listens to marks (RFC 3168): data is sent as ECT(0), and a window of which some segment came
// marked is halved as if one had been lost, at most once per window of data. The ACK that tells so does not
// make the window grow. Receivers echo each segment's mark (tcp_receiver.h), so no CWR is needed to make them
// stop.
//
//   newreno_ecn algorithm{1460_B};
//   endpoint_options options;
//   options.congestion = &algorithm;
#pragma once

#include "weir/traffic/congestion/congestion_control.h"

namespace weir {

class newreno_ecn final : public newreno {
 public:
    using newreno::newreno;

    void on_ack(congestion_state& s, const ack_event& ack) const override;
    bool ecn_capable() const override { return true; }

 private:
    /// Index in `scratch`, beside NewReno's own: end of what had been sent when the window was last halved for
    /// a mark. Unit: B.
    static constexpr unsigned halved_until = 2;
};

}  // namespace weir
