#include "tb/verify/rtl/pfc_port.h"

#include <algorithm>
#include <systemc>

namespace weir::tb {

namespace {

constexpr std::int64_t bit_picoseconds = 1'000'000'000'000;
constexpr std::int64_t bits_per_step = 2;
/// What `pfc_receive.sv` needs from a frame's last beat to its requests.
constexpr unsigned receive_edges = 3;

}  // namespace

std::int64_t pfc_steps(picoseconds time, bit_rate rate) {
    __extension__ using wide = __int128;
    return static_cast<std::int64_t>(static_cast<wide>(time.count()) * rate.count() /
                                     (bits_per_step * bit_picoseconds));
}

pfc_receive_port::pfc_receive_port(bit_rate rate) : m_rate(rate), m_next_rate(rate) {}

void pfc_receive_port::edge(std::int64_t step, const pause_frame* frame) {
    pfc_receive_inputs in;
    in.frame = frame;
    m_rtl.set_step(static_cast<std::uint32_t>(std::min(step, longest_pfc_step)));
    m_rtl.clock(in);
}

void pfc_receive_port::pass_time(picoseconds now) {
    const std::int64_t steps = pfc_steps(now - m_loaded, m_rate);
    if (steps > m_steps) {
        edge(steps - m_steps, nullptr);
        m_steps = steps;
    }
}

void pfc_receive_port::load(const pause_frame& frame, picoseconds now) {
    pass_time(now);
    m_loaded = now;
    m_steps = 0;
    m_rate = m_next_rate;
    edge(0, &frame);
    for (unsigned i = 1; i < receive_edges; ++i) {
        edge(0, nullptr);
    }
    for (unsigned c = 0; c < pfc_classes; ++c) {
        if ((frame.fields.class_enable >> c & 1) != 0) {
            m_end[c] = std::min(now + pause_time(pause_quanta{frame.fields.quanta[c]}, m_rate), latest_time);
        }
    }
}

class_mask pfc_receive_port::paused(picoseconds now) {
    while (!m_frames.empty() && m_frames.front().effect <= now) {
        load(m_frames.front().frame, m_frames.front().effect);
        m_frames.pop_front();
    }
    pass_time(now);
    edge(0, nullptr);  // requests follow the timers
    const class_mask paused = m_rtl.outputs().request;
    for (unsigned c = 0; c < pfc_classes; ++c) {
        // The counter has a part of a step left, of a frame for other classes that came between.
        if ((paused >> c & 1) != 0 && m_end[c] <= now) {
            m_end[c] =
                now + picoseconds{(bits_per_step * bit_picoseconds + m_rate.count() - 1) / m_rate.count()};
        } else if ((paused >> c & 1) == 0) {
            m_end[c] = never;
        }
    }
    return paused;
}

picoseconds pfc_receive_port::next_change() const {
    return *std::min_element(m_end.begin(), m_end.end());
}

void pfc_receive_port::clear(picoseconds now) {
    load(resume_of_all(), now);
}

pfc_transmit_port::pfc_transmit_port(const pfc_transmit_config& config, bit_rate rate)
    : m_rtl(config), m_rate(rate), m_launch_rate(rate), m_refresh(config.refresh[0]) {}

void pfc_transmit_port::edge(std::int64_t step, const pfc_transmit_inputs& in) {
    m_rtl.set_step(static_cast<std::uint32_t>(std::min(step, longest_pfc_step)));
    m_rtl.clock(in);
}

void pfc_transmit_port::request(class_mask wanted, bool again, picoseconds /*now*/) {
    m_changed = static_cast<class_mask>(m_changed | (m_wanted ^ wanted) | (again ? wanted : 0));
    m_wanted = wanted;
}

// What has changed since the last frame comes at one edge, which makes the RTL launch at the next one.
void pfc_transmit_port::show_changes() {
    const class_mask announced = m_rtl.outputs().paused;
    pfc_transmit_inputs in;
    // Asked for and withdrawn: as a request of one edge.
    in.request = static_cast<class_mask>(m_wanted | (m_changed & ~announced));
    // Withdrawn and asked for once more, or to be said again.
    in.resend = (m_changed & announced & m_wanted) != 0;
    edge(0, in);
}

const pause_fields* pfc_transmit_port::offer(picoseconds now) {
    pfc_transmit_inputs in;
    if (m_changed != 0) {
        show_changes();
    } else if (now >= m_refresh_due) {
        in.request = m_wanted;
        edge(pfc_steps(now - m_launched, m_launch_rate), in);
    } else {
        return nullptr;
    }
    in.request = m_wanted;
    edge(0, in);
    if (!m_rtl.outputs().waiting) {
        SC_REPORT_FATAL("/weir/pfc_transmit", "the RTL launches no frame that is due");
    }
    const pause_fields& frame = m_rtl.frame();
    m_changed = 0;
    m_launched = now;
    m_launch_rate = m_rate;
    m_refresh_due = m_wanted != 0 ? std::min(now + pause_time(m_refresh, m_rate), latest_time) : never;
    return &frame;
}

void pfc_transmit_port::sent(picoseconds /*last_bit*/) {
    pfc_transmit_inputs in;
    in.request = m_wanted;
    in.taken = true;
    edge(0, in);
}

}  // namespace weir::tb
