#include "weir/model/switch/egress_stage.h"

namespace weir::model {

// Stage `transfer_done`: from ingress to egress memory. Only with `egress_tail` can there be no memory: nothing
// was reserved then.
template <frame_path Path>
void egress_stage::on_crossed(frame_slot slot) {
    stored_frame& stored = m_slab[slot];
    switch_port& p = m_ports[stored.route.egress_port];
    if (fetches_ahead<Path>()) {
        p.wire->prefetch_place(lane(), m_clock.writing);
    }
    settle_sent<Path>(p, m_now - 1_ps);
    leave_ingress<Path>(slot, stored);
    free_ports<Path>(stored.route);
    if constexpr (Path == frame_path::direct) {
        if (pass_through<Path>(p, slot, stored)) {
            return;
        }
    }
    if constexpr (may_manage_queues(Path)) {
        if (m_queues != nullptr && !is_offered(slot, stored)) {
            return;
        }
    }
    if (!m_rules.drops_at_egress) {
        m_egress.as<Path>().commit(slot, m_now);
    } else if (!m_egress.as<Path>().admit(slot, m_now) && !admit_after_eviction(slot)) {
        return;
    }
    if constexpr (may_manage_queues(Path)) {
        if (m_queues != nullptr) {
            m_queues->enter(stored.route);
        }
    }
    transmit_later(p);
}

// Asks the rules of its egress queue. False: the frame is lost.
bool egress_stage::is_offered(frame_slot slot, stored_frame& stored) {
    const frame_route& route = stored.route;
    m_queues->arrive(route);
    if (m_queues->offer(stored, m_now)) {
        return true;
    }
    switch_port& p = m_ports[route.egress_port];
    if (!m_rules.drops_at_egress) {
        update_room(p, m_egress->reserve(p.number, route.frame_class, 0U - route.charged_bytes));
    }
    drop_by_rule(slot, p.number, drop_reason::early);
    return false;
}

bool egress_stage::admit(frame_slot slot) {
    if (!m_egress->admit(slot, m_now) && !admit_after_eviction(slot)) {
        return false;
    }
    transmit_later(m_ports[m_slab.route(slot).egress_port]);
    return true;
}

// Egress memory is full: other frames may be evicted for it. False: the frame is lost.
bool egress_stage::admit_after_eviction(frame_slot slot) {
    while (evict_for(slot)) {
        if (m_egress->admit(slot, m_now)) {
            return true;
        }
    }
    const frame_route& route = m_slab.route(slot);
    if (is_lossless()) {
        report_lossless_loss("egress port " + std::to_string(route.egress_port) +
                             " lost a frame of lossless class " + std::to_string(route.frame_class));
    }
    drop(slot, route.egress_port, drop_reason::egress_full);
    return false;
}

bool egress_stage::evict_for(frame_slot newcomer) {
    const frame_slot victim = m_egress->evict(newcomer);
    if (victim == no_slot) {
        return false;
    }
    lose_queued(m_ports[m_slab.route(victim).egress_port], victim, drop_reason::evicted);
    return true;
}

// The frame has been taken from its queue.
void egress_stage::lose_queued(switch_port& p, frame_slot slot, drop_reason reason) {
    const frame_route& route = m_slab.route(slot);
    leave_queue(slot, m_now);
    const class_mask room = m_egress->release(p.number, route.frame_class, route.charged_bytes, m_now);
    if (reason == drop_reason::evicted) {
        drop_by_rule(slot, p.number, reason);
    } else {
        drop(slot, p.number, reason);
    }
    update_room(p, room);
}

// The usual case: the frame that has crossed is the only one that its port can send, and no other event of this
// instant affects the port. True: it is sent at once, and was in its queue for no time.
template <frame_path Path>
bool egress_stage::pass_through(switch_port& p, frame_slot slot, const stored_frame& stored) {
    auto& memory = m_egress.as<Path>();
    const pfc_class c = stored.route.frame_class;
    if (!is_last_of_instant() || p.sending.busy(m_now) || p.sending.needs_attention ||
        m_scheduler_reads_lengths || memory.backlog(*p.egress_memory) != 0 ||
        ((p.timers.paused_mask() >> c) & 1) != 0 || m_rules.drops_at_egress) {
        return false;
    }
    memory.pass(*p.egress_memory, stored.route, m_now);
    settle_sent<Path>(p, m_now);
    begin_transmission(p, c, slot, m_slab[slot]);
    await_end_unless_quiet(p);
    return true;
}

// A PFC frame goes before data, and a paused class is not eligible. A transmission that has begun is never cut
// short (T_O).
template <frame_path Path>
void egress_stage::transmit(switch_port& p) {
    if (p.sending.busy(m_now)) {
        return;
    }
    settle_sent<Path>(p, m_now);
    if (p.sending.needs_attention && attend_to(p)) {
        return;
    }
    const unsigned eligible =
        m_egress.as<Path>().backlog(p.at_egress<Path>()) & ~unsigned{p.timers.paused_mask()};
    if (eligible == 0) {
        return;
    }
    if constexpr (Path != frame_path::direct) {
        if (m_reads_banks && send_read(p, static_cast<class_mask>(eligible))) {
            return;
        }
    }
    std::uint32_t wire_bytes = 0;
    if (!m_scheduler_reads_lengths && (eligible & (eligible - 1)) == 0) {
        // One class has no rival, and our own strict priority keeps no state.
        send_data<Path>(p, static_cast<pfc_class>(__builtin_ctz(eligible)), wire_bytes);
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
    send_data<Path>(p, static_cast<pfc_class>(c), wire_bytes);
}

// Memory decides what is sent next, or that nothing can be sent yet. True: it has decided.
bool egress_stage::send_read(switch_port& p, class_mask eligible) {
    const int ready = m_memory->class_read(p.number, eligible);
    if (ready >= 0) {
        const auto c = static_cast<pfc_class>(ready);
        const bytes length = m_slab.frame(m_egress->next(p.number, c)).length() + p.wire->overhead();
        send_data<frame_path::general>(p, c, static_cast<std::uint32_t>(length.count()));
    }
    return ready != memory_path::any_class;
}

// True: data must not be sent now.
bool egress_stage::attend_to(switch_port& p) {
    if (!p.up) {
        drop_backlog(p, 0xFF, drop_reason::link_down);
        return true;
    }
    const bool storm = m_watchdog != nullptr && m_watchdog->drop_waiting(p.number);
    if (m_macs->send_due(p.number)) {
        return true;
    }
    p.sending.needs_attention = storm;
    return false;
}

// A scheduler with weights needs to know how long each class's first frame is.
int egress_stage::select_by_length(switch_port& p, class_mask eligible, std::uint32_t& wire_bytes) {
    std::array<std::uint32_t, pfc_classes> lengths{};
    for (unsigned bits = m_egress->backlog(p.number); bits != 0; bits &= bits - 1) {
        const auto c = static_cast<pfc_class>(__builtin_ctz(bits));
        const bytes length = m_slab.frame(m_egress->next(p.number, c)).length() + p.wire->overhead();
        lengths[c] = static_cast<std::uint32_t>(length.count());
    }
    const int c = m_scheduler->select(p.number, eligible, lengths.data());
    wire_bytes = c >= 0 && c < static_cast<int>(pfc_classes) ? lengths[static_cast<unsigned>(c)] : 0;
    return c;
}

void egress_stage::send_control(switch_port& p, ethernet_frame& frame) {
    const picoseconds time = p.wire->wire_time(frame.length());
    p.stats.tx_control_time += time;
    p.sending.begin(no_slot, m_now + time);
    send_on_wire(*p.wire, p.number, frame, m_now, time);
    await_end(p);
}

template <frame_path Path>
void egress_stage::send_data(switch_port& p, pfc_class c, std::uint32_t wire_bytes) {
    if constexpr (Path != frame_path::direct) {
        if (m_reads_banks && !m_memory->read(p.number, c)) {
            return;
        }
    }
    auto& memory = m_egress.as<Path>();
    frame_slot slot;
    if constexpr (Path == frame_path::direct) {
        slot = memory.dequeue_first(p.at_egress<Path>(), c);
    } else {
        slot = memory.dequeue(p.at_egress<Path>(), c);
    }
    if constexpr (may_manage_queues(Path)) {
        if (m_queues != nullptr) {
            m_queues->depart(m_slab[slot], m_now);
            if (m_slab.has_annexes()) {
                m_queues->record(m_slab[slot], p.wire->rate(), m_now, m_slab.annex(slot));
            }
        }
    }
    if (m_scheduler_reads_lengths) {
        m_scheduler->sent(p.number, c, wire_bytes);
        if ((memory.backlog(p.at_egress<Path>()) >> c & 1) == 0) {
            m_scheduler->drained(p.number, static_cast<class_mask>(1U << c));
        }
    }
    begin_transmission(p, c, slot, m_slab[slot]);
    if (memory.backlog(p.at_egress<Path>()) != 0) {
        await_end(p);
    } else {
        await_end_unless_quiet(p);
    }
}

// First bit out. Egress memory stays charged until the last bit has left.
inline void egress_stage::begin_transmission(switch_port& p, pfc_class c, frame_slot slot,
                                             stored_frame& stored) {
    ethernet_frame& frame = stored.frame;
    const picoseconds time = p.wire->wire_time(frame.length());
    p.stats.classes[c].count_sent(frame.frame_bytes, time);
    p.sending.begin(slot, stored.route, m_now + time);
    m_last_activity = p.sending.end > m_last_activity ? p.sending.end : m_last_activity;
    ++m_balance.sent;
    send_on_wire(*p.wire, p.number, frame, m_now, time);
}

template <frame_path Path>
void egress_stage::on_transmit_done(unsigned port) {
    switch_port& p = m_ports[port];
    p.sending.end_scheduled = false;
    settle_sent<Path>(p, m_now);
    if (Path == frame_path::direct && is_last_of_instant()) {
        transmit<Path>(p);
    } else {
        transmit_later(p);
    }
}

// At the end of an instant, when its slot is over.
void egress_stage::drop_backlog(switch_port& p, class_mask classes, drop_reason reason) {
    pass_slot();
    m_memory->forget_read(p.number, classes);
    for (class_mask backlog = m_egress->backlog(p.number) & classes; backlog != 0;
         backlog = m_egress->backlog(p.number) & classes) {
        const auto c = static_cast<pfc_class>(31 - __builtin_clz(backlog));
        lose_queued(p, m_egress->dequeue(p.number, c), reason);
    }
}

template void egress_stage::on_crossed<frame_path::direct>(frame_slot);
template void egress_stage::on_crossed<frame_path::inlined>(frame_slot);
template void egress_stage::on_crossed<frame_path::managed>(frame_slot);
template void egress_stage::on_crossed<frame_path::general>(frame_slot);
template void egress_stage::transmit<frame_path::direct>(switch_port&);
template void egress_stage::transmit<frame_path::inlined>(switch_port&);
template void egress_stage::transmit<frame_path::managed>(switch_port&);
template void egress_stage::transmit<frame_path::general>(switch_port&);
template void egress_stage::on_transmit_done<frame_path::direct>(unsigned);
template void egress_stage::on_transmit_done<frame_path::inlined>(unsigned);
template void egress_stage::on_transmit_done<frame_path::managed>(unsigned);
template void egress_stage::on_transmit_done<frame_path::general>(unsigned);

}  // namespace weir::model
