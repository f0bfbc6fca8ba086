#include "weir/model/switch/memory_stage.h"

#include "weir/base/unit_text.h"
#include "weir/model/flow_control/pfc_thresholds.h"

namespace weir::model {

// --- ingress memory ---------------------------------------------------------------------------------------

// Each at the time of its last bit and in this order, as if each had been an event.
void memory_stage::charge_each_arrived(switch_port& p, picoseconds until) {
    while (p.first_arrived != no_slot && m_slab.route(p.first_arrived).arrival <= until) {
        const stored_frame& stored = m_slab[p.first_arrived];
        const frame_route& route = stored.route;
        p.first_arrived = route.next_arrived;
        count_arrival(p, stored);
        count_received(p, stored);
        m_charged_bytes += route.charged_bytes;
        m_ingress.own()->charge_quietly(m_ingress.own()->at(p.number), route.frame_class, route.charged_bytes,
                                        route.arrival);
        m_pipeline.count();
    }
}

// The usual case: the frame that leaves ingress memory arrived without an event and was alone there. True: it
// has been charged, with the time of its arrival, and released.
bool memory_stage::charge_and_release(frame_slot slot, switch_port& p, const stored_frame& stored) {
    const frame_route& route = stored.route;
    if (p.first_arrived != slot ||
        (route.next_arrived != no_slot && m_slab.route(route.next_arrived).arrival <= m_now) ||
        !m_ingress.own()->pass(m_ingress.own()->at(p.number), route.frame_class, route.charged_bytes,
                               route.arrival, m_now)) {
        return false;
    }
    p.first_arrived = route.next_arrived;
    count_arrival(p, stored);
    count_received(p, stored);
    m_pipeline.count();
    return true;
}

void memory_stage::catch_up(picoseconds until) {
    if (m_path == frame_path::direct) {
        for (switch_port& p : m_ports) {
            charge_arrived(p, until - 1_ps);
            settle_sent<frame_path::direct>(p, until - 1_ps);
        }
    } else {
        // Each arrival has been an event.
        for (switch_port& p : m_ports) {
            settle_sent<frame_path::general>(p, until - 1_ps);
        }
    }
}

// XOFF is decided with the charge; arrivals without an event cannot reach the threshold.
bool memory_stage::charge(switch_port& p, frame_slot slot) {
    const frame_route& route = m_slab.route(slot);
    const charge_result result = m_ingress->charge(p.number, route.frame_class, route.charged_bytes, m_now);
    if (!result.admitted) {
        if (is_lossless()) {
            report_full_ingress(p.number, route);
        }
        drop(slot, p.number, drop_reason::ingress_full);
        return false;
    }
    m_charged_bytes += route.charged_bytes;
    if (result.xoff != 0) {
        if (m_causes != nullptr) {
            m_causes->note_xoff(p.number, result.xoff, slot);
        }
        p.requests.request_xoff(result.xoff);
        m_macs->requests_changed(p.number);
    }
    return true;
}

void memory_stage::report_full_ingress(unsigned port, const frame_route& route) {
    const port_flow_control control =
        resolve_flow_control(m_parameters.device, m_parameters.flow_control, m_port_configs[port]);
    report_lossless_loss("ingress port " + std::to_string(port) + " lost a frame of lossless class " +
                         std::to_string(route.frame_class) + " (" + std::to_string(route.charged_bytes) +
                         " B) at " + to_text(m_now) + ": the port's ingress memory has no room for it (" +
                         std::to_string(m_ingress->occupancy(port).count()) + " of " +
                         std::to_string(control.limits.capacity) + " B in use); XOFF at " +
                         std::to_string(control.limits.xoff) + " B, XON below " +
                         std::to_string(control.limits.xon) +
                         " B, classes paused: " + std::to_string(m_ports[port].requests.wanted()) +
                         "; a class needs " + std::to_string(control.worst_case.count()) + " B after XOFF");
}

// Stage `transfer_done`. While it crosses a frame is in ingress memory and in reserved egress room. Here it
// gives up ingress memory, which may end a pause.
template <frame_path Path>
void memory_stage::leave_ingress(frame_slot slot, const stored_frame& stored) {
    const frame_route& route = stored.route;
    switch_port& p = m_ports[route.ingress_port];
    if (p.first_arrived != no_slot) {
        if (charge_and_release(slot, p, stored)) {
            return;
        }
        charge_each_arrived(p, m_now);
    }
    m_charged_bytes -= route.charged_bytes;
    const class_mask xon =
        m_ingress.as<Path>().release(at_ingress<Path>(p), route.frame_class, route.charged_bytes, m_now);
    if (xon != 0) {
        p.requests.request_xon(xon);
        m_macs->requests_changed(p.number);
    }
}

void memory_stage::release_ingress(const frame_route& route, picoseconds at) {
    m_charged_bytes -= route.charged_bytes;
    const class_mask xon = m_ingress->release(route.ingress_port, route.frame_class, route.charged_bytes, at);
    if (xon != 0) {
        m_ports[route.ingress_port].requests.request_xon(xon);
        m_macs->requests_changed(route.ingress_port);
    }
}

// --- egress memory ----------------------------------------------------------------------------------------

// At the match: the arbiter has seen room for the longest frame, so no reservation fails.
template <frame_path Path>
void memory_stage::reserve(const frame_route& route) {
    if (m_rules.drops_at_egress) {
        return;
    }
    switch_port& p = m_ports[route.egress_port];
    const std::uint32_t room =
        m_egress.as<Path>().reserve(p.at_egress<Path>(), route.frame_class, route.charged_bytes);
    if (room != p.room) {
        lose_room(p);
    }
}

// A frame whose last bit has left by now may still be charged: its room comes back first.
void memory_stage::lose_room(switch_port& p) {
    settle_sent<frame_path::general>(p, m_now);
    update_room(p, m_egress->room(p.number));
    await_end_unless_quiet(p);
}

// The frame gives its place in its egress queue back.
void memory_stage::leave_queue(frame_slot slot, picoseconds at) {
    frame_route& route = m_slab.route(slot);
    if (m_queues != nullptr) {
        m_queues->leave(route, at);
    }
    if (route.is_own) {
        route.is_own = false;
    } else if (!m_crosses_plainly) {
        m_memory->leave(route, at);
    }
}

// The last bit of `slot` has left at `at`.
template <frame_path Path>
void memory_stage::release_sent(switch_port& p, frame_slot slot, picoseconds at) {
    if constexpr (may_manage_queues(Path)) {
        leave_queue(slot, at);
    } else if constexpr (Path == frame_path::inlined) {
        m_memory->leave(m_slab.route(slot), at);
    }
    const std::uint32_t room =
        m_egress.as<Path>().release(p.at_egress<Path>(), p.sending.frame_class, p.sending.charged_bytes, at);
    m_slab.release(slot);
    update_room(p, room);
}

// Tells the arbiter. Room that comes back may make a pair eligible, so it has to run again.
void memory_stage::change_room(switch_port& p, std::uint32_t room) {
    if (m_rules.drops_at_egress) {
        return;  // the crossbar never waits
    }
    const std::uint32_t changed = room ^ p.room;
    p.room = static_cast<class_mask>(room);
    for (unsigned bits = changed; bits != 0; bits &= bits - 1) {
        const auto c = static_cast<pfc_class>(__builtin_ctz(bits));
        m_requests.set_room(p.number, c, ((room >> c) & 1) != 0);
    }
    if ((changed & room) != 0 && m_requests.classes() != 0) {
        if (moves_cells()) {
            wake_slot();
        } else {
            arbitrate_later();
        }
    }
}

template void memory_stage::leave_ingress<frame_path::direct>(frame_slot, const stored_frame&);
template void memory_stage::leave_ingress<frame_path::inlined>(frame_slot, const stored_frame&);
template void memory_stage::leave_ingress<frame_path::managed>(frame_slot, const stored_frame&);
template void memory_stage::leave_ingress<frame_path::general>(frame_slot, const stored_frame&);
template void memory_stage::reserve<frame_path::direct>(const frame_route&);
template void memory_stage::reserve<frame_path::inlined>(const frame_route&);
template void memory_stage::reserve<frame_path::managed>(const frame_route&);
template void memory_stage::reserve<frame_path::general>(const frame_route&);
template void memory_stage::release_sent<frame_path::direct>(switch_port&, frame_slot, picoseconds);
template void memory_stage::release_sent<frame_path::inlined>(switch_port&, frame_slot, picoseconds);
template void memory_stage::release_sent<frame_path::managed>(switch_port&, frame_slot, picoseconds);
template void memory_stage::release_sent<frame_path::general>(switch_port&, frame_slot, picoseconds);

}  // namespace weir::model
