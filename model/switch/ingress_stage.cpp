#include "weir/model/switch/switch_path.h"

namespace weir::model {

ingress_stage::ingress_stage(const switch_core& core)
    : m_selection_chance(core.parameters.seed, core.owner.index(), random_purpose::port_selection) {
    for (unsigned port = 0; port < core.rules.ports; ++port) {
        m_known.to_switches.assign(port, core.links[port].to_switch);
        m_error_chance.emplace_back(random_stream::mix(core.parameters.seed) + port, core.owner.index(),
                                    random_purpose::bit_errors);
    }
}

void ingress_stage::note_link(unsigned port) {
    m_known.to_switches.assign(port, core().links[port].to_switch && core().ports[port].up);
}

template <class Path>
const port_bitmap& ingress_stage::acceptable_ports(ipv4_address destination) {
    if constexpr (Path::has_own_blocks) {
        return core().blocks.lookup.own()->lookup_ports(to_uint(destination));
    } else {
        return core().blocks.lookup->lookup(destination);
    }
}

// From the inbox, before the last bit has come. On the direct path an arrival that can neither fill its
// memory nor reach XOFF has no event: it is charged, with the time of its last bit, when its port is next read.
template <class Path>
void ingress_stage::accept(const wire_arrival& arrival) {
    // This stage needs the whole frame.
    const picoseconds last_bit = arrival.first_used();
    const unsigned port = arrival.port();
    switch_port& p = core().ports[port];
    const frame_slot slot = core().frames.put(arrival.frame);
    if (__builtin_expect(p.inspects_arrivals, 0)) {
        core().owner.note_taken(port);
    }
    if (Path::has_queue_rules && core().frames.has_annexes()) {
        core().frames.annex(slot) = core().owner.input(port).take_annex();
    }
    const ethernet_frame& frame = arrival.frame;
    frame_route& route = core().frames.route(slot);
    route.arrival = last_bit;
    route.ingress_port = static_cast<std::uint16_t>(port);
    if (frame.is_flow_control()) {
        ++core().balance.arriving;
        core().instant.events.schedule(last_bit, switch_stages::arrival, port, slot);
        return;
    }
    route.frame_class = core().rules.class_of(frame);
    route.cells_left = 0;
    route.charged_bytes =
        static_cast<std::uint32_t>(memory_of(frame.length(), core().rules.memory_cell).count());
    p.incoming_bytes += route.charged_bytes;
    if (!Path::all_are_events) {
        if (!p.arrivals_are_events && frame.length() <= core().rules.max_frame &&
            ingress_buffer::is_quiet(core().blocks.ingress.own()->at(port), p.incoming_bytes)) {
            route.next_arrived = no_slot;
            (p.first_arrived == no_slot ? p.first_arrived : core().frames.route(p.last_arrived).next_arrived) =
                slot;
            p.last_arrived = slot;
            core().instant.events.schedule(last_bit + core().pipeline.latency(), switch_stages::lookup_done,
                                           port, slot);
            return;
        }
    }
    ++core().balance.arriving;
    core().instant.events.schedule(last_bit, switch_stages::arrival, port, slot);
}

// Stage `arrival`: memory is charged before the lookup, as the closed form of the reserve assumes (decision 7).
template <class Path>
void ingress_stage::on_arrival(unsigned port, frame_slot slot) {
    const stored_frame& stored = core().frames[slot];
    const ethernet_frame& frame = stored.frame;
    switch_port& p = core().ports[port];
    --core().balance.arriving;
    if (!frame.is_flow_control()) {
        memory().charge_arrived(p, core().instant.now);
        core().count_arrival(p, stored);
    }
    if (p.inspects_arrivals && lost_on_arrival(port, slot)) {
        return;
    }
    if (frame.is_flow_control()) {
        ++core().balance.control_frames;
        core().instant.events.schedule(core().flow_control->arrive(port, frame), switch_stages::pause_effect,
                                       port, slot);
        return;
    }
    core().count_received(p, stored);
    if (frame.length() > core().rules.max_frame) {
        core().drop(slot, port, drop_reason::oversized);
        return;
    }
    if (core().rules.charge == charge_time::arrival && !memory().charge(p, slot)) {
        return;
    }
    const picoseconds done = Path::asks_memory
                                 ? core().organisation->look_up(port, slot, core().instant.now, core().pipeline)
                                 : core().pipeline.issue(core().instant.now);
    if (done != never) {
        core().instant.events.schedule(done, switch_stages::lookup_done, port, slot);
    }
}

// True: the frame is lost: corrupted, cut off, or dropped by a watchdog.
bool ingress_stage::lost_on_arrival(unsigned port, frame_slot slot) {
    if (!core().ports[port].impaired) {
        return is_taken_by_watchdog(port, slot);
    }
    const ethernet_frame& frame = core().frames.frame(slot);
    const departure_record departure = core().owner.input(port).finish(frame.length(), core().instant.now);
    const bool cut = core().ports[port].is_cut_since(departure.sent);
    if (!cut && !departure.link.corrupts(frame.length(), m_error_chance[port])) {
        return is_taken_by_watchdog(port, slot);
    }
    if (frame.is_flow_control()) {
        core().frames.release(slot);
        return true;
    }
    core().drop(slot, port, cut ? drop_reason::link_down : drop_reason::bit_error);
    return true;
}

// True: the frame is dropped, because the watchdog drops what arrives at this port in this class.
bool ingress_stage::is_taken_by_watchdog(unsigned port, frame_slot slot) {
    if (core().watchdog == nullptr || core().frames.frame(slot).is_flow_control() ||
        !core().watchdog->takes_arrival(port, core().frames.route(slot).frame_class)) {
        return false;
    }
    core().drop(slot, port, drop_reason::watchdog);
    return true;
}

// Stage `lookup_done`. Selection sees egress memory as it is now; frames on their way there are not in it.
template <class Path>
void ingress_stage::on_lookup_done(unsigned port, frame_slot slot) {
    stored_frame& stored = core().frames[slot];
    if (ahead().is_used<Path>()) {
        ahead().fetch_after_lookup(stored.route);
    }
    if (core().rules.charge == charge_time::enqueue && !memory().charge(core().ports[port], slot)) {
        return;
    }
    const bool has_rules = Path::has_queue_rules && core().queues != nullptr;
    if (has_rules) {
        m_known.room = &core().queues->room_for(stored.route);
    }
    const port_choice choice{core().instant.now,
                             port,
                             stored.frame,
                             acceptable_ports<Path>(stored.frame.dst),
                             core().blocks.egress.as<Path>().view(),
                             m_known};
    unsigned selected = core().blocks.selector.select(choice);
    if (__builtin_expect(selected >= core().rules.ports, 0)) {
        drop_unroutable(selected, slot);
        return;
    }
    if (has_rules && (selected = place(choice, selected, slot)) == no_port) {
        return;
    }
    stored.route.egress_port = static_cast<std::uint16_t>(selected);
    if (!Path::all_are_events) {
        crossbar().request_new(slot, stored.route);
    } else if (has_rules) {
        enter_managed<Path>(slot, stored);
    } else {
        core().organisation->enter(slot, stored, core().instant.now);
    }
}

// The selected port may be full. `no_port`: the frame is lost.
unsigned ingress_stage::place(const port_choice& choice, unsigned selected, frame_slot slot) {
    core().frames.route(slot).egress_port = static_cast<std::uint16_t>(selected);
    const frame_action action = core().queues->place(choice, selected, core().frames.frame(slot));
    const unsigned placed = action == frame_action::move   ? action.port()
                            : action == frame_action::drop ? no_port
                                                           : selected;
    core().owner.tell_placed(selected, placed, core().queues->held(selected), core().frames.frame(slot),
                             core().instant.now);
    if (placed >= core().rules.ports && placed != no_port) {
        core().violate("the overflow action names port " + std::to_string(placed) + " of " +
                       std::to_string(core().rules.ports));
        return is_kept(frame_action::drop, slot, selected) ? placed : no_port;
    }
    if (action == frame_action::mark) {
        core().frames.frame(slot).mark_congestion();
    }
    return is_kept(action, slot, selected) ? placed : no_port;
}

// Drops or trims the frame, if that is the action. False: the frame is lost.
bool ingress_stage::is_kept(const frame_action& action, frame_slot slot, unsigned egress_port) {
    if (action == frame_action::trim && core().can_trim(slot, action.trimming())) {
        core().organisation->give_back(slot);
        core().trim(slot, action.trimming());
        return core().organisation->take_again(slot);
    }
    if (action != frame_action::trim && action != frame_action::drop) {
        return true;
    }
    core().organisation->give_back(slot);
    core().drop_by_rule(slot, egress_port, action.reason());
    return false;
}

// The queue manager counts the frame as bound for its queue, or as held by it, from here on.
template <class Path>
void ingress_stage::enter_managed(frame_slot slot, stored_frame& stored) {
    if (core().rules.crosses_plainly) {
        crossbar().request<Path>(slot, stored.route);
        core().queues->expect(stored.route);
        return;
    }
    if (!core().organisation->has_crossbar() &&
        !is_kept(core().queues->offer(stored, core().instant.now), slot, stored.route.egress_port)) {
        return;
    }
    const memory_path::entry entry = core().organisation->enter(slot, stored, core().instant.now);
    if (entry == memory_path::entry::crosses) {
        core().queues->expect(stored.route);
    } else if (entry == memory_path::entry::stored) {
        core().queues->enter(stored.route);
    }
}

// It enters the store when its lookup is done: callers hold references into it.
void ingress_stage::originate(const ethernet_frame& frame) {
    m_own_frames.push_back(frame);
    core().instant.events.schedule(core().pipeline.issue(core().instant.now), switch_stages::own_lookup_done, 0,
                                   0);
}

void ingress_stage::on_own_lookup_done() {
    const frame_slot slot = core().frames.put(m_own_frames.front());
    m_own_frames.pop_front();
    ++core().balance.originated;
    stored_frame& stored = core().frames[slot];
    frame_route& route = stored.route;
    route = frame_route{};
    route.frame_class = core().rules.class_of(stored.frame);
    route.charged_bytes =
        static_cast<std::uint32_t>(memory_of(stored.frame.length(), core().rules.memory_cell).count());
    route.arrival = core().instant.now;
    m_known.room = &unlimited_room;
    const unsigned selected = core().blocks.selector.select({core().instant.now, no_port, stored.frame,
                                                             acceptable_ports<general_path>(stored.frame.dst),
                                                             core().blocks.egress->view(), m_known});
    if (selected >= core().rules.ports) {
        core().drop(slot, 0, drop_reason::no_route);
        return;
    }
    switch_port& p = core().ports[selected];
    route.ingress_port = route.egress_port = static_cast<std::uint16_t>(selected);
    memory().settle_sent<general_path>(p, core().instant.now - 1_ps);
    const bool has_room = core().rules.drops_at_egress
                              ? core().blocks.egress->admit(slot, core().instant.now)
                              : (core().blocks.egress->room(selected) >> route.frame_class & 1) != 0;
    if (!has_room) {
        core().drop(slot, selected, drop_reason::egress_full);
        return;
    }
    route.is_own = true;
    if (!core().rules.drops_at_egress) {
        memory().update_room(p,
                             core().blocks.egress->reserve(selected, route.frame_class, route.charged_bytes));
        core().blocks.egress->commit(slot, core().instant.now);
    }
    if (core().queues != nullptr) {
        core().queues->enter(route);
    }
    core().instant.transmit_later(p);
}

void ingress_stage::drop_unroutable(unsigned selected, frame_slot slot) {
    if (selected != no_port) {
        core().violate("lookup and port selection name port " + std::to_string(selected) + " of " +
                       std::to_string(core().rules.ports));
    }
    core().organisation->give_back(slot);
    core().drop(slot, core().frames.route(slot).ingress_port, drop_reason::no_route);
}

template void ingress_stage::accept<direct_path>(const wire_arrival&);
template void ingress_stage::accept<own_path>(const wire_arrival&);
template void ingress_stage::accept<general_path>(const wire_arrival&);
template void ingress_stage::on_arrival<direct_path>(unsigned, frame_slot);
template void ingress_stage::on_arrival<own_path>(unsigned, frame_slot);
template void ingress_stage::on_arrival<general_path>(unsigned, frame_slot);
template void ingress_stage::on_lookup_done<direct_path>(unsigned, frame_slot);
template void ingress_stage::on_lookup_done<own_path>(unsigned, frame_slot);
template void ingress_stage::on_lookup_done<general_path>(unsigned, frame_slot);

}  // namespace weir::model
