#include "weir/traffic/congestion/newreno.h"

#include "weir/traffic/congestion/newreno_ecn.h"

namespace weir::traffic {

static newreno_state& own(congestion_state& s) {
    return static_cast<newreno_state&>(s);
}

void newreno::open(congestion_state& s, std::uint64_t initial_window, std::uint64_t ssthresh) const {
    s.cwnd = initial_window;
    s.ssthresh = ssthresh;
}

void newreno::slow_start(congestion_state& s, const ack_event& ack) const {
    // RFC 5681 eq. 2, where the limit is one segment; RFC 3465 2.2, where it is two.
    const std::uint64_t most = own(s).after_timeout ? m_mss : m_slow_start_most;
    const std::uint64_t end = std::max(s.ssthresh, s.cwnd + m_mss);
    s.cwnd = std::min(s.cwnd + std::min(ack.acked_bytes, most), end);
}

void newreno::grow(congestion_state& s, const ack_event& ack) const {
    if (s.cwnd < s.ssthresh) {
        slow_start(s, ack);
        return;
    }
    own(s).after_timeout = false;
    if (m_growth == avoidance_growth::per_ack) {
        s.cwnd += std::max<std::uint64_t>(m_mss * m_mss / s.cwnd, 1);
        return;
    }
    // RFC 5681 3.1: one segment more whenever a window's worth has been confirmed.
    own(s).counted += ack.acked_bytes;
    if (own(s).counted >= s.cwnd) {
        own(s).counted -= s.cwnd;
        s.cwnd += m_mss;
    }
}

void newreno::on_loss(congestion_state& s, std::uint64_t flight, std::uint32_t duplicates) const {
    cut_to(s, flight / 2);
    s.cwnd += duplicates * m_mss;
}

void newreno::cut_to(congestion_state& s, std::uint64_t left) const {
    s.ssthresh = s.cwnd = std::max(left, 2 * m_mss);
    s.reduced = true;
    own(s).counted = 0;
}

void newreno::on_recovery_duplicate(congestion_state& s, const ack_event&) const {
    s.cwnd += m_mss;
}

void newreno::on_partial_ack(congestion_state& s, const ack_event& ack) const {
    note_ack(s, ack);
    // RFC 6582 3.2 step 3: deflate by what was confirmed, and add one segment back.
    const std::uint64_t deflated = s.cwnd - std::min(s.cwnd, ack.acked_bytes);
    s.cwnd = std::max(deflated + (ack.acked_bytes >= m_mss ? m_mss : 0), m_mss);
}

void newreno::on_recovered(congestion_state& s, const ack_event& ack) const {
    note_ack(s, ack);
    // RFC 6582 3.2 step 3, option 1: no burst of what the ACK has made room for.
    s.cwnd = std::min(s.ssthresh, std::max(ack.max - ack.una, m_mss) + m_mss);
    own(s).counted = 0;
}

void newreno::on_timeout(congestion_state& s, std::uint64_t flight, bool repeated) const {
    if (!repeated) {  // RFC 5681 3.1: held when the same segment is sent a third time
        s.ssthresh = half_of(flight);
    }
    s.cwnd = m_mss;
    s.reduced = true;
    own(s).counted = 0;
    own(s).after_timeout = true;
}

template class classic_ecn<newreno>;

}  // namespace weir::traffic
