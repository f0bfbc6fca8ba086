#include "weir/model/switch/switch_statistics.h"

namespace weir::model {

std::uint32_t switch_statistics::frames_held() const {
    std::uint32_t held = m_slab.used();
    if (held != 0) {
        for (const mac_port& mac : m_ports) {
            held -= mac.sending.frame != no_slot && mac.sending.end < m_clock.end ? 1 : 0;
        }
    }
    return held;
}

void switch_statistics::settle(picoseconds now) {
    catch_up(now);
    settle_matches(now);
    m_ingress->settle(now);
    m_egress->settle(now);
    std::int64_t ingress_bytes = 0;
    std::int64_t egress_bytes = 0;
    for (unsigned port = 0; port < ports(); ++port) {
        m_ports[port].timers.settle(now);
        ingress_bytes += m_ingress->occupancy(port).count();
        egress_bytes += m_egress->occupancy(port).count();
    }
    const std::int64_t charged_bytes = m_charged_bytes + m_memory->charged_bytes();
    if (ingress_bytes != charged_bytes) {
        violate(now, "ingress memory holds " + std::to_string(ingress_bytes) +
                         " B, frames that wait there have " + std::to_string(charged_bytes) + " B");
    }
    if (const std::string wrong = m_memory->check(); !wrong.empty()) {
        violate(now, wrong);
    }
    const frame_balance b = balance();
    if (b.received + b.originated != b.sent + b.dropped + b.inside) {
        violate(now, "frames in, out, dropped and inside do not add up");
    }
    if (b.inside == 0 && transmitting() == 0 && egress_bytes != 0) {
        violate(now, "egress memory holds " + std::to_string(egress_bytes) + " B without a frame");
    }
}

void switch_statistics::restart_statistics_at(picoseconds at) {
    m_agenda.schedule(at, switch_stages::warmup_end, 1, 0);
}

void switch_statistics::restart_statistics() {
    const picoseconds now = m_now;
    settle(now);
    for (unsigned port = 0; port < ports(); ++port) {
        m_ports[port].restart_statistics();
    }
    m_ingress->restart_statistics(now);
    m_egress->restart_statistics(now);
    m_pipeline.reset_stats();
    m_memory->restart_statistics();
    restart_matches();
}

frame_balance switch_statistics::balance() const {
    frame_balance b = m_balance;
    b.inside = m_slab.used() - arriving() - m_control_frames - transmitting();
    return b;
}

std::string switch_statistics::waiting_ports() const {
    std::string text;
    for (unsigned port = 0; port < ports(); ++port) {
        const class_mask backlog = m_egress->backlog(port);
        if (backlog != 0) {
            text += " " + std::string(name()) + ".tx" + std::to_string(port) + " (classes " +
                    std::to_string(backlog) + ", paused " + std::to_string(m_ports[port].timers.paused_mask()) +
                    ")";
        }
        if (m_requests.classes() != 0 && m_ingress->occupancy(port) > 0_B) {
            text += " " + std::string(name()) + ".rx" + std::to_string(port) + " (" +
                    std::to_string(m_ingress->occupancy(port).count()) + " B in VOQs)";
        }
    }
    return text;
}

}  // namespace weir::model
