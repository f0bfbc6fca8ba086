#include "weir/model/host/qcn_reaction.h"

#include <algorithm>

namespace weir::model {

static picoseconds stretched(picoseconds time, double factor) {
    return picoseconds{static_cast<std::int64_t>(static_cast<double>(time.count()) * factor)};
}

qcn_reaction::qcn_reaction(const qcn_config& config, bit_rate line)
    : m_cycles(config.cycles),
      m_gain(config.gain),
      m_least_share(config.least_share),
      m_byte_limit(static_cast<double>(config.byte_limit.count())),
      m_timer(config.timer),
      m_fast_recovery(config.fast_recovery),
      m_extra_fast_recovery(config.extra_fast_recovery),
      m_line(static_cast<double>(line.count())),
      m_active(static_cast<double>(config.active_increase.count())),
      m_hyper(static_cast<double>(config.hyper_increase.count())),
      m_min(std::min(static_cast<double>(config.min_rate.count()), m_line)) {}

void qcn_reaction::on_notification(qcn_limit& s, std::uint8_t feedback, picoseconds now, double byte_factor,
                                   double timer_factor) const {
    if (!s.limits()) {
        s.current = s.target = m_line;
        s.bytes_left = m_byte_limit * byte_factor;
    } else if (s.byte_stage != 0 || m_cycles == qcn_cycles::reset) {
        s.target = s.current;
        s.bytes_left = m_byte_limit * byte_factor;
    }
    s.byte_stage = s.timer_stage = 0;
    s.current = std::max(s.current * std::max(m_least_share, 1 - m_gain * feedback), m_min);
    s.timer_at = now + stretched(m_timer, timer_factor);
}

qcn_sent qcn_reaction::on_sent(qcn_limit& s, std::uint32_t frame_bytes, double factor) const {
    if (s.current >= m_line) {
        s = qcn_limit{};
        return qcn_sent::released;
    }
    s.bytes_left -= frame_bytes;
    if (s.bytes_left >= 0) {
        return qcn_sent::counted;
    }
    const qcn_phase before = phase(s);
    ++s.byte_stage;
    s.bytes_left = m_byte_limit * factor * (is_half(before, s.byte_stage) ? 0.5 : 1);
    increase(s);
    return qcn_sent::cycle_over;
}

void qcn_reaction::on_timer(qcn_limit& s, double factor) const {
    const qcn_phase before = phase(s);
    ++s.timer_stage;
    s.timer_at += stretched(is_half(before, s.timer_stage) ? m_timer / 2 : m_timer, factor);
    increase(s);
}

qcn_phase qcn_reaction::phase(const qcn_limit& s) const {
    if (!s.limits()) {
        return qcn_phase::off;
    }
    const std::uint32_t from = m_fast_recovery + (m_cycles == qcn_cycles::select ? 0 : 1);
    return std::min(s.byte_stage, s.timer_stage) >= from   ? qcn_phase::hyper
           : std::max(s.byte_stage, s.timer_stage) >= from ? qcn_phase::active
                                                           : qcn_phase::fast;
}

/// Whether the next cycle is half as long. `stage`: of the counter or timer whose cycle is over.
bool qcn_reaction::is_half(qcn_phase before, std::uint32_t stage) const {
    return m_cycles == qcn_cycles::select ? before == qcn_phase::hyper : stage >= m_fast_recovery;
}

void qcn_reaction::increase(qcn_limit& s) const {
    const qcn_phase now = phase(s);
    if (m_extra_fast_recovery && (s.byte_stage == 1 || s.timer_stage == 1) && s.target > 10 * s.current) {
        s.target /= 8;
    } else if (now == qcn_phase::active) {
        s.target += m_active;
    } else if (now == qcn_phase::hyper) {
        const std::uint32_t cycles = std::min(s.byte_stage, s.timer_stage) - m_fast_recovery;
        s.target += m_hyper * (cycles + (m_cycles == qcn_cycles::select ? 1 : 0));
    }
    s.current = std::min((s.current + s.target) / 2, m_line);
}

}  // namespace weir::model
