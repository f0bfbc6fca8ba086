#include "weir/traffic/congestion/cubic.h"

#include <algorithm>

#include "weir/base/portable_math.h"

namespace weir::traffic {

namespace {

cubic_state& cubic_of(congestion_state& s) {
    return static_cast<cubic_state&>(s);
}

double seconds(picoseconds time) {
    return static_cast<double>(time.count()) * 1e-12;
}

}  // namespace

cubic::cubic(bytes mss, std::uint32_t slow_start_limit, const cubic_config& config)
    : newreno(mss, slow_start_limit),
      m_config(config),
      m_segment(static_cast<double>(mss.count())),
      m_alpha(3 * (1 - config.beta) / (1 + config.beta)) {}

// Products that are whole in decimals, as 0.7 x 54 segments of 1,460 B, fall short of it by a last bit.
std::uint64_t cubic::whole(double segments) const {
    return static_cast<std::uint64_t>(segments * m_segment + 1e-6);
}

double cubic::exact(const cubic_state& s) const {
    return whole(s.exact_cwnd) == s.cwnd ? s.exact_cwnd : static_cast<double>(s.cwnd) / m_segment;
}

void cubic::grow(congestion_state& s, const ack_event& ack) const {
    cubic_state& state = cubic_of(s);
    if (s.cwnd < s.ssthresh) {
        state.region = cubic_region::slow_start;
        if (s.cwnd < ack.receive_window) {
            slow_start(s, ack);
        }
        return;
    }
    const double cwnd = exact(state);
    if (!state.in_avoidance) {
        begin_avoidance(state, cwnd, ack.now);
    }
    if (s.cwnd >= ack.receive_window) {
        state.epoch += ack.now - state.last;
    } else {
        const double most = static_cast<double>(ack.receive_window) / m_segment;
        state.exact_cwnd = std::min(grown(state, cwnd, seconds(ack.now - state.epoch), ack), most);
        s.cwnd = whole(state.exact_cwnd);
    }
    state.last = ack.now;
}

void cubic::begin_avoidance(cubic_state& s, double cwnd, picoseconds now) const {
    s.in_avoidance = true;
    s.after_timeout = false;
    s.epoch = s.last = now;
    s.w_est = cwnd;
    if (s.w_max == 0) {  // RFC 9438 4.8, 4.10
        s.w_max = s.cwnd_prior = cwnd;
        s.k = 0;
    } else if (m_config.rules == cubic_rules::rfc8312) {
        s.k = cube_root(s.w_max * (1 - m_config.beta) / m_config.c);
    } else {
        s.k = cube_root((s.w_max - cwnd) / m_config.c);
    }
}

double cubic::window_at(const cubic_state& s, double t) const {
    return m_config.c * cube(t - s.k) + s.w_max;
}

double cubic::grown(cubic_state& s, double cwnd, double t, const ack_event& ack) const {
    const bool is_old = m_config.rules == cubic_rules::rfc8312;
    const double round_trip = seconds(ack.smoothed_round_trip);
    double reno = 0;
    if (is_old) {
        reno = s.w_max * m_config.beta + (round_trip > 0 ? m_alpha * (t / round_trip) : 0);
    } else {
        const double alpha = s.w_est >= s.cwnd_prior ? 1 : m_alpha;
        reno = s.w_est += alpha * (static_cast<double>(ack.acked_bytes) / m_segment) / cwnd;
    }
    // At t = 0 RFC 8312's functions are the same number, W_max beta, and the roundings of K and of its cube
    // decide.
    if (window_at(s, t) < reno) {
        s.region = cubic_region::reno_friendly;
        return is_old ? std::max(cwnd, reno) : reno;
    }
    s.region = cwnd < s.w_max ? cubic_region::concave : cubic_region::convex;
    double target = std::max(window_at(s, t + round_trip), cwnd);
    if (!is_old) {
        target = std::min(target, 1.5 * cwnd);
    }
    return cwnd + (target - cwnd) / cwnd;
}

double cubic::cut(cubic_state& s, std::uint64_t flight) const {
    const bool is_old = m_config.rules == cubic_rules::rfc8312;
    const double cwnd = exact(s);
    const bool shrinks = cwnd < (is_old ? s.cwnd_prior : s.w_max);
    s.w_max = m_config.fast_convergence && shrinks ? cwnd * (1 + m_config.beta) / 2 : cwnd;
    s.cwnd_prior = cwnd;
    s.in_avoidance = false;
    s.reduced = true;
    return std::max(m_config.beta * (is_old ? cwnd : static_cast<double>(flight) / m_segment), 2.0);
}

void cubic::on_loss(congestion_state& s, std::uint64_t flight, std::uint32_t duplicates) const {
    cubic_of(s).exact_cwnd = cut(cubic_of(s), flight);
    s.ssthresh = whole(cubic_of(s).exact_cwnd);
    s.cwnd = s.ssthresh + duplicates * mss();
}

void cubic::on_timeout(congestion_state& s, std::uint64_t flight, bool repeated) const {
    const double left = cut(cubic_of(s), flight);
    if (!repeated) {
        s.ssthresh = whole(left);
    }
    s.cwnd = mss();
    cubic_of(s).after_timeout = true;
    cubic_of(s).exact_cwnd = cubic_of(s).w_max = cubic_of(s).cwnd_prior = 0;
}

}  // namespace weir::traffic
