#include "weir/traffic/congestion/vegas.h"

#include <algorithm>

namespace weir::traffic {

config_errors vegas_config::validate() const {
    range_check check = check_ranges(*this, "vegas");
    check.require(beta >= alpha, "beta", beta, "at least {} ({alpha})", alpha);
    return check.take();
}

static vegas_state& vegas_of(congestion_state& s) {
    return static_cast<vegas_state&>(s);
}

vegas::vegas(bytes mss, std::uint32_t slow_start_limit, const vegas_config& config)
    : newreno(mss, slow_start_limit), m_config(config), m_segment(static_cast<double>(mss.count())) {}

void vegas::open(congestion_state& s, std::uint64_t initial_window, std::uint64_t ssthresh) const {
    newreno::open(s, initial_window, ssthresh);
    vegas_of(s).doubles = true;
}

void vegas::note_ack(congestion_state& s, const ack_event& ack) const {
    picoseconds& base = vegas_of(s).base_round_trip;
    if (ack.round_trip > 0_ps && (base == 0_ps || ack.round_trip < base)) {
        base = ack.round_trip;
    }
}

double vegas::waiting_segments(const vegas_state& s, picoseconds round_trip) const {
    const double share =
        1 - static_cast<double>(s.base_round_trip.count()) / static_cast<double>(round_trip.count());
    return static_cast<double>(s.cwnd) / m_segment * share;
}

void vegas::grow(congestion_state& s, const ack_event& ack) const {
    vegas_state& state = vegas_of(s);
    if (ack.una > state.cycle_end && ack.round_trip > 0_ps) {
        end_cycle(state, ack);
    }
    if (!state.in_avoidance && state.doubles && s.cwnd < ack.receive_window) {
        slow_start(s, ack);
    }
}

void vegas::end_cycle(vegas_state& s, const ack_event& ack) const {
    s.cycle_end = ack.max;
    const double waiting = waiting_segments(s, ack.round_trip);
    if (s.in_avoidance) {
        s.decision = vegas_decision::hold;
        if (waiting < m_config.alpha) {
            s.decision = vegas_decision::up;
            s.cwnd += s.cwnd < ack.receive_window ? mss() : 0;
        } else if (waiting > m_config.beta) {
            s.decision = vegas_decision::down;
            s.cwnd = std::max(s.cwnd - mss(), mss());
        }
        return;
    }
    s.doubles = !s.doubles;
    s.decision = vegas_decision::slow_start;
    const bool queues = waiting > m_config.gamma;
    if (queues || s.cwnd >= s.ssthresh) {
        s.cwnd = std::max(s.cwnd - (queues ? s.cwnd / 8 : 0), mss());
        s.in_avoidance = true;
        s.decision = vegas_decision::leave_slow_start;
    }
}

void vegas::on_loss(congestion_state& s, std::uint64_t flight, std::uint32_t duplicates) const {
    newreno::on_loss(s, flight, duplicates);
    vegas_of(s).in_avoidance = true;
}

void vegas::on_timeout(congestion_state& s, std::uint64_t flight, bool repeated) const {
    newreno::on_timeout(s, flight, repeated);
    vegas_of(s).in_avoidance = false;
    vegas_of(s).doubles = true;
}

}  // namespace weir::traffic
