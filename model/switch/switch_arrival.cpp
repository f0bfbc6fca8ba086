// A switch's ingress side: from a frame's last bit to its VOQ.
#include "weir/model/switch/switch_node.h"

#include "weir/base/unit_text.h"
#include "weir/model/flow_control/pfc_thresholds.h"

namespace weir {

template <bool Own>
void switch_node::accept(unsigned port, const wire_arrival& arrival) {
    const picoseconds last_bit = input(port).take(arrival);
    const frame_slot slot = m_slab.put(arrival.frame);
    stored_frame& stored = m_slab[slot];
    const ethernet_frame& frame = stored.frame;
    frame_route& route = stored.route;
    route.arrival = last_bit;
    route.ingress_port = static_cast<std::uint16_t>(port);
    if (frame.is_flow_control()) {
        ++m_arriving;
        m_agenda.schedule(last_bit, switch_stages::arrival, port, slot);
        return;
    }
    switch_port& p = m_ports[port];
    route.frame_class = class_of(frame);
    route.cells_left = 0;
    route.charged_bytes =
        static_cast<std::uint32_t>(memory_of(frame.length(), m_parameters.device.memory_cell).count());
    p.incoming_bytes += route.charged_bytes;
    if constexpr (Own) {
        if (m_may_defer_arrivals && !p.inspects_arrivals && frame.length() <= m_parameters.device.max_frame &&
            ingress_buffer::is_quiet(*p.ingress_memory, p.incoming_bytes)) {
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

// Charges the frames that have arrived without an event by `until`, each at its own time.
void switch_node::charge_each_arrived(switch_port& p, picoseconds until) {
    while (p.first_arrived != no_slot && m_slab.route(p.first_arrived).arrival <= until) {
        const stored_frame& stored = m_slab[p.first_arrived];
        const frame_route& route = stored.route;
        p.first_arrived = route.next_arrived;
        count_arrival(p, stored);
        count_received(p, stored);
        m_charged_bytes += route.charged_bytes;
        m_ingress.own()->charge_quietly(*p.ingress_memory, route.frame_class, route.charged_bytes,
                                        route.arrival);
        m_pipeline.count();
    }
}

// The usual case: the frame that leaves ingress memory came without an event, and was there alone. True: it is
// charged, at its arrival, and released.
bool switch_node::charge_and_release(frame_slot slot, switch_port& p, const stored_frame& stored) {
    const frame_route& route = stored.route;
    if (p.first_arrived != slot ||
        (route.next_arrived != no_slot && m_slab.route(route.next_arrived).arrival <= m_now) ||
        !m_ingress.own()->pass(*p.ingress_memory, route.frame_class, route.charged_bytes, route.arrival,
                               m_now)) {
        return false;
    }
    p.first_arrived = route.next_arrived;
    count_arrival(p, stored);
    count_received(p, stored);
    m_pipeline.count();
    return true;
}

// Statistics are about to be read at a time that nothing of `until` or later has touched.
void switch_node::catch_up(picoseconds until) {
    for (switch_port& p : m_ports) {
        charge_arrived(p, until - 1_ps);
        settle_sent<false>(p, until - 1_ps);
    }
}

void switch_node::on_arrival(unsigned port, frame_slot slot) {
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
        ++p.stats.rx_control_frames;
        ++m_control_frames;
        const picoseconds effect = m_pfc == nullptr ? m_now + p.response : m_pfc->arrive(port, frame);
        m_agenda.schedule(effect, switch_stages::pause_effect, port, slot);
        return;
    }
    count_received(p, stored);
    if (frame.length() > m_parameters.device.max_frame) {
        drop(slot, port, drop_reason::oversized);
        return;
    }
    if (m_parameters.flow_control.charge == charge_time::arrival && !charge(p, slot)) {
        return;
    }
    if (!m_arrival_fifos.empty() && !enter_fifo(port, slot)) {
        return;
    }
    picoseconds done = m_pipeline.issue(m_now);
    if (!m_arrival_fifos.empty()) {
        note_lookup(port, slot, done);
    } else if (m_sram != nullptr) {
        done = write_ingress(port, slot, done);
    }
    m_agenda.schedule(done, switch_stages::lookup_done, port, slot);
}

// True: the frame did not get here whole, or is not wanted, and is gone.
bool switch_node::lost_on_arrival(unsigned port, frame_slot slot) {
    if (!m_ports[port].impaired) {
        return drop_on_arrival_in_storm(port, slot);
    }
    const ethernet_frame& frame = m_slab.frame(slot);
    const departure_record departure = input(port).finish(frame.length(), m_now);
    const bool cut = m_ports[port].is_cut_since(departure.sent);
    if (!cut && !departure.link.corrupts(frame.length(), m_error_chance[port])) {
        return drop_on_arrival_in_storm(port, slot);
    }
    if (frame.is_flow_control()) {
        m_slab.release(slot);
        return true;
    }
    drop(slot, port, cut ? drop_reason::link_down : drop_reason::bit_error);
    return true;
}

// False: no memory; the frame is gone.
bool switch_node::charge(switch_port& p, frame_slot slot) {
    const frame_route& route = m_slab.route(slot);
    const charge_result result = m_ingress->charge(p.number, route.frame_class, route.charged_bytes, m_now);
    if (!result.admitted) {
        if (m_lossless) {
            report_lossless_loss(p.number, route);
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
        change_requests(p);
    }
    return true;
}

void switch_node::report_lossless_loss(unsigned port, const frame_route& route) {
    const port_flow_control control =
        resolve_flow_control(m_parameters.device, m_parameters.flow_control, m_port_configs[port]);
    violate(m_now, "ingress port " + std::to_string(port) + " lost a frame of lossless class " +
                       std::to_string(route.frame_class) + " (" + std::to_string(route.charged_bytes) +
                       " B) at " + to_text(m_now) + ": the port's ingress memory has no room for it (" +
                       std::to_string(m_ingress->occupancy(port).count()) + " of " +
                       std::to_string(control.limits.capacity) + " B in use); XOFF at " +
                       std::to_string(control.limits.xoff) + " B, XON below " +
                       std::to_string(control.limits.xon) +
                       " B, classes paused: " + std::to_string(m_ports[port].requests.wanted()) +
                       "; a class needs " + std::to_string(control.worst_case.count()) + " B after XOFF");
}

template <bool Own>
void switch_node::on_lookup_done(unsigned port, frame_slot slot) {
    if constexpr (!Own) {
        if (m_shared != nullptr) {
            store_shared(slot);
            return;
        }
    }
    stored_frame& stored = m_slab[slot];
    if (m_parameters.flow_control.charge == charge_time::enqueue && !charge(m_ports[port], slot)) {
        return;
    }
    const port_bitmap& acceptable = acceptable_ports<Own>(stored.frame.dst);
    const egress_view& view = m_egress.as<Own>().view();
    const unsigned selected = m_selector.as<Own>().select(stored.frame, acceptable, view, m_selection_chance);
    if (__builtin_expect(selected >= m_port_count, 0)) {
        drop_unroutable(selected, slot);
        return;
    }
    stored.route.egress_port = static_cast<std::uint16_t>(selected);
    if constexpr (Own) {
        if (m_may_match_lone && m_free_ingress.test(port) && m_free_egress.test(selected)) {
            if (is_last_of_instant()) {
                match_lone<Own>(slot);
                return;
            }
            if (m_lone == no_slot) {
                m_lone = slot;
                m_instant_unfinished = true;
                return;
            }
            request<Own>(m_lone, m_slab.route(m_lone));
            m_lone = no_slot;
        }
    }
    request<Own>(slot, stored.route);
}

void switch_node::drop_unroutable(unsigned selected, frame_slot slot) {
    if (selected != no_port) {
        violate(m_now, "lookup and port selection name port " + std::to_string(selected) + " of " +
                           std::to_string(ports()));
    }
    const stored_frame& stored = m_slab[slot];
    if (m_shared == nullptr) {
        leave_ingress<false>(slot, stored);
    }
    drop(slot, stored.route.ingress_port, drop_reason::no_route);
}

// The frame enters its VOQ and competes for the crossbar.
template <bool Own>
void switch_node::request(frame_slot slot, const frame_route& route) {
    if (!m_ingress.as<Own>().enqueue(slot)) {
        return;
    }
    m_requests.add(route.ingress_port, route.egress_port, route.frame_class);
    if (m_parameters.device.crossbar == crossbar_mode::cell) {
        wake_slot();
    } else if (m_free_ingress.test(route.ingress_port) && m_free_egress.test(route.egress_port)) {
        arbitrate_later();
    }
}

template void switch_node::accept<true>(unsigned, const wire_arrival&);
template void switch_node::accept<false>(unsigned, const wire_arrival&);
template void switch_node::on_lookup_done<true>(unsigned, frame_slot);
template void switch_node::on_lookup_done<false>(unsigned, frame_slot);
template void switch_node::request<true>(frame_slot, const frame_route&);
template void switch_node::request<false>(frame_slot, const frame_route&);

}  // namespace weir
