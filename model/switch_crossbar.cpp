// A switch's crossbar: VOQs to egress memory, by whole frames or cell by cell.
#include "weir/model/switch_node.h"

namespace weir {

void switch_node::arbitrate_frames() {
    ++m_stats.arbitrations;
    m_matches.clear();
    m_arbiter->arbitrate(m_requests, m_free_ingress, m_free_egress, until_maximal, m_matches);
    m_stats.matches += m_matches.size();
    for (const crossbar_match& match : m_matches) {
        if (m_arbiter_is_foreign && !is_allowed(match)) {
            return;
        }
        const frame_slot slot = m_ingress->head(match.ingress_port, match.egress_port, match.frame_class);
        take_from_voq(match);
        reserve(slot);
        m_free_ingress.reset(match.ingress_port);
        m_free_egress.reset(match.egress_port);
        const bytes wire_bytes = m_slab.frame(slot).length() + m_port_configs[match.egress_port].wire_overhead;
        m_agenda.schedule(m_now + m_crossbar(wire_bytes), switch_stages::transfer_done, match.egress_port,
                          slot);
    }
}

// An arbiter that is not ours must match free ports and eligible pairs only.
bool switch_node::is_allowed(const crossbar_match& match) {
    if (match.ingress_port < ports() && match.egress_port < ports() && match.frame_class < m_classes &&
        m_free_ingress.test(match.ingress_port) && m_free_egress.test(match.egress_port) &&
        m_requests.eligible_ingress(match.egress_port, match.frame_class).test(match.ingress_port)) {
        return true;
    }
    violate(m_now, "the arbiter matches ingress port " + std::to_string(match.ingress_port) +
                       " with egress port " + std::to_string(match.egress_port) + " in class " +
                       std::to_string(match.frame_class) +
                       ": no such port, a busy one, or no frame that may cross");
    return false;
}

void switch_node::take_from_voq(const crossbar_match& match) {
    if (m_ingress->dequeue(match.ingress_port, match.egress_port, match.frame_class)) {
        m_requests.remove(match.ingress_port, match.egress_port, match.frame_class);
    }
}

void switch_node::reserve(frame_slot slot) {
    if (m_parameters.device.drop == drop_policy::egress_tail) {
        return;
    }
    const frame_route& route = m_slab.route(slot);
    update_room(route.egress_port,
                m_egress->reserve(route.egress_port, route.frame_class, route.charged_bytes));
}

// Slots lie at whole multiples of the slot time, so that all ports of a switch share them.
void switch_node::wake_slot() {
    if (m_slot_scheduled) {
        return;
    }
    m_slot_scheduled = true;
    const std::int64_t past = m_now.count() % m_slot_time.count();
    const bool now = past == 0 && m_last_slot != m_now;
    const picoseconds next = now ? m_now : m_now + m_slot_time - picoseconds{past};
    m_agenda.schedule(next, switch_stages::slot, 0, 0);
}

void switch_node::on_slot() {
    m_slot_scheduled = false;
    m_last_slot = m_now;
    ++m_stats.arbitrations;
    m_matches.clear();
    const port_bitmap all = m_free_ingress;
    m_arbiter->arbitrate(m_requests, all, all, m_parameters.device.iterations, m_matches);
    m_stats.matches += m_matches.size();
    port_bitmap free_ingress = all;
    port_bitmap free_egress = all;
    for (const crossbar_match& match : m_matches) {
        if (m_arbiter_is_foreign) {
            m_free_ingress = free_ingress;
            m_free_egress = free_egress;
            const bool allowed = is_allowed(match);
            m_free_ingress = m_free_egress = all;
            if (!allowed) {
                return;
            }
            free_ingress.reset(match.ingress_port);
            free_egress.reset(match.egress_port);
        }
        move_cell(match);
    }
    // Without a match nothing is eligible: a new request, or room, wakes the slots again.
    if (!m_matches.empty()) {
        m_slot_scheduled = true;
        m_agenda.schedule(m_now + m_slot_time, switch_stages::slot, 0, 0);
    }
}

void switch_node::move_cell(const crossbar_match& match) {
    const frame_slot slot = m_ingress->head(match.ingress_port, match.egress_port, match.frame_class);
    frame_route& route = m_slab.route(slot);
    if (route.cells_left == 0) {
        route.cells_left =
            static_cast<std::uint16_t>(cells_of(m_slab.frame(slot).length(), m_parameters.device.cell).count());
        reserve(slot);
        m_requests.start(match.ingress_port, match.egress_port, match.frame_class);
    }
    if (--route.cells_left == 0) {
        m_requests.finish(match.ingress_port, match.egress_port, match.frame_class);
        take_from_voq(match);
        m_agenda.schedule(m_now + m_slot_time, switch_stages::transfer_done, match.egress_port, slot);
    }
}

void switch_node::on_transfer_done(frame_slot slot) {
    const frame_route& route = m_slab.route(slot);
    const unsigned egress_port = route.egress_port;
    leave_ingress(slot);
    if (m_parameters.device.crossbar == crossbar_mode::frame) {
        m_free_ingress.set(route.ingress_port);
        m_free_egress.set(egress_port);
        m_arbitration_pending = m_arbitration_pending || m_requests.classes() != 0;
    }
    if (m_parameters.device.drop == drop_policy::egress_tail) {
        if (!m_egress->admit(slot, m_now)) {
            if (m_lossless) {
                violate(m_now, "egress port " + std::to_string(egress_port) +
                                   " lost a frame of lossless class " + std::to_string(route.frame_class));
            }
            drop(slot, egress_port, drop_reason::egress_full);
            return;
        }
    } else {
        m_egress->commit(slot, m_now);
    }
    if (!m_macs[egress_port].busy) {
        transmit_later(egress_port);
    }
}

// Ingress memory is free again, and pauses may end.
void switch_node::leave_ingress(frame_slot slot) {
    const frame_route& route = m_slab.route(slot);
    m_charged_bytes -= route.charged_bytes;
    const class_mask xon =
        m_ingress->release(route.ingress_port, route.frame_class, route.charged_bytes, m_now);
    if (xon != 0) {
        m_macs[route.ingress_port].requests.request_xon(xon);
        transmit_later(route.ingress_port);
    }
}

void switch_node::change_room(unsigned egress_port, class_mask room) {
    if (m_parameters.device.drop == drop_policy::egress_tail) {
        return;  // the crossbar never waits
    }
    const auto changed = static_cast<class_mask>(room ^ m_room[egress_port]);
    m_room[egress_port] = room;
    for (unsigned bits = changed; bits != 0; bits &= bits - 1) {
        const auto c = static_cast<pfc_class>(__builtin_ctz(bits));
        m_requests.set_room(egress_port, c, ((room >> c) & 1) != 0);
    }
    if ((changed & room) != 0 && m_requests.classes() != 0) {
        if (m_parameters.device.crossbar == crossbar_mode::cell) {
            wake_slot();
        } else {
            m_arbitration_pending = true;
        }
    }
}

}  // namespace weir
