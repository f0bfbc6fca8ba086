#include "weir/traffic/roce/dcqcn.h"

#include <algorithm>

namespace weir::traffic {

static dcqcn_state& paper_state_of(rate_state& s) {
    return static_cast<dcqcn_state&>(s);
}

dcqcn::dcqcn(const dcqcn_config& config, bit_rate line)
    : m_gain(config.gain),
      m_alpha_timer(config.alpha_timer),
      m_increase_timer(config.increase_timer),
      m_byte_counter(static_cast<std::uint64_t>(config.byte_counter.count())),
      m_fast_recovery(config.fast_recovery),
      m_line(static_cast<double>(line.count())),
      m_additive(static_cast<double>(config.additive_rate(line).count())),
      m_hyper(static_cast<double>(config.hyper_rate(line).count())),
      m_min(static_cast<double>(config.least_rate(line).count())) {}

void dcqcn::open(rate_state& s) const {
    paper_state_of(s) = dcqcn_state{};
    paper_state_of(s).target = m_line;
    set_current(paper_state_of(s), m_line);
}

void dcqcn::set_current(dcqcn_state& s, double current) const {
    s.current = current;
    s.rate = bit_rate{std::max<std::int64_t>(1, static_cast<std::int64_t>(current))};
}

void dcqcn::on_notification(rate_state& state, picoseconds now) const {
    advance(state, now - 1_ps);
    dcqcn_state& s = paper_state_of(state);
    s.target = s.current;
    set_current(s, std::max(m_min, s.current * (1 - s.alpha / 2)));
    s.alpha = (1 - m_gain) * s.alpha + m_gain;
    s.timer_stage = 0;
    s.byte_stage = 0;
    s.alpha_at = now + m_alpha_timer;
    s.increase_at = now + m_increase_timer;
    s.next_change = s.increase_at;
    s.bytes_left = m_byte_counter;
}

void dcqcn::on_sent(rate_state& state, std::uint64_t wire_bytes) const {
    dcqcn_state& s = paper_state_of(state);
    if (s.increase_at == never) {
        return;
    }
    while (s.bytes_left <= wire_bytes) {
        wire_bytes -= s.bytes_left;
        s.bytes_left = m_byte_counter;
        on_byte_counter(s);
    }
    s.bytes_left -= wire_bytes;
}

void dcqcn::advance(rate_state& s, picoseconds now) const {
    while (next_timer(paper_state_of(s)) <= now) {
        expire(paper_state_of(s));
    }
}

picoseconds dcqcn::next_timer(const dcqcn_state& s) {
    return std::min(s.alpha_at, s.increase_at);
}

dcqcn_event dcqcn::expire(dcqcn_state& s) const {
    if (s.increase_at <= s.alpha_at) {
        s.increase_at += m_increase_timer;
        s.next_change = s.increase_at;
        ++s.timer_stage;
        return increase(s);
    }
    s.alpha_at += m_alpha_timer;
    s.alpha = (1 - m_gain) * s.alpha;
    return dcqcn_event::alpha;
}

dcqcn_event dcqcn::on_byte_counter(dcqcn_state& s) const {
    ++s.byte_stage;
    return increase(s);
}

dcqcn_event dcqcn::increase(dcqcn_state& s) const {
    const auto [least, most] = std::minmax(s.timer_stage, s.byte_stage);
    dcqcn_event event = dcqcn_event::additive;
    if (most < m_fast_recovery) {
        event = dcqcn_event::fast_recovery;
    } else if (least > m_fast_recovery) {
        event = dcqcn_event::hyper;
        s.target = std::min(m_line, s.target + m_hyper * (least - m_fast_recovery));
    } else {
        s.target = std::min(m_line, s.target + m_additive);
    }
    set_current(s, (s.current + s.target) / 2);
    return event;
}

}  // namespace weir::traffic
