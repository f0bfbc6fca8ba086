// A switch's transmitters, and the flow control that stops them.
#include "weir/model/switch_node.h"

namespace weir {

void switch_node::transmit(unsigned port) {
    mac_port& mac = m_macs[port];
    if (mac.busy) {
        return;
    }
    if (!mac.up) {
        drop_waiting(port);
        return;
    }
    if (mac.requests.pending() || m_now >= mac.requests.refresh_due()) {
        send_control(port);
        return;
    }
    const auto eligible = static_cast<class_mask>(m_egress->backlog(port) & ~mac.timers.paused_mask());
    if (eligible == 0) {
        return;
    }
    std::uint32_t wire_bytes = 0;
    if (!m_scheduler_reads_lengths && (eligible & (eligible - 1)) == 0) {
        // One class has no rival, and our own strict priority keeps no state.
        send_data(port, static_cast<pfc_class>(__builtin_ctz(eligible)), wire_bytes);
        return;
    }
    const int c = m_scheduler_reads_lengths ? select_by_length(port, eligible, wire_bytes)
                                            : m_scheduler->select(port, eligible, nullptr);
    if (c < 0) {
        return;
    }
    if (c >= static_cast<int>(pfc_classes) || (eligible >> c & 1) == 0) {
        violate(m_now, "the scheduler chooses class " + std::to_string(c) + " at port " + std::to_string(port) +
                           ", which has no frame of it that may be sent");
        return;
    }
    send_data(port, static_cast<pfc_class>(c), wire_bytes);
}

// A scheduler with weights needs to know how long each class's first frame is.
int switch_node::select_by_length(unsigned port, class_mask eligible, std::uint32_t& wire_bytes) {
    std::array<std::uint32_t, pfc_classes> lengths{};
    for (unsigned bits = m_egress->backlog(port); bits != 0; bits &= bits - 1) {
        const auto c = static_cast<pfc_class>(__builtin_ctz(bits));
        const bytes length =
            m_slab.frame(m_egress->head(port, c)).length() + m_port_configs[port].wire_overhead;
        lengths[c] = static_cast<std::uint32_t>(length.count());
    }
    const int c = m_scheduler->select(port, eligible, lengths.data());
    wire_bytes = c >= 0 && c < static_cast<int>(pfc_classes) ? lengths[static_cast<unsigned>(c)] : 0;
    return c;
}

void switch_node::send_control(unsigned port) {
    mac_port& mac = m_macs[port];
    ethernet_frame frame;
    frame.kind =
        m_parameters.flow_control.mode == flow_control_mode::pause ? frame_kind::pause : frame_kind::pfc;
    frame.priority = pfc_classes - 1;
    frame.pause = mac.requests.launch(m_now);
    const picoseconds time = output(port).wire_time(frame.length());
    ++mac.stats.tx_control_frames;
    mac.stats.tx_busy += time;
    mac.busy = true;
    send_on_wire(port, frame, m_now);
    m_agenda.schedule(m_now + time, switch_stages::transmit_done, port, no_slot);
    if (mac.requests.refresh_due() != never && !mac.refresh_scheduled) {
        mac.refresh_scheduled = true;
        m_agenda.schedule(mac.requests.refresh_due(), switch_stages::pause_refresh, port, 0);
    }
}

void switch_node::send_data(unsigned port, pfc_class c, std::uint32_t wire_bytes) {
    mac_port& mac = m_macs[port];
    const frame_slot slot = m_egress->dequeue(port, c);
    if (m_scheduler_reads_lengths) {
        m_scheduler->sent(port, c, wire_bytes);
        if ((m_egress->backlog(port) >> c & 1) == 0) {
            m_scheduler->drained(port, static_cast<class_mask>(1U << c));
        }
    }
    ethernet_frame& frame = m_slab.frame(slot);
    const picoseconds time = output(port).wire_time(frame.length());
    ++mac.stats.tx_frames[c];
    mac.stats.tx_bytes[c] += frame.frame_bytes;
    mac.stats.tx_busy += time;
    mac.busy = true;
    ++m_balance.sent;
    ++m_transmitting;
    send_on_wire(port, frame, m_now);
    m_agenda.schedule(m_now + time, switch_stages::transmit_done, port, slot);
}

void switch_node::on_transmit_done(unsigned port, frame_slot slot) {
    m_macs[port].busy = false;
    transmit_later(port);
    if (slot == no_slot) {
        return;
    }
    m_last_activity = m_now;
    ++m_stats.hops;
    --m_transmitting;
    const frame_route& route = m_slab.route(slot);
    const class_mask room = m_egress->release(port, route.frame_class, route.charged_bytes, m_now);
    m_slab.release(slot);
    update_room(port, room);
}

// A cut link: what waits for it is lost.
void switch_node::drop_waiting(unsigned port) {
    for (class_mask backlog = m_egress->backlog(port); backlog != 0; backlog = m_egress->backlog(port)) {
        const auto c = static_cast<pfc_class>(31 - __builtin_clz(backlog));
        const frame_slot slot = m_egress->dequeue(port, c);
        const class_mask room = m_egress->release(port, c, m_slab.route(slot).charged_bytes, m_now);
        drop(slot, port, drop_reason::link_down);
        update_room(port, room);
    }
}

void switch_node::on_pause_effect(unsigned port, frame_slot slot) {
    const ethernet_frame& frame = m_slab.frame(slot);
    mac_port& mac = m_macs[port];
    if (frame.kind == frame_kind::pause) {
        mac.timers.apply_pause(frame.pause, m_now, mac.link);
    } else {
        mac.timers.apply(frame.pause, m_now, mac.link);
    }
    m_slab.release(slot);
    --m_control_frames;
    transmit_later(port);
    schedule_pause_expiry(port);
}

// One event a port is enough: it follows the timers when they move.
void switch_node::schedule_pause_expiry(unsigned port) {
    mac_port& mac = m_macs[port];
    const picoseconds expiry = mac.timers.next_expiry();
    if (expiry < mac.expiry_scheduled) {
        mac.expiry_scheduled = expiry;
        m_agenda.schedule(expiry, switch_stages::pause_expiry, port, 0);
    }
}

void switch_node::on_pause_expiry(unsigned port) {
    mac_port& mac = m_macs[port];
    if (mac.expiry_scheduled == m_now) {
        mac.expiry_scheduled = never;
    }
    if (mac.timers.expire(m_now) != 0) {
        transmit_later(port);
    }
    schedule_pause_expiry(port);
}

void switch_node::on_pause_refresh(unsigned port) {
    mac_port& mac = m_macs[port];
    const picoseconds due = mac.requests.refresh_due();
    if (due > m_now && due != never) {
        m_agenda.schedule(due, switch_stages::pause_refresh, port, 0);
        return;
    }
    mac.refresh_scheduled = false;
    if (due <= m_now) {
        transmit_later(port);
    }
}

}  // namespace weir
