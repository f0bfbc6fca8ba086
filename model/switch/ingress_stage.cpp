#include "weir/model/switch/ingress_stage.h"

namespace weir::model {

ingress_stage::ingress_stage(sc_core::sc_module_name name, unsigned index, const simulation_clock& clock,
                             const std::vector<port_config>& ports, const switch_parameters& parameters)
    : egress_stage(name, index, clock, ports, parameters),
      m_selection_chance(parameters.seed, index, random_purpose::port_selection) {
    for (unsigned port = 0; port < ports.size(); ++port) {
        m_known.to_switches.assign(port, ports[port].to_switch);
        m_error_chance.emplace_back(random_stream::mix(parameters.seed) + port, index,
                                    random_purpose::bit_errors);
    }
}

// From the inbox, before the last bit has come. On the direct path an arrival that can neither fill its
// memory nor reach XOFF has no event: it is charged, with the time of its last bit, when its port is next read.
template <frame_path Path>
void ingress_stage::accept(const wire_arrival& arrival) {
    const picoseconds last_bit = arrival.last_bit();
    const unsigned port = arrival.port();
    switch_port& p = m_ports[port];
    const frame_slot slot = m_slab.put(arrival.frame);
    if (__builtin_expect(p.inspects_arrivals, 0)) {
        note_taken(port);
    }
    if constexpr (may_manage_queues(Path)) {
        if (m_slab.has_annexes()) {
            m_slab.annex(slot) = input(port).take_annex();
        }
    }
    const ethernet_frame& frame = arrival.frame;
    frame_route& route = m_slab.route(slot);
    route.arrival = last_bit;
    route.ingress_port = static_cast<std::uint16_t>(port);
    if (frame.is_flow_control()) {
        ++m_arriving;
        m_agenda.schedule(last_bit, switch_stages::arrival, port, slot);
        return;
    }
    route.frame_class = class_of(frame);
    route.cells_left = 0;
    route.charged_bytes = static_cast<std::uint32_t>(memory_of(frame.length(), m_rules.memory_cell).count());
    p.incoming_bytes += route.charged_bytes;
    if constexpr (Path == frame_path::direct) {
        if (!p.arrivals_are_events && frame.length() <= m_rules.max_frame &&
            ingress_buffer::is_quiet(m_ingress.own()->at(port), p.incoming_bytes)) {
            route.next_arrived = no_slot;
            (p.first_arrived == no_slot ? p.first_arrived : m_slab.route(p.last_arrived).next_arrived) = slot;
            p.last_arrived = slot;
            m_agenda.schedule(last_bit + m_pipeline.latency(), switch_stages::lookup_done, port, slot);
            return;
        }
    }
    ++m_arriving;
    m_agenda.schedule(last_bit, switch_stages::arrival, port, slot);
}

// Stage `arrival`: memory is charged before the lookup, as the closed form of the reserve assumes (decision 7).
template <frame_path Path>
void ingress_stage::on_arrival(unsigned port, frame_slot slot) {
    const stored_frame& stored = m_slab[slot];
    const ethernet_frame& frame = stored.frame;
    switch_port& p = m_ports[port];
    --m_arriving;
    if (!frame.is_flow_control()) {
        charge_arrived(p, m_now);
        count_arrival(p, stored);
    }
    if (p.inspects_arrivals && lost_on_arrival(port, slot)) {
        return;
    }
    if (frame.is_flow_control()) {
        ++m_control_frames;
        m_agenda.schedule(m_macs->arrive(port, frame), switch_stages::pause_effect, port, slot);
        return;
    }
    count_received(p, stored);
    if (frame.length() > m_rules.max_frame) {
        drop(slot, port, drop_reason::oversized);
        return;
    }
    if (m_rules.charge == charge_time::arrival && !charge(p, slot)) {
        return;
    }
    const picoseconds done =
        Path == frame_path::direct ? m_pipeline.issue(m_now) : m_memory->look_up(port, slot, m_now, m_pipeline);
    if (done != never) {
        m_agenda.schedule(done, switch_stages::lookup_done, port, slot);
    }
}

// True: the frame is lost: corrupted, cut off, or dropped by a watchdog.
bool ingress_stage::lost_on_arrival(unsigned port, frame_slot slot) {
    if (!m_ports[port].impaired) {
        return is_taken_by_watchdog(port, slot);
    }
    const ethernet_frame& frame = m_slab.frame(slot);
    const departure_record departure = input(port).finish(frame.length(), m_now);
    const bool cut = m_ports[port].is_cut_since(departure.sent);
    if (!cut && !departure.link.corrupts(frame.length(), m_error_chance[port])) {
        return is_taken_by_watchdog(port, slot);
    }
    if (frame.is_flow_control()) {
        m_slab.release(slot);
        return true;
    }
    drop(slot, port, cut ? drop_reason::link_down : drop_reason::bit_error);
    return true;
}

// True: the frame is dropped, because the watchdog drops what arrives at this port in this class.
bool ingress_stage::is_taken_by_watchdog(unsigned port, frame_slot slot) {
    if (m_watchdog == nullptr || m_slab.frame(slot).is_flow_control() ||
        !m_watchdog->takes_arrival(port, m_slab.route(slot).frame_class)) {
        return false;
    }
    drop(slot, port, drop_reason::watchdog);
    return true;
}

// Stage `lookup_done`. Selection sees egress memory as it is now; frames on their way there are not in it.
template <frame_path Path>
void ingress_stage::on_lookup_done(unsigned port, frame_slot slot) {
    stored_frame& stored = m_slab[slot];
    if (fetches_ahead<Path>()) {
        fetch_after_lookup(stored.route);
    }
    if (m_rules.charge == charge_time::enqueue && !charge(m_ports[port], slot)) {
        return;
    }
    if constexpr (may_manage_queues(Path)) {
        if (m_queues != nullptr) {
            m_known.room = &m_queues->room_for(stored.route);
        }
    }
    const port_choice choice{
        m_now,  port, stored.frame, acceptable_ports<Path>(stored.frame.dst), m_egress.as<Path>().view(),
        m_known};
    unsigned selected = m_selector.select(choice);
    if (__builtin_expect(selected >= m_port_count, 0)) {
        drop_unroutable(selected, slot);
        return;
    }
    if constexpr (may_manage_queues(Path)) {
        if (m_queues != nullptr && (selected = place(choice, selected, slot)) == no_port) {
            return;
        }
    }
    stored.route.egress_port = static_cast<std::uint16_t>(selected);
    if constexpr (Path == frame_path::direct) {
        request_new(slot, stored.route);
        return;
    }
    if constexpr (may_manage_queues(Path)) {
        if (m_queues != nullptr) {
            enter_managed<Path>(slot, stored);
            return;
        }
    }
    m_memory->enter(slot, stored, m_now);
}

// The selected port may be full. `no_port`: the frame is lost.
unsigned ingress_stage::place(const port_choice& choice, unsigned selected, frame_slot slot) {
    m_slab.route(slot).egress_port = static_cast<std::uint16_t>(selected);
    const overflow_answer answer = m_queues->place(choice, selected, m_slab.frame(slot));
    tell_placed(selected, answer.port, m_queues->held(selected), m_slab.frame(slot), m_now);
    if (answer.port < m_port_count) {
        return answer.port;
    }
    if (answer.port != no_port) {
        violate(m_now, "the overflow action names port " + std::to_string(answer.port) + " of " +
                           std::to_string(ports()));
    }
    m_memory->give_back(slot);
    drop_by_rule(slot, selected, answer.reason);
    return no_port;
}

// The queue manager counts the frame as bound for its queue, or as held by it, from here on.
template <frame_path Path>
void ingress_stage::enter_managed(frame_slot slot, stored_frame& stored) {
    if (m_crosses_plainly) {
        request<Path>(slot, stored.route);
        m_queues->expect(stored.route);
        return;
    }
    if (!m_memory->has_crossbar() && !m_queues->offer(stored, m_now)) {
        m_memory->give_back(slot);
        drop_by_rule(slot, stored.route.egress_port, drop_reason::early);
        return;
    }
    const memory_path::entry entry = m_memory->enter(slot, stored, m_now);
    if (entry == memory_path::entry::crosses) {
        m_queues->expect(stored.route);
    } else if (entry == memory_path::entry::stored) {
        m_queues->enter(stored.route);
    }
}

// It enters the store when its lookup is done: callers hold references into it.
void ingress_stage::originate(const ethernet_frame& frame) {
    m_own_frames.push_back(frame);
    m_agenda.schedule(m_pipeline.issue(m_now), switch_stages::own_lookup_done, 0, 0);
}

void ingress_stage::on_own_lookup_done() {
    const frame_slot slot = m_slab.put(m_own_frames.front());
    m_own_frames.pop_front();
    ++m_balance.originated;
    stored_frame& stored = m_slab[slot];
    frame_route& route = stored.route;
    route = frame_route{};
    route.frame_class = class_of(stored.frame);
    route.charged_bytes =
        static_cast<std::uint32_t>(memory_of(stored.frame.length(), m_rules.memory_cell).count());
    route.arrival = m_now;
    m_known.room = &unlimited_room;
    const unsigned selected =
        m_selector.select({m_now, no_port, stored.frame,
                           acceptable_ports<frame_path::general>(stored.frame.dst), m_egress->view(), m_known});
    if (selected >= m_port_count) {
        drop(slot, 0, drop_reason::no_route);
        return;
    }
    switch_port& p = m_ports[selected];
    route.ingress_port = route.egress_port = static_cast<std::uint16_t>(selected);
    settle_sent<frame_path::general>(p, m_now - 1_ps);
    const bool has_room = m_rules.drops_at_egress ? m_egress->admit(slot, m_now)
                                                  : (m_egress->room(selected) >> route.frame_class & 1) != 0;
    if (!has_room) {
        drop(slot, selected, drop_reason::egress_full);
        return;
    }
    route.is_own = true;
    if (!m_rules.drops_at_egress) {
        update_room(p, m_egress->reserve(selected, route.frame_class, route.charged_bytes));
        m_egress->commit(slot, m_now);
    }
    if (m_queues != nullptr) {
        m_queues->enter(route);
    }
    transmit_later(p);
}

void ingress_stage::drop_unroutable(unsigned selected, frame_slot slot) {
    if (selected != no_port) {
        violate(m_now, "lookup and port selection name port " + std::to_string(selected) + " of " +
                           std::to_string(ports()));
    }
    m_memory->give_back(slot);
    drop(slot, m_slab.route(slot).ingress_port, drop_reason::no_route);
}

template void ingress_stage::accept<frame_path::direct>(const wire_arrival&);
template void ingress_stage::accept<frame_path::inlined>(const wire_arrival&);
template void ingress_stage::accept<frame_path::managed>(const wire_arrival&);
template void ingress_stage::accept<frame_path::general>(const wire_arrival&);
template void ingress_stage::on_arrival<frame_path::direct>(unsigned, frame_slot);
template void ingress_stage::on_arrival<frame_path::inlined>(unsigned, frame_slot);
template void ingress_stage::on_arrival<frame_path::managed>(unsigned, frame_slot);
template void ingress_stage::on_arrival<frame_path::general>(unsigned, frame_slot);
template void ingress_stage::on_lookup_done<frame_path::direct>(unsigned, frame_slot);
template void ingress_stage::on_lookup_done<frame_path::inlined>(unsigned, frame_slot);
template void ingress_stage::on_lookup_done<frame_path::managed>(unsigned, frame_slot);
template void ingress_stage::on_lookup_done<frame_path::general>(unsigned, frame_slot);

}  // namespace weir::model
