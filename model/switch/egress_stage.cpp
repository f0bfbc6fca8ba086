#include "weir/model/switch/switch_path.h"

namespace weir::model {

// Stage `transfer_done`: from ingress to egress memory. Only with `egress_tail` can there be no memory: nothing
// was reserved then.
template <class Path>
void egress_stage::on_crossed(frame_slot slot) {
    stored_frame& stored = core().frames[slot];
    switch_port& p = core().ports[stored.route.egress_port];
    if (ahead().is_used<Path>()) {
        p.wire->prefetch_place(core().owner.lane(), core().owner.clock().writing);
    }
    memory().settle_sent<Path>(p, core().instant.now - 1_ps);
    memory().leave_ingress<Path>(slot, stored);
    crossbar().free_ports<Path>(stored.route);
    if (!Path::all_are_events && pass_through(p, slot, stored)) {
        return;
    }
    if (Path::has_queue_rules && core().queues != nullptr && !is_offered(slot, stored)) {
        return;
    }
    if (!core().rules.drops_at_egress) {
        core().blocks.egress.as<Path>().commit(slot, core().instant.now);
    } else if (!core().blocks.egress.as<Path>().admit(slot, core().instant.now) &&
               !admit_after_eviction(slot)) {
        return;
    }
    if (Path::has_queue_rules && core().queues != nullptr) {
        core().queues->enter(stored.route);
    }
    core().instant.transmit_later(p);
}

// Asks the rules of its egress queue. False: the frame is lost.
bool egress_stage::is_offered(frame_slot slot, stored_frame& stored) {
    const frame_route& route = stored.route;
    core().queues->arrive(route);
    const frame_action action = core().queues->offer(stored, core().instant.now);
    if (action != frame_action::trim && action != frame_action::drop) {
        return true;
    }
    switch_port& p = core().ports[route.egress_port];
    reserve_again(p, route, 0U - route.charged_bytes);
    if (action == frame_action::trim && core().can_trim(slot, action.trimming())) {
        core().trim(slot, action.trimming());
        reserve_again(p, route, route.charged_bytes);
        return true;
    }
    core().drop_by_rule(slot, p.number, action.reason());
    return false;
}

// Changes the room that is reserved for a frame.
void egress_stage::reserve_again(switch_port& p, const frame_route& route, std::uint32_t more_bytes) {
    if (!core().rules.drops_at_egress) {
        memory().update_room(p, core().blocks.egress->reserve(p.number, route.frame_class, more_bytes));
    }
}

bool egress_stage::admit(frame_slot slot) {
    if (!core().blocks.egress->admit(slot, core().instant.now) && !admit_after_eviction(slot)) {
        return false;
    }
    core().instant.transmit_later(core().ports[core().frames.route(slot).egress_port]);
    return true;
}

// Egress memory is full: other frames may be evicted for it. False: the frame is lost.
bool egress_stage::admit_after_eviction(frame_slot slot) {
    while (evict_for(slot)) {
        if (core().blocks.egress->admit(slot, core().instant.now)) {
            return true;
        }
    }
    const frame_route& route = core().frames.route(slot);
    if (core().rules.is_lossless) {
        core().report_lossless_loss("egress port " + std::to_string(route.egress_port) +
                                    " lost a frame of lossless class " + std::to_string(route.frame_class));
    }
    core().drop(slot, route.egress_port, drop_reason::egress_full);
    return false;
}

void egress_stage::enqueue(frame_slot slot) {
    core().blocks.egress->commit(slot, core().instant.now);
    core().instant.transmit_later(core().ports[core().frames.route(slot).egress_port]);
}

bool egress_stage::evict_for(frame_slot newcomer) {
    const eviction evicted = core().blocks.egress->evict(newcomer);
    if (evicted.victim == no_slot) {
        return false;
    }
    switch_port& p = core().ports[core().frames.route(evicted.victim).egress_port];
    const class_mask room = release_queued(p, evicted.victim);
    const bool is_trimmed =
        evicted.action == frame_action::trim && core().can_trim(evicted.victim, evicted.action.trimming());
    if (!is_trimmed) {
        core().drop_by_rule(evicted.victim, p.number, drop_reason::evicted);
    }
    memory().update_room(p, room);
    if (is_trimmed) {
        core().trim(evicted.victim, evicted.action.trimming());
        enter_again(evicted.victim);
    }
    return true;
}

// The frame has been taken from its queue, and gives its memory back.
class_mask egress_stage::release_queued(switch_port& p, frame_slot slot) {
    memory().leave_queue(slot, core().instant.now);
    const frame_route& route = core().frames.route(slot);
    return core().blocks.egress->release(p.number, route.frame_class, route.charged_bytes, core().instant.now);
}

// A frame that was trimmed in its egress queue comes to the queue of its new class, or is lost.
void egress_stage::enter_again(frame_slot slot) {
    stored_frame& stored = core().frames[slot];
    bool is_stored = false;
    if (!core().organisation->has_crossbar()) {
        is_stored = core().organisation->take_again(slot) &&
                    core().organisation->enter(slot, stored, core().instant.now) == memory_path::entry::stored;
    } else if (core().blocks.egress->admit(slot, core().instant.now)) {
        is_stored = true;
    } else {
        core().drop_by_rule(slot, stored.route.egress_port, drop_reason::evicted);
    }
    if (is_stored && core().queues != nullptr) {
        core().queues->enter(stored.route);
    }
}

// The usual case: the frame that has crossed is the only one that its port can send, and no other event of this
// instant affects the port. True: it is sent at once, and was in its queue for no time.
bool egress_stage::pass_through(switch_port& p, frame_slot slot, const stored_frame& stored) {
    egress_buffer& buffer = *core().blocks.egress.own();
    const pfc_class c = stored.route.frame_class;
    if (!core().instant.is_last_event() || p.sending.busy(core().instant.now) || p.sending.needs_attention ||
        core().rules.scheduler_reads_lengths || buffer.backlog(*p.egress_memory) != 0 ||
        ((p.timers.paused_mask() >> c) & 1) != 0 || core().rules.drops_at_egress) {
        return false;
    }
    buffer.pass(*p.egress_memory, stored.route, core().instant.now);
    memory().settle_sent<direct_path>(p, core().instant.now);
    begin_transmission(p, c, slot, core().frames[slot]);
    core().await_end_unless_quiet(p);
    return true;
}

// A PFC frame goes before data, and a paused class is not eligible. A transmission that has begun is never cut
// short (T_O).
template <class Path>
void egress_stage::transmit(switch_port& p) {
    if (p.sending.busy(core().instant.now)) {
        return;
    }
    memory().settle_sent<Path>(p, core().instant.now);
    if (p.sending.needs_attention && attend_to(p)) {
        return;
    }
    const unsigned eligible =
        core().blocks.egress.as<Path>().backlog(p.at_egress<Path>()) & ~unsigned{p.timers.paused_mask()};
    if (eligible == 0) {
        return;
    }
    if (Path::asks_memory && core().rules.reads_banks && send_read(p, static_cast<class_mask>(eligible))) {
        return;
    }
    std::uint32_t wire_bytes = 0;
    if (!core().rules.scheduler_reads_lengths && (eligible & (eligible - 1)) == 0) {
        // One class has no rival, and our own strict priority keeps no state.
        send_data<Path>(p, static_cast<pfc_class>(__builtin_ctz(eligible)), wire_bytes);
        return;
    }
    const auto classes = static_cast<class_mask>(eligible);
    const int c = core().rules.scheduler_reads_lengths
                      ? select_by_length(p, classes, wire_bytes)
                      : core().blocks.scheduler->select(p.number, classes, nullptr);
    if (c < 0) {
        return;
    }
    if (c >= static_cast<int>(pfc_classes) || (eligible >> c & 1) == 0) {
        core().violate("the scheduler chooses class " + std::to_string(c) + " at port " +
                       std::to_string(p.number) + ", which has no frame of it that may be sent");
        return;
    }
    send_data<Path>(p, static_cast<pfc_class>(c), wire_bytes);
}

// Memory decides what is sent next, or that nothing can be sent yet. True: it has decided.
bool egress_stage::send_read(switch_port& p, class_mask eligible) {
    const int ready = core().organisation->class_read(p.number, eligible);
    if (ready >= 0) {
        const auto c = static_cast<pfc_class>(ready);
        const bytes length =
            core().frames.frame(core().blocks.egress->next(p.number, c)).length() + p.wire->overhead();
        send_data<general_path>(p, c, static_cast<std::uint32_t>(length.count()));
    }
    return ready != memory_path::any_class;
}

// True: data must not be sent now.
bool egress_stage::attend_to(switch_port& p) {
    if (!p.up) {
        drop_backlog(p, 0xFF, drop_reason::link_down);
        return true;
    }
    const class_mask storms =
        core().watchdog != nullptr ? core().watchdog->dropped_classes(p.number) : class_mask{0};
    if (storms != 0) {
        drop_backlog(p, storms, drop_reason::watchdog);
    }
    if (core().flow_control->send_due(p.number)) {
        return true;
    }
    p.sending.needs_attention = storms != 0;
    return false;
}

// A scheduler with weights needs to know how long each class's first frame is.
int egress_stage::select_by_length(switch_port& p, class_mask eligible, std::uint32_t& wire_bytes) {
    std::array<std::uint32_t, pfc_classes> lengths{};
    for (unsigned bits = core().blocks.egress->backlog(p.number); bits != 0; bits &= bits - 1) {
        const auto c = static_cast<pfc_class>(__builtin_ctz(bits));
        const bytes length =
            core().frames.frame(core().blocks.egress->next(p.number, c)).length() + p.wire->overhead();
        lengths[c] = static_cast<std::uint32_t>(length.count());
    }
    const int c = core().blocks.scheduler->select(p.number, eligible, lengths.data());
    wire_bytes = c >= 0 && c < static_cast<int>(pfc_classes) ? lengths[static_cast<unsigned>(c)] : 0;
    return c;
}

template <class Path>
void egress_stage::send_data(switch_port& p, pfc_class c, std::uint32_t wire_bytes) {
    if (Path::asks_memory && core().rules.reads_banks && !core().organisation->read(p.number, c)) {
        return;
    }
    auto& buffer = core().blocks.egress.as<Path>();
    frame_slot slot;
    if constexpr (!Path::all_are_events) {
        slot = buffer.dequeue_first(p.at_egress<Path>(), c);
    } else {
        slot = buffer.dequeue(p.at_egress<Path>(), c);
    }
    if (Path::has_queue_rules && core().queues != nullptr) {
        core().queues->depart(core().frames[slot], core().instant.now);
        if (core().frames.has_annexes()) {
            core().queues->record(core().frames[slot], p.wire->rate(), core().instant.now,
                                  core().frames.annex(slot));
        }
    }
    if (core().rules.scheduler_reads_lengths) {
        core().blocks.scheduler->sent(p.number, c, wire_bytes);
        if ((buffer.backlog(p.at_egress<Path>()) >> c & 1) == 0) {
            core().blocks.scheduler->drained(p.number, static_cast<class_mask>(1U << c));
        }
    }
    begin_transmission(p, c, slot, core().frames[slot]);
    if (buffer.backlog(p.at_egress<Path>()) != 0) {
        core().instant.await_end(p);
    } else {
        core().await_end_unless_quiet(p);
    }
}

// First bit out. Egress memory stays charged until the last bit has left.
inline void egress_stage::begin_transmission(switch_port& p, pfc_class c, frame_slot slot,
                                             stored_frame& stored) {
    ethernet_frame& frame = stored.frame;
    const picoseconds time = p.wire->wire_time(frame.length());
    p.stats.classes[c].count_sent(frame.frame_bytes, time);
    p.sending.begin(slot, stored.route, core().instant.now + time);
    core().owner.note_activity(p.sending.end);
    ++core().balance.sent;
    core().owner.send_on_wire(*p.wire, p.number, frame, core().instant.now, time);
}

template <class Path>
void egress_stage::on_transmit_done(unsigned port) {
    switch_port& p = core().ports[port];
    p.sending.end_scheduled = false;
    memory().settle_sent<Path>(p, core().instant.now);
    if (!Path::all_are_events && core().instant.is_last_event()) {
        transmit<Path>(p);
    } else {
        core().instant.transmit_later(p);
    }
}

// At the end of an instant, when its slot is over.
void egress_stage::drop_backlog(switch_port& p, class_mask classes, drop_reason reason) {
    crossbar().pass_slot();
    core().organisation->forget_read(p.number, classes);
    for (class_mask backlog = core().blocks.egress->backlog(p.number) & classes; backlog != 0;
         backlog = core().blocks.egress->backlog(p.number) & classes) {
        const auto c = static_cast<pfc_class>(31 - __builtin_clz(backlog));
        const frame_slot slot = core().blocks.egress->dequeue(p.number, c);
        const class_mask room = release_queued(p, slot);
        core().drop(slot, p.number, reason);
        memory().update_room(p, room);
    }
}

template void egress_stage::on_crossed<direct_path>(frame_slot);
template void egress_stage::on_crossed<own_path>(frame_slot);
template void egress_stage::on_crossed<general_path>(frame_slot);
template void egress_stage::transmit<direct_path>(switch_port&);
template void egress_stage::transmit<own_path>(switch_port&);
template void egress_stage::transmit<general_path>(switch_port&);
template void egress_stage::on_transmit_done<direct_path>(unsigned);
template void egress_stage::on_transmit_done<own_path>(unsigned);
template void egress_stage::on_transmit_done<general_path>(unsigned);

}  // namespace weir::model
