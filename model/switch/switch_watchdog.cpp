// A switch's PFC watchdog: what it sees of the queues, and what it does to them.
#include "weir/model/switch/switch_node.h"

namespace weir {

// Most events that a switch keeps: a queue in a storm makes two in each detection and restoration time.
static constexpr std::size_t most_watchdog_events = 1U << 16;

void switch_node::start_watchdog() {
    const pfc_config& pfc = m_parameters.flow_control;
    if (pfc.mode != flow_control_mode::pfc || pfc.watchdog == watchdog_action::off) {
        return;
    }
    m_watchdog = std::make_unique<pfc_watchdog>(pfc, ports());
    for (switch_port& p : m_ports) {
        p.inspects_arrivals = p.inspects_arrivals || pfc.watchdog == watchdog_action::drop;
    }
    m_agenda.schedule(pfc.watchdog_period(), switch_stages::watchdog, 0, 0);
}

void switch_node::on_watchdog() {
    for (switch_port& p : m_ports) {
        const class_mask paused = p.timers.paused_mask();
        const class_mask backlog = m_egress->backlog(p.number);
        for (unsigned k = 0; k < m_classes; ++k) {
            const auto c = static_cast<pfc_class>(k);
            std::uint64_t head = pfc_watchdog::no_head;
            if ((backlog >> k & 1) != 0) {
                // One frame's last bit comes in at a port and time.
                const frame_route& route = m_slab.route(m_egress->head(p.number, c));
                head = static_cast<std::uint64_t>(route.arrival.count()) << 8 | route.ingress_port;
            }
            const pfc_watchdog::queue_view queue{(paused >> k & 1) != 0, head};
            const pfc_watchdog::verdict verdict = m_watchdog->look(p.number, c, queue, m_now);
            if (verdict == pfc_watchdog::verdict::storm) {
                begin_storm(p, c);
            } else if (verdict == pfc_watchdog::verdict::restored) {
                end_storm(p, c);
            }
        }
    }
    const picoseconds next = m_now + m_parameters.flow_control.watchdog_period();
    if (next <= latest_time) {
        m_agenda.schedule(next, switch_stages::watchdog, 0, 0);
    }
}

void switch_node::log_watchdog(const switch_port& p, pfc_class c, bool storm) {
    const std::uint64_t lost = m_stats.port_drops[p.number][c][static_cast<unsigned>(drop_reason::watchdog)];
    storm_losses& losses = m_storm_losses[{p.number, c}];
    if (m_watchdog_events.size() < most_watchdog_events) {
        m_watchdog_events.push_back({m_now, static_cast<std::uint16_t>(p.number), c, storm,
                                     storm ? 0 : lost - losses.before,
                                     storm ? 0 : losses.arriving - losses.arriving_before});
    }
    losses.before = lost;
    losses.arriving_before = losses.arriving;
}

void switch_node::begin_storm(switch_port& p, pfc_class c) {
    log_watchdog(p, c, true);
    if (m_parameters.flow_control.watchdog == watchdog_action::forward) {
        p.timers.end_pauses(static_cast<class_mask>(1U << c), m_now);
        note_pauses(p);
    } else {
        p.needs_attention = true;
    }
    transmit_later(p);
}

void switch_node::end_storm(switch_port& p, pfc_class c) {
    log_watchdog(p, c, false);
}

// What a pause frame says beside the storms: those are noted, and while they are ignored, ignored.
pause_fields switch_node::watched(unsigned port, const ethernet_frame& frame) {
    pause_fields fields = frame.pause;
    class_mask xoff = 0;
    for (unsigned c = 0; c < pfc_classes; ++c) {
        xoff = static_cast<class_mask>(xoff | (fields.quanta[c] != 0 ? 1U << c : 0U));
    }
    m_watchdog->note_xoff(port, static_cast<class_mask>(xoff & fields.class_enable), m_now);
    if (m_parameters.flow_control.watchdog == watchdog_action::forward) {
        fields.class_enable = static_cast<class_mask>(fields.class_enable & ~m_watchdog->storms(port));
    }
    return fields;
}

// True: some class is in a storm whose frames are dropped, and those that waited are gone.
bool switch_node::drop_in_storm(switch_port& p) {
    if (m_parameters.flow_control.watchdog != watchdog_action::drop) {
        return false;
    }
    const class_mask storms = m_watchdog->storms(p.number);
    drop_backlog(p, storms, drop_reason::watchdog);
    return storms != 0;
}

// True: the frame comes at a port, and in a class, whose storm is being dropped, and is gone.
bool switch_node::drop_on_arrival_in_storm(unsigned port, frame_slot slot) {
    const frame_route& route = m_slab.route(slot);
    if (m_watchdog == nullptr || m_parameters.flow_control.watchdog != watchdog_action::drop ||
        m_slab.frame(slot).is_flow_control() || (m_watchdog->storms(port) >> route.frame_class & 1) == 0) {
        return false;
    }
    ++m_storm_losses[{port, route.frame_class}].arriving;
    drop(slot, port, drop_reason::watchdog);
    return true;
}

}  // namespace weir
