#include "weir/traffic/congestion/dctcp.h"

namespace weir::traffic {

void dctcp::open(congestion_state& s, std::uint64_t initial_window, std::uint64_t ssthresh) const {
    newreno_ecn::open(s, initial_window, ssthresh);
    static_cast<dctcp_state&>(s).alpha = m_initial_alpha;
}

// RFC 8257 3.3, steps 1 to 8.
void dctcp::note_ack(congestion_state& s, const ack_event& ack) const {
    dctcp_state& own = static_cast<dctcp_state&>(s);
    const auto acked = static_cast<std::uint32_t>(ack.acked_bytes);
    own.acked += acked;
    own.marked += ack.ecn_echo ? acked : 0;
    if (ack.una <= own.window_end) {
        return;
    }
    const double share = static_cast<double>(own.marked) / own.acked;
    own.alpha = own.alpha * (1 - m_gain) + m_gain * share;
    own.acked = own.marked = 0;
    own.window_end = ack.max;
}

void dctcp::on_marks(congestion_state& s, std::uint64_t) const {
    const double alpha = static_cast<const dctcp_state&>(s).alpha;
    cut_to(s, static_cast<std::uint64_t>(static_cast<double>(s.cwnd) * (1 - alpha / 2)));
}

}  // namespace weir::traffic
