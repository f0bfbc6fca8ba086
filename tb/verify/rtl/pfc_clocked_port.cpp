#include "tb/verify/rtl/pfc_clocked_port.h"

#include <algorithm>
#include <numeric>

namespace weir::tb {

namespace {

/// From the edge that samples something to the last one at which it moves the transmit side by itself.
constexpr std::int64_t transmit_edges = 4;

/// What `count` edges take together. All counters are shorter than the most.
std::uint32_t together(std::int64_t count, std::int64_t step) {
    return static_cast<std::uint32_t>(count > longest_pfc_step / step ? longest_pfc_step : count * step);
}

}  // namespace

// Twice the picoseconds of a second: of 2 bit times.
static constexpr std::int64_t two_bits = 2'000'000'000'000;

picoseconds smallest_pfc_clock(bit_rate rate) {
    return picoseconds{two_bits / std::gcd(two_bits, rate.count())};
}

bool pfc_clock_fits(picoseconds period, bit_rate rate) {
    const std::int64_t steps = pfc_steps(period, rate);
    return period % smallest_pfc_clock(rate) == picoseconds{0} && steps >= 1 && steps <= longest_pfc_step;
}

picoseconds edge_counter::time_of(std::int64_t edge) const {
    return edge > latest_time / m_period ? never : m_period * edge;
}

pfc_receive_clocked_port::pfc_receive_clocked_port(bit_rate rate, picoseconds period)
    : m_period(period), m_clock(period), m_step(pfc_steps(period, rate)), m_next_step(m_step) {
    m_end.fill(no_edge);
}

picoseconds pfc_receive_clocked_port::arrive(const pause_frame& frame, picoseconds now,
                                             picoseconds /*response*/) {
    m_frames.push_back({frame, m_clock.sampling(now)});
    return m_clock.time_of(m_frames.back().edge + latency);
}

void pfc_receive_clocked_port::clear(picoseconds now) {
    arrive(resume_of_all(), now, picoseconds{0});
}

void pfc_receive_clocked_port::edges(std::int64_t count, const pause_frame* frame) {
    pfc_receive_inputs in;
    in.frame = frame;
    // A request follows its timer by an edge: the last one is by itself.
    if (count > 1) {
        m_rtl.set_step(together(count - 1, m_step));
        m_rtl.clock(in);
    }
    m_rtl.set_step(static_cast<std::uint32_t>(m_step));
    m_rtl.clock(in);
    m_edge += count;
}

void pfc_receive_clocked_port::advance(std::int64_t target) {
    while (m_edge < target) {
        const std::int64_t next = m_in_pipeline < m_frames.size() ? m_frames[m_in_pipeline].edge : no_edge;
        if (next <= m_edge) {
            m_step = m_next_step;
            edges(1, &m_frames[m_in_pipeline].frame);
            ++m_in_pipeline;
            m_moving = latency - 1;
        } else if (m_moving > 0) {
            edges(1, nullptr);
            --m_moving;
        } else {
            edges(std::min(target, next) - m_edge, nullptr);
        }
    }
}

class_mask pfc_receive_clocked_port::paused(picoseconds now) {
    // What the transmitter sees now is what the edges before now have made.
    const std::int64_t target = m_clock.sampling(now);
    advance(target);
    for (; m_in_pipeline > 0 && m_frames.front().edge + latency <= target;
         --m_in_pipeline, m_frames.pop_front()) {
        const passing_frame& passed = m_frames.front();
        const pause_fields& fields = passed.frame.fields;
        for (unsigned c = 0; c < pfc_classes; ++c) {
            if ((fields.class_enable >> c & 1) != 0) {
                const std::int64_t steps = fields.quanta[c] * pfc_steps_per_quantum;
                m_end[c] = passed.edge + latency + (steps + m_step - 1) / m_step;
            }
        }
    }
    const class_mask paused = m_rtl.outputs().request;
    for (unsigned c = 0; c < pfc_classes; ++c) {
        const bool holds = (paused >> c & 1) != 0;
        m_end[c] = holds ? std::max(m_end[c], target + 1) : no_edge;
    }
    return paused;
}

picoseconds pfc_receive_clocked_port::next_change() const {
    const std::int64_t end = *std::min_element(m_end.begin(), m_end.end());
    return m_clock.time_of(m_frames.empty() ? end : std::min(end, m_frames.front().edge + latency));
}

pfc_transmit_clocked_port::pfc_transmit_clocked_port(const pfc_transmit_config& config, bit_rate rate,
                                                     picoseconds period)
    : m_rtl(config),
      m_period(period),
      m_clock(period),
      m_step(pfc_steps(period, rate)),
      m_next_step(m_step),
      m_refresh(config.refresh[0] * pfc_steps_per_quantum) {}

void pfc_transmit_clocked_port::request(class_mask wanted, bool again, picoseconds now) {
    const std::int64_t edge = m_clock.sampling(now);
    if (!m_requests.empty() && m_requests.back().edge == edge) {
        m_requests.back().wanted = wanted;
        m_requests.back().again |= again;
    } else {
        m_requests.push_back({edge, wanted, again});
    }
}

void pfc_transmit_clocked_port::edges(std::int64_t count, const pfc_transmit_inputs& in) {
    m_rtl.set_step(together(count, m_step));
    m_rtl.clock(in);
    m_edge += count;
}

// True: this edge samples something new.
bool pfc_transmit_clocked_port::take_inputs(pfc_transmit_inputs& in) {
    bool any = false;
    if (!m_requests.empty() && m_requests.front().edge <= m_edge) {
        m_wanted = m_requests.front().wanted;
        in.resend = m_requests.front().again;
        m_requests.pop_front();
        any = true;
    }
    if (m_taken <= m_edge) {
        in.taken = true;
        m_taken = no_edge;
        any = true;
    }
    in.request = m_wanted;
    return any;
}

// The edge before which counters count and nothing else happens.
std::int64_t pfc_transmit_clocked_port::quiet_until(std::int64_t target) const {
    std::int64_t until = std::min(target, m_taken);
    if (!m_requests.empty()) {
        until = std::min(until, m_requests.front().edge);
    }
    // While a frame waits, a counter that runs out is remembered whenever that is.
    return m_rtl.outputs().waiting ? until : std::min(until, m_refresh_edge);
}

void pfc_transmit_clocked_port::advance(std::int64_t target) {
    while (m_edge < target) {
        pfc_transmit_inputs in;
        if (take_inputs(in)) {
            m_moving = transmit_edges;
        }
        const std::int64_t quiet = m_moving > 0 ? m_edge : quiet_until(target);
        const bool waited = m_rtl.outputs().waiting;
        edges(std::max<std::int64_t>(1, quiet - m_edge), in);
        m_moving -= m_moving > 0 ? 1 : 0;
        if (m_rtl.outputs().waiting && !waited) {
            const std::int64_t launch = m_edge - 1;
            m_step = m_next_step;
            m_first_beat = launch + latency - 1;
            m_refresh_edge = m_rtl.outputs().paused != 0 ? launch + m_refresh / m_step : no_edge;
            m_moving = transmit_edges;
        }
    }
}

const pause_fields* pfc_transmit_clocked_port::offer(picoseconds now) {
    const std::int64_t edge = m_clock.sampling(now);
    advance(edge);
    if (m_rtl.outputs().waiting && m_taken == no_edge && m_clock.time_of(m_first_beat) <= now) {
        return &m_rtl.frame();
    }
    m_asked = edge;
    return nullptr;
}

void pfc_transmit_clocked_port::sent(picoseconds last_bit) {
    m_taken = m_clock.sampling(last_bit);
}

picoseconds pfc_transmit_clocked_port::next_offer() const {
    std::int64_t edge = no_edge;
    if (m_taken != no_edge) {
        edge = m_taken + latency;
    } else if (m_rtl.outputs().waiting) {
        edge = m_first_beat;
    } else {
        if (!m_requests.empty()) {
            edge = m_requests.front().edge + latency;
        } else if (m_moving > 0) {
            edge = m_edge + 1;
        }
        if (m_refresh_edge != no_edge) {
            edge = std::min(edge, m_refresh_edge + latency);
        }
    }
    return m_clock.time_of(std::max(edge, m_asked + 1));
}

}  // namespace weir::tb
