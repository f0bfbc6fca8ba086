#include "weir/model/switch_node.h"

#include <algorithm>

#include "weir/base/unit_text.h"
#include "weir/model/pfc_thresholds.h"

namespace weir {

// Of a `sample` event: end of the warm-up instead of a sample.
static constexpr std::uint32_t restart_payload = 1;

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

// --- last bit in -----------------------------------------------------------------------------------------

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

// --- lookup ----------------------------------------------------------------------------------------------

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

// --- crossbar --------------------------------------------------------------------------------------------

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

// --- transmitter -----------------------------------------------------------------------------------------

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

// --- flow control ----------------------------------------------------------------------------------------

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

// --- configuration ---------------------------------------------------------------------------------------

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

// --- statistics and invariants ---------------------------------------------------------------------------

void switch_node::drop(frame_slot slot, unsigned port, drop_reason reason) {
    const auto r = static_cast<unsigned>(reason);
    ++m_stats.drops[r];
    ++m_stats.port_drops[port][m_slab.route(slot).frame_class][r];
    ++m_balance.dropped;
    m_last_activity = m_now;
    m_slab.release(slot);
}

void switch_node::settle(picoseconds now) {
    m_ingress->settle(now);
    m_egress->settle(now);
    std::int64_t ingress_bytes = 0;
    std::int64_t egress_bytes = 0;
    for (unsigned port = 0; port < ports(); ++port) {
        m_macs[port].timers.settle(now);
        ingress_bytes += m_ingress->occupancy(port).count();
        egress_bytes += m_egress->occupancy(port).count();
    }
    if (ingress_bytes != m_charged_bytes) {
        violate(now, "ingress memory holds " + std::to_string(ingress_bytes) +
                         " B, frames that wait there have " + std::to_string(m_charged_bytes) + " B");
    }
    const frame_balance b = balance();
    if (b.received != b.sent + b.dropped + b.inside) {
        violate(now, "frames in, out, dropped and inside do not add up");
    }
    if (b.inside == 0 && m_transmitting == 0 && egress_bytes != 0) {
        violate(now, "egress memory holds " + std::to_string(egress_bytes) + " B without a frame");
    }
}

void switch_node::sample_every(picoseconds interval, std::uint32_t capacity) {
    m_sampler.enable(interval, capacity, 2 * ports());
    m_agenda.schedule(m_sampler.due(), switch_stages::sample, 0, 0);
}

void switch_node::on_sample() {
    node_sample sample{m_now, {}, 0};
    for (mac_port& mac : m_macs) {
        mac.add_to(sample, m_now);
    }
    m_sampler.take(sample, [this](std::uint32_t column) {
        const bytes fill =
            column < ports() ? m_ingress->occupancy(column) : m_egress->occupancy(column - ports());
        return static_cast<std::uint32_t>(fill.count());
    });
    m_agenda.schedule(m_sampler.due(), switch_stages::sample, 0, 0);
}

void switch_node::restart_statistics_at(picoseconds at) {
    m_agenda.schedule(at, switch_stages::sample, 1, restart_payload);
}

void switch_node::restart_statistics() {
    const picoseconds now = m_now;
    settle(now);
    for (unsigned port = 0; port < ports(); ++port) {
        m_macs[port].restart_statistics();
    }
    m_ingress->restart_statistics(now);
    m_egress->restart_statistics(now);
    m_pipeline.reset_stats();
}

frame_balance switch_node::balance() const {
    frame_balance b = m_balance;
    b.inside = m_slab.used() - m_arriving - m_control_frames - m_transmitting;
    return b;
}

std::string switch_node::waiting_ports() const {
    std::string text;
    for (unsigned port = 0; port < ports(); ++port) {
        const class_mask backlog = m_egress->backlog(port);
        if (backlog != 0) {
            text += " " + std::string(name()) + ".tx" + std::to_string(port) + " (classes " +
                    std::to_string(backlog) + ", paused " + std::to_string(m_macs[port].timers.paused_mask()) +
                    ")";
        }
        if (m_requests.classes() != 0 && m_ingress->occupancy(port) > 0_B) {
            text += " " + std::string(name()) + ".rx" + std::to_string(port) + " (" +
                    std::to_string(m_ingress->occupancy(port).count()) + " B in VOQs)";
        }
    }
    return text;
}

}  // namespace weir
