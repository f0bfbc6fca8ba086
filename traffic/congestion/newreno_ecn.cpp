#include "weir/traffic/congestion/newreno_ecn.h"

namespace weir::traffic {

void newreno_ecn::on_ack(congestion_state& s, const ack_event& ack) const {
    if (!ack.ecn_echo) {
        newreno::on_ack(s, ack);
        return;
    }
    // RFC 3168 6.1.2: once per window; the ACK for what was sent after the last time tells of a new one.
    std::uint64_t& halved_until = static_cast<newreno_ecn_state&>(s).halved_until;
    if (ack.una > halved_until) {
        s.ssthresh = half_of(s.cwnd);
        s.cwnd = s.ssthresh;
        halved_until = ack.max;
    }
}

}  // namespace weir::traffic
