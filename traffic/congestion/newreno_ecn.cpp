#include "weir/traffic/congestion/newreno_ecn.h"

namespace weir::traffic {

/// `cut_until` between a timeout and the next ACK, which says how much had been sent.
static constexpr std::uint64_t all_that_was_sent = ~std::uint64_t{0};

void newreno_ecn::on_ack(congestion_state& s, const ack_event& ack) const {
    note_marks(s, ack);
    std::uint64_t& cut_until = static_cast<newreno_ecn_state&>(s).cut_until;
    if (cut_until == all_that_was_sent) {
        cut_until = ack.max;
    }
    if (!ack.ecn_echo) {
        newreno::on_ack(s, ack);
    } else if (ack.una > cut_until) {
        // RFC 3168 6.1.2: once per window; the ACK for what was sent after the last time tells of a new one.
        on_marks(s, ack.max - ack.una + ack.acked_bytes);
        cut_until = ack.max;
    }
}

void newreno_ecn::on_marks(congestion_state& s, std::uint64_t flight) const {
    s.ssthresh = s.cwnd = std::max(left_by_marks(s, flight), 2 * mss());
    s.reduced = true;
    static_cast<newreno_ecn_state&>(s).counted = 0;
}

std::uint64_t newreno_ecn::left_by_marks(const congestion_state&, std::uint64_t flight) const {
    return flight / 2;
}

void newreno_ecn::on_partial_ack(congestion_state& s, const ack_event& ack) const {
    note_marks(s, ack);
    newreno::on_partial_ack(s, ack);
}

void newreno_ecn::on_recovered(congestion_state& s, const ack_event& ack) const {
    note_marks(s, ack);
    newreno::on_recovered(s, ack);
}

void newreno_ecn::on_timeout(congestion_state& s, std::uint64_t flight, bool repeated) const {
    newreno::on_timeout(s, flight, repeated);
    static_cast<newreno_ecn_state&>(s).cut_until = all_that_was_sent;
}

}  // namespace weir::traffic
