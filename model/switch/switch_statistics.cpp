#include "weir/model/switch/switch_node.h"

namespace weir::model {

std::uint32_t switch_node::frames_held() const {
    std::uint32_t held = m_path.frames.used();
    if (held != 0) {
        for (const mac_port& mac : m_path.ports) {
            held -= mac.sending.frame != no_slot && mac.sending.end < m_clock.end ? 1 : 0;
        }
    }
    return held;
}

void switch_node::settle(picoseconds now) {
    catch_up(now);
    m_path.settle_matches(now);
    m_path.blocks.ingress->settle(now);
    m_path.blocks.egress->settle(now);
    std::int64_t ingress_bytes = 0;
    std::int64_t egress_bytes = 0;
    for (unsigned port = 0; port < ports(); ++port) {
        m_path.ports[port].timers.settle(now);
        ingress_bytes += m_path.blocks.ingress->occupancy(port).count();
        egress_bytes += m_path.blocks.egress->occupancy(port).count();
    }
    const std::int64_t charged_bytes = m_path.charged_bytes() + m_path.organisation->charged_bytes();
    if (ingress_bytes != charged_bytes) {
        violate(now, "ingress memory holds " + std::to_string(ingress_bytes) +
                         " B, frames that wait there have " + std::to_string(charged_bytes) + " B");
    }
    if (const std::string wrong = m_path.organisation->check(); !wrong.empty()) {
        violate(now, wrong);
    }
    const frame_balance b = balance();
    if (b.received + b.originated != b.sent + b.dropped + b.inside) {
        violate(now, "frames in, out, dropped and inside do not add up");
    }
    if (b.inside == 0 && m_path.transmitting() == 0 && egress_bytes != 0) {
        violate(now, "egress memory holds " + std::to_string(egress_bytes) + " B without a frame");
    }
}

void switch_node::restart_statistics_at(picoseconds at) {
    m_path.instant.events.schedule(at, switch_stages::warmup_end, 1, 0);
}

void switch_node::restart_statistics() {
    const picoseconds now = m_path.instant.now;
    settle(now);
    for (unsigned port = 0; port < ports(); ++port) {
        m_path.ports[port].restart_statistics();
    }
    m_path.blocks.ingress->restart_statistics(now);
    m_path.blocks.egress->restart_statistics(now);
    m_path.pipeline.reset_stats();
    m_path.organisation->restart_statistics();
    m_path.restart_matches();
}

frame_balance switch_node::balance() const {
    frame_balance b = m_path.balance;
    b.inside = m_path.frames.used() - m_path.arriving() - m_path.balance.control_frames - m_path.transmitting();
    return b;
}

std::string switch_node::waiting_ports() const {
    std::string text;
    for (unsigned port = 0; port < ports(); ++port) {
        const class_mask backlog = m_path.blocks.egress->backlog(port);
        if (backlog != 0) {
            text += " " + std::string(name()) + ".tx" + std::to_string(port) + " (classes " +
                    std::to_string(backlog) + ", paused " +
                    std::to_string(m_path.ports[port].timers.paused_mask()) + ")";
        }
        if (m_path.requests.classes() != 0 && m_path.blocks.ingress->occupancy(port) > 0_B) {
            text += " " + std::string(name()) + ".rx" + std::to_string(port) + " (" +
                    std::to_string(m_path.blocks.ingress->occupancy(port).count()) + " B in VOQs)";
        }
    }
    return text;
}

}  // namespace weir::model
