// A switch's transmitters, and the flow control that stops them.
#include "weir/model/switch/switch_node.h"

namespace weir {

template <bool Own>
void switch_node::transmit(switch_port& p) {
    if (p.sending.busy(m_now)) {
        return;
    }
    settle_sent<Own>(p, m_now);
    if (p.needs_attention && attend_to(p)) {
        return;
    }
    const unsigned eligible = m_egress.as<Own>().backlog(egress_at<Own>(p)) & ~unsigned{p.timers.paused_mask()};
    if (eligible == 0) {
        return;
    }
    if constexpr (!Own) {
        if (m_sram != nullptr && follow_read(p, static_cast<class_mask>(eligible))) {
            return;
        }
    }
    std::uint32_t wire_bytes = 0;
    if (!m_scheduler_reads_lengths && (eligible & (eligible - 1)) == 0) {
        // One class has no rival, and our own strict priority keeps no state.
        send_data<Own>(p, static_cast<pfc_class>(__builtin_ctz(eligible)), wire_bytes);
        return;
    }
    const auto classes = static_cast<class_mask>(eligible);
    const int c = m_scheduler_reads_lengths ? select_by_length(p, classes, wire_bytes)
                                            : m_scheduler->select(p.number, classes, nullptr);
    if (c < 0) {
        return;
    }
    if (c >= static_cast<int>(pfc_classes) || (eligible >> c & 1) == 0) {
        violate(m_now, "the scheduler chooses class " + std::to_string(c) + " at port " +
                           std::to_string(p.number) + ", which has no frame of it that may be sent");
        return;
    }
    send_data<Own>(p, static_cast<pfc_class>(c), wire_bytes);
}

// True: data must not be sent now.
bool switch_node::attend_to(switch_port& p) {
    if (!p.up) {
        drop_waiting(p);
        return true;
    }
    const bool storm = m_watchdog != nullptr && m_watchdog->drop_waiting(p.number);
    if (m_pfc != nullptr) {
        if (const pause_fields* const made = m_pfc->offer(p.number)) {
            send_control(p, made);
            return true;
        }
    } else if (p.requests.pending() || m_now >= p.requests.refresh_due()) {
        send_control(p, nullptr);
        return true;
    }
    p.needs_attention = storm;
    return false;
}

// A scheduler with weights needs to know how long each class's first frame is.
int switch_node::select_by_length(switch_port& p, class_mask eligible, std::uint32_t& wire_bytes) {
    std::array<std::uint32_t, pfc_classes> lengths{};
    for (unsigned bits = m_egress->backlog(p.number); bits != 0; bits &= bits - 1) {
        const auto c = static_cast<pfc_class>(__builtin_ctz(bits));
        const bytes length = m_slab.frame(m_egress->head(p.number, c)).length() + p.wire_overhead;
        lengths[c] = static_cast<std::uint32_t>(length.count());
    }
    const int c = m_scheduler->select(p.number, eligible, lengths.data());
    wire_bytes = c >= 0 && c < static_cast<int>(pfc_classes) ? lengths[static_cast<unsigned>(c)] : 0;
    return c;
}

void switch_node::send_control(switch_port& p, const pause_fields* made) {
    ethernet_frame frame;
    frame.kind =
        m_parameters.flow_control.mode == flow_control_mode::pause ? frame_kind::pause : frame_kind::pfc;
    frame.priority = pfc_classes - 1;
    if (made == nullptr) {
        frame.pause = p.requests.launch(m_now);
    } else {
        frame.pause = *made;
        p.requests.launched(*made);
    }
    const picoseconds time = p.wire->wire_time(frame.length());
    ++p.stats.tx_control_frames;
    p.stats.tx_busy += time;
    p.sending.begin(no_slot, m_now + time);
    send_on_wire(p.number, frame, m_now);
    await_end(p);
    if (m_pfc != nullptr) {
        m_pfc->sent(p.number);
    } else if (p.requests.refresh_due() != never && !p.refresh_scheduled) {
        p.refresh_scheduled = true;
        m_agenda.schedule(p.requests.refresh_due(), switch_stages::pause_refresh, p.number, 0);
    }
}

template <bool Own>
void switch_node::send_data(switch_port& p, pfc_class c, std::uint32_t wire_bytes) {
    if constexpr (!Own) {
        if (m_sram != nullptr && !read_egress(p, c)) {
            return;
        }
    }
    auto& memory = m_egress.as<Own>();
    const frame_slot slot = memory.dequeue(egress_at<Own>(p), c);
    if (m_scheduler_reads_lengths) {
        m_scheduler->sent(p.number, c, wire_bytes);
        if ((memory.backlog(egress_at<Own>(p)) >> c & 1) == 0) {
            m_scheduler->drained(p.number, static_cast<class_mask>(1U << c));
        }
    }
    begin_transmission(p, c, slot, m_slab.frame(slot));
    if (memory.backlog(egress_at<Own>(p)) != 0) {
        await_end(p);
    } else {
        await_end_unless_quiet(p);
    }
}

inline void switch_node::begin_transmission(switch_port& p, pfc_class c, frame_slot slot,
                                            ethernet_frame& frame) {
    const picoseconds time = p.wire->wire_time(frame.length());
    ++p.stats.tx_frames[c];
    p.stats.tx_bytes[c] += frame.frame_bytes;
    p.stats.tx_busy += time;
    p.sending.begin(slot, m_now + time);
    m_last_activity = p.sending.end > m_last_activity ? p.sending.end : m_last_activity;
    ++m_balance.sent;
    send_on_wire(*p.wire, p.number, frame, m_now);
}

template <bool Own>
void switch_node::on_transmit_done(unsigned port) {
    switch_port& p = m_ports[port];
    p.sending.end_scheduled = false;
    settle_sent<Own>(p, m_now);
    if (Own && is_last_of_instant()) {
        transmit<Own>(p);
    } else {
        transmit_later(p);
    }
}

// The last bit of `slot` has left at `at`: egress memory is free again.
template <bool Own>
void switch_node::release_sent(switch_port& p, frame_slot slot, picoseconds at) {
    const frame_route& route = m_slab.route(slot);
    if constexpr (!Own) {
        if (m_shared != nullptr) {
            leave_shared(route, at);
        }
    }
    const std::uint32_t room =
        m_egress.as<Own>().release(egress_at<Own>(p), route.frame_class, route.charged_bytes, at);
    m_slab.release(slot);
    update_room(p, room);
}

// What waits in these classes is lost.
void switch_node::drop_backlog(switch_port& p, class_mask classes, drop_reason reason) {
    if (m_sram != nullptr) {
        sram_timing::port_state& state = m_sram->port(p.number);
        state.read = static_cast<class_mask>(state.read & ~classes);
    }
    for (class_mask backlog = m_egress->backlog(p.number) & classes; backlog != 0;
         backlog = m_egress->backlog(p.number) & classes) {
        const auto c = static_cast<pfc_class>(31 - __builtin_clz(backlog));
        const frame_slot slot = m_egress->dequeue(p.number, c);
        if (m_shared != nullptr) {
            leave_shared(m_slab.route(slot), m_now);
        }
        const class_mask room = m_egress->release(p.number, c, m_slab.route(slot).charged_bytes, m_now);
        drop(slot, p.number, reason);
        update_room(p, room);
    }
}

void switch_node::on_pause_effect(unsigned port, frame_slot slot) {
    const ethernet_frame& frame = m_slab.frame(slot);
    switch_port& mac = m_ports[port];
    if (frame.kind == frame_kind::pause) {
        mac.timers.apply_pause(frame.pause, m_now, mac.link);
    } else {
        mac.timers.apply(m_watchdog == nullptr ? frame.pause : m_watchdog->heard(port, frame.pause), m_now,
                         mac.link);
    }
    m_slab.release(slot);
    --m_control_frames;
    if (m_pfc != nullptr) {
        m_pfc->follow(port);
    }
    note_pauses(mac);
    tell_pauses(port, mac.timers.paused_mask(), m_now);
    transmit_later(mac);
    schedule_pause_expiry(port);
}

// One event a port is enough: it follows the timers when they move.
void switch_node::schedule_pause_expiry(unsigned port) {
    switch_port& mac = m_ports[port];
    const picoseconds expiry = mac.timers.next_expiry();
    if (expiry < mac.expiry_scheduled) {
        mac.expiry_scheduled = expiry;
        m_agenda.schedule(expiry, switch_stages::pause_expiry, port, 0);
    }
}

void switch_node::on_pause_expiry(unsigned port) {
    switch_port& mac = m_ports[port];
    if (mac.expiry_scheduled == m_now) {
        mac.expiry_scheduled = never;
    }
    if ((m_pfc == nullptr ? mac.timers.expire(m_now) : m_pfc->follow(port)) != 0) {
        note_pauses(mac);
        tell_pauses(port, mac.timers.paused_mask(), m_now);
        transmit_later(mac);
    }
    schedule_pause_expiry(port);
}

void switch_node::on_pause_refresh(unsigned port, std::uint32_t reason) {
    switch_port& mac = m_ports[port];
    bool repeats = true;
    if (m_pfc != nullptr) {
        const auto why = static_cast<bound_pfc::reason>(reason);
        if (!m_pfc->look(port, why)) {
            return;
        }
        repeats = why == bound_pfc::refresh;
    } else {
        const picoseconds due = mac.requests.refresh_due();
        if (due > m_now && due != never) {
            m_agenda.schedule(due, switch_stages::pause_refresh, port, 0);
            return;
        }
        mac.refresh_scheduled = false;
        if (due > m_now) {
            return;
        }
    }
    if (repeats && m_causes != nullptr) {
        m_causes->note_xoff(port, mac.requests.wanted(), no_slot);
    }
    mac.needs_attention = true;
    transmit_later(mac);
}

template void switch_node::transmit<true>(switch_port&);
template void switch_node::transmit<false>(switch_port&);
template void switch_node::on_transmit_done<true>(unsigned);
template void switch_node::on_transmit_done<false>(unsigned);
template void switch_node::release_sent<true>(switch_port&, frame_slot, picoseconds);
template void switch_node::release_sent<false>(switch_port&, frame_slot, picoseconds);

}  // namespace weir
