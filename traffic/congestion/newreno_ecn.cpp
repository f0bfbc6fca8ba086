#include "weir/traffic/congestion/newreno_ecn.h"

namespace weir {

void newreno_ecn::on_ack(congestion_state& s, const ack_event& ack) const {
    if (!ack.ecn_echo) {
        newreno::on_ack(s, ack);
        return;
    }
    // RFC 3168 6.1.2: once per window; the ACK for what was sent after the last time tells of a new one.
    if (ack.una > s.scratch[halved_until]) {
        s.ssthresh = half_of(s.cwnd);
        s.cwnd = s.ssthresh;
        s.scratch[halved_until] = ack.max;
    }
}

}  // namespace weir
