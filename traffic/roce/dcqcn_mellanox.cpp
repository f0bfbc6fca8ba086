#include "weir/traffic/roce/dcqcn_mellanox.h"

#include <algorithm>

namespace weir::traffic {

static dcqcn_mellanox_state& clocked_state_of(rate_state& s) {
    return static_cast<dcqcn_mellanox_state&>(s);
}

/// Without the fraction.
static bit_rate scaled(bit_rate rate, double factor) {
    return bit_rate{static_cast<std::int64_t>(static_cast<double>(rate.count()) * factor)};
}

dcqcn_mellanox::dcqcn_mellanox(const dcqcn_config& config, bit_rate line)
    : m_gain(config.gain),
      m_first_rate(config.first_rate),
      m_clamp_target(config.clamp_target),
      m_alpha_timer(config.alpha_timer),
      m_decrease_interval(config.decrease_interval),
      m_increase_timer(config.increase_timer),
      m_fast_recovery(config.fast_recovery),
      m_line(line),
      m_additive(config.additive_rate(line)),
      m_hyper(config.hyper_rate(line)),
      m_min(config.least_rate(line)) {}

void dcqcn_mellanox::open(rate_state& s) const {
    clocked_state_of(s) = state{};
    clocked_state_of(s).rate = m_line;
    clocked_state_of(s).target = m_line;
}

void dcqcn_mellanox::on_notification(rate_state& base, picoseconds now) const {
    advance(base, now - 1_ps);
    state& s = clocked_state_of(base);
    s.decrease_flag = true;
    if (s.has_notification) {
        s.alpha_flag = true;
    } else {
        s.has_notification = true;
        s.alpha = 1;
        set(s, state::alpha_clock, now + m_alpha_timer);
        set(s, state::decrease_clock, now + m_decrease_interval + 1ns);
        s.rate = std::max(bit_rate{1}, scaled(s.rate, m_first_rate));
        s.target = s.rate;
    }
    s.next_change = std::min(s.ticks[state::decrease_clock].at, s.ticks[state::increase_clock].at);
}

void dcqcn_mellanox::advance(rate_state& s, picoseconds now) const {
    while (next_tick(clocked_state_of(s)) <= now) {
        tick(clocked_state_of(s));
    }
}

dcqcn_mellanox_state::clock dcqcn_mellanox::next_clock(const state& s) {
    const auto first = std::min_element(s.ticks.begin(), s.ticks.end(), [](const auto& a, const auto& b) {
        return a.at != b.at ? a.at < b.at : a.order < b.order;
    });
    return static_cast<state::clock>(first - s.ticks.begin());
}

picoseconds dcqcn_mellanox::next_tick(const state& s) {
    return s.ticks[next_clock(s)].at;
}

dcqcn_event dcqcn_mellanox::tick(state& s) const {
    const state::clock clock = next_clock(s);
    const picoseconds now = s.ticks[clock].at;
    dcqcn_event event = dcqcn_event::alpha;
    switch (clock) {
        case state::alpha_clock:
            s.alpha = s.alpha_flag ? (1 - m_gain) * s.alpha + m_gain : (1 - m_gain) * s.alpha;
            s.alpha_flag = false;
            set(s, clock, now + m_alpha_timer);
            break;
        case state::decrease_clock:
            set(s, clock, now + m_decrease_interval);
            decrease(s, now);
            event = dcqcn_event::decrease;
            break;
        default:
            set(s, clock, now + m_increase_timer);
            event = increase(s);
            break;
    }
    const picoseconds cut = s.decrease_flag ? s.ticks[state::decrease_clock].at : never;
    s.next_change = std::min(cut, s.ticks[state::increase_clock].at);
    return event;
}

void dcqcn_mellanox::decrease(state& s, picoseconds now) const {
    if (!s.decrease_flag) {
        return;
    }
    s.decrease_flag = false;
    if (m_clamp_target || s.stage != 0) {
        s.target = s.rate;
    }
    s.rate = std::max(m_min, scaled(s.rate, 1 - s.alpha / 2));
    s.stage = 0;
    set(s, state::increase_clock, now + m_increase_timer);
}

dcqcn_event dcqcn_mellanox::increase(state& s) const {
    dcqcn_event event = dcqcn_event::fast_recovery;
    if (s.stage >= m_fast_recovery) {
        const bool additive = s.stage == m_fast_recovery;
        event = additive ? dcqcn_event::additive : dcqcn_event::hyper;
        s.target = std::min(m_line, s.target + (additive ? m_additive : m_hyper));
    }
    s.rate = s.rate / 2 + s.target / 2;  // each half is truncated
    ++s.stage;
    return event;
}

}  // namespace weir::traffic
