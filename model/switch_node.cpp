#include "weir/model/switch_node.h"

#include <algorithm>

#include "weir/base/unit_text.h"
#include "weir/model/pfc_thresholds.h"

namespace weir {

static bit_rate fastest(const std::vector<port_config>& ports) {
    bit_rate rate{1};
    for (const port_config& port : ports) {
        rate = std::max(rate, port.rate);
    }
    return rate;
}

switch_node::switch_node(sc_core::sc_module_name name, unsigned index, const simulation_clock& clock,
                         const std::vector<port_config>& ports, const switch_parameters& parameters)
    : node(name, index, clock, ports),
      lookup("lookup"),
      port_selection("port_selection"),
      ingress("ingress"),
      arbiter("arbiter"),
      egress("egress"),
      egress_scheduler("egress_scheduler"),
      m_parameters(parameters),
      m_port_configs(ports),
      m_classes(parameters.device.classes),
      m_lossless(parameters.flow_control.mode != flow_control_mode::none),
      m_requests(static_cast<unsigned>(ports.size())),
      m_free_ingress(port_bitmap::first_ports(static_cast<unsigned>(ports.size()))),
      m_free_egress(m_free_ingress),
      m_room(ports.size(), static_cast<class_mask>(0xFF)),
      m_crossbar(fastest(ports) * parameters.device.speedup),
      m_pipeline(parameters.device.lookup_delay, parameters.device.lookup_interval),
      m_selection_chance(parameters.seed, index, random_purpose::port_selection) {
    m_stats.port_drops.resize(ports.size());
    m_slot_time = m_crossbar(parameters.device.cell);
    if (parameters.literal_engine) {
        m_agenda.use_literal();
    }
    for (unsigned port = 0; port < ports.size(); ++port) {
        const port_flow_control control =
            resolve_flow_control(parameters.device, parameters.flow_control, ports[port]);
        m_macs.emplace_back(control.requests, ports[port].rate, control.response);
        m_macs.back().impaired = ports[port].has_errors();
        m_error_chance.emplace_back(random_stream::mix(parameters.seed) + port, index,
                                    random_purpose::bit_errors);
    }
}

void switch_node::end_of_elaboration() {
    node::end_of_elaboration();
    m_lookup = lookup.operator->();
    m_selector = port_selection.operator->();
    m_ingress = ingress.operator->();
    m_arbiter = arbiter.operator->();
    m_egress = egress.operator->();
    m_scheduler = egress_scheduler.operator->();
    for (unsigned port = 0; port < ports(); ++port) {
        update_room(port, m_egress->room(port));
    }
}

void switch_node::schedule(route_change change) {
    const picoseconds at = change.at;
    add_control(at, {std::make_unique<route_change>(std::move(change)), {}});
}

void switch_node::schedule(const link_change& change) {
    add_control(change.at, {nullptr, change});
}

// One event applies all changes of its instant in the order in which they were given.
void switch_node::add_control(picoseconds at, control_action action) {
    std::vector<control_action>& instant = m_controls[at];
    if (instant.empty()) {
        m_agenda.schedule(at, switch_stages::control, 0, 0);
    }
    instant.push_back(std::move(action));
}

void switch_node::advance() {
    empty_mailboxes([this](unsigned port, const wire_arrival& arrival) { accept(port, arrival); });
    const event_key end = first_key_at(m_clock.end);
    while (m_agenda.next_key() < end) {
        m_now = m_agenda.next_time();
        const event_key instant_end = first_key_at(m_now + 1_ps);
        do {
            dispatch(m_agenda.pop());
            ++m_events;
        } while (m_agenda.next_key() < instant_end);
        finish_instant();
    }
}

void switch_node::accept(unsigned port, const wire_arrival& arrival) {
    ++m_arriving;
    m_agenda.schedule(input(port).last_bit(arrival), switch_stages::arrival, port, m_slab.put(arrival.frame));
}

void switch_node::dispatch(const event& e) {
    switch (e.stage()) {
        case switch_stages::arrival:
            return on_arrival(e.port(), e.payload);
        case switch_stages::lookup_done:
            return on_lookup_done(e.port(), e.payload);
        case switch_stages::transfer_done:
            return on_transfer_done(e.payload);
        case switch_stages::transmit_done:
            return on_transmit_done(e.port(), e.payload);
        case switch_stages::slot:
            return on_slot();
        case switch_stages::pause_effect:
            return on_pause_effect(e.port(), e.payload);
        case switch_stages::pause_expiry:
            return on_pause_expiry(e.port());
        case switch_stages::pause_refresh:
            return on_pause_refresh(e.port());
        case switch_stages::control:
            return on_control();
        case switch_stages::sample:
            return e.payload == restart_payload ? restart_statistics() : on_sample();
    }
}

// Ports choose what to send, then the arbiter runs: once per instant, after all of its events.
void switch_node::finish_instant() {
    for (unsigned i = 0; i < m_transmit_count; ++i) {
        const unsigned port = m_transmit_pending[i];
        m_macs[port].transmit_pending = false;
        transmit(port);
    }
    m_transmit_count = 0;
    if (m_arbitration_pending) {
        m_arbitration_pending = false;
        arbitrate_frames();
    }
}

// --- last bit in, lookup -----------------------------------------------------------------------------------

void switch_node::on_arrival(unsigned port, frame_slot slot) {
    const ethernet_frame& frame = m_slab.frame(slot);
    mac_port& mac = m_macs[port];
    --m_arriving;
    if (__builtin_expect(mac.impaired, 0) && lost_on_link(port, slot)) {
        return;
    }
    if (frame.is_flow_control()) {
        ++mac.stats.rx_control_frames;
        ++m_control_frames;
        m_agenda.schedule(m_now + mac.response, switch_stages::pause_effect, port, slot);
        return;
    }
    m_last_activity = m_now;
    ++m_balance.received;
    const pfc_class c = class_of(frame);
    ++mac.stats.rx_frames[c];
    mac.stats.rx_bytes[c] += frame.frame_bytes;
    frame_route& route = m_slab.route(slot);
    route.ingress_port = static_cast<std::uint8_t>(port);
    route.frame_class = c;
    route.charged_bytes =
        static_cast<std::uint32_t>(memory_of(frame.length(), m_parameters.device.memory_cell).count());
    route.cells_left = 0;
    if (frame.length() > m_parameters.device.max_frame) {
        drop(slot, port, drop_reason::oversized);
        return;
    }
    if (m_parameters.flow_control.charge == charge_time::arrival && !charge(port, slot)) {
        return;
    }
    m_agenda.schedule(m_pipeline.issue(m_now), switch_stages::lookup_done, port, slot);
}

// True: the frame did not get here whole, and is gone.
bool switch_node::lost_on_link(unsigned port, frame_slot slot) {
    const ethernet_frame& frame = m_slab.frame(slot);
    const port_config& link = m_port_configs[port];
    const picoseconds sent = m_now - output(port).wire_time(frame.length()) - link.latency;
    const bool cut = m_macs[port].is_cut_since(sent);
    if (!cut && !link.corrupts(frame.length(), m_error_chance[port])) {
        return false;
    }
    if (frame.is_flow_control()) {
        m_slab.release(slot);
        return true;
    }
    ++m_balance.received;
    m_slab.route(slot).frame_class = class_of(frame);
    drop(slot, port, cut ? drop_reason::link_down : drop_reason::bit_error);
    return true;
}

// False: no memory; the frame is gone.
bool switch_node::charge(unsigned port, frame_slot slot) {
    const frame_route& route = m_slab.route(slot);
    const charge_result result = m_ingress->charge(port, route.frame_class, route.charged_bytes, m_now);
    if (!result.admitted) {
        if (m_lossless) {
            report_lossless_loss(port, route);
        }
        drop(slot, port, drop_reason::ingress_full);
        return false;
    }
    m_charged_bytes += route.charged_bytes;
    if (result.xoff != 0) {
        m_macs[port].requests.request_xoff(result.xoff);
        transmit_later(port);
    }
    return true;
}

void switch_node::report_lossless_loss(unsigned port, const frame_route& route) {
    const port_flow_control control =
        resolve_flow_control(m_parameters.device, m_parameters.flow_control, m_port_configs[port]);
    violate(m_now, "ingress port " + std::to_string(port) + " lost a frame of lossless class " +
                       std::to_string(route.frame_class) + " (" + std::to_string(route.charged_bytes) +
                       " B) at " + to_text(m_now) + ": " + std::to_string(m_ingress->occupancy(port).count()) +
                       " of " + std::to_string(control.limits.capacity) + " B in use; XOFF at " +
                       std::to_string(control.limits.xoff) + " B, XON below " +
                       std::to_string(control.limits.xon) +
                       " B, classes paused: " + std::to_string(m_macs[port].requests.wanted()) +
                       "; a class needs " + std::to_string(control.reserve.count()) + " B after XOFF");
}

void switch_node::on_lookup_done(unsigned port, frame_slot slot) {
    const ethernet_frame& frame = m_slab.frame(slot);
    frame_route& route = m_slab.route(slot);
    if (m_parameters.flow_control.charge == charge_time::enqueue && !charge(port, slot)) {
        return;
    }
    const port_bitmap& acceptable = m_lookup->lookup(frame.dst);
    const unsigned selected = m_selector->select(frame, acceptable, m_egress->view(), m_selection_chance);
    if (selected >= ports()) {
        if (selected != no_port) {
            violate(m_now, "lookup and port selection name port " + std::to_string(selected) + " of " +
                               std::to_string(ports()));
        }
        leave_ingress(slot);
        drop(slot, port, drop_reason::no_route);
        return;
    }
    route.egress_port = static_cast<std::uint8_t>(selected);
    if (!m_ingress->enqueue(slot)) {
        return;
    }
    m_requests.add(port, selected, route.frame_class);
    if (m_parameters.device.crossbar == crossbar_mode::cell) {
        wake_slot();
    } else if (m_free_ingress.test(port) && m_free_egress.test(selected)) {
        m_arbitration_pending = true;
    }
}

// --- changes by configuration -----------------------------------------------------------------------------

void switch_node::on_control() {
    for (const control_action& action : m_controls[m_now]) {
        if (action.routes) {
            m_lookup->load(action.routes->routes);
            continue;
        }
        const link_change& change = action.link;
        if (change.rate.count() > 0) {
            output(change.port).set_rate(change.rate);
        }
        m_macs[change.port].apply(change, m_now);
        transmit_later(change.port);
    }
}

}  // namespace weir
