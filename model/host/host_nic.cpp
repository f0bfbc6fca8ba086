#include "weir/model/host/host_nic.h"

#include <algorithm>

#include "weir/model/flow_control/pfc_thresholds.h"

namespace weir::model {

host_nic::host_nic(sc_core::sc_module_name name, unsigned index, const simulation_clock& clock,
                   const port_config& port, const host_parameters& parameters)
    : node(name, index, clock, {port}),
      m_wire(&output(0)),
      m_mac(pause_requests_of(parameters.flow_control), port.rate,
            parameters.flow_control.response.value_or(default_response(port.rate))),
      m_parameters(parameters),
      m_driver(parameters.flow_control.mode, *this),
      m_queues(nic_kinds()[parameters.device.nic.value_or(nic_kind{})].make(
          {m_parameters.device, port.rate, m_slab, parameters.qcn, port.wire_overhead, parameters.classes,
           random_stream{parameters.seed, index, random_purpose::rate_limiting}})),
      m_class_queues(dynamic_cast<class_queues*>(m_queues.get())),
      m_error_chance(parameters.seed, index, random_purpose::bit_errors) {
    set_next_key(m_agenda.next_key());
    for (unsigned priority = 0; priority < pfc_classes; ++priority) {
        m_class_of[priority] = static_cast<pfc_class>(std::min(priority, parameters.classes - 1));
    }
    m_mac.impaired = port.has_errors();
    m_may_refuse = m_queues->may_refuse();
    if (parameters.literal_engine) {
        m_agenda.use_literal();
    }
    if (parameters.telemetry) {
        m_slab.add_annexes();
        carry_annexes();
    }
}

void host_nic::on_nic_event(unsigned stage, std::uint32_t payload) {
    switch (stage) {
        case host_stages::pause_effect:
            return on_pause_effect(payload);
        case host_stages::pause_expiry:
            return m_driver.expire(0);
        case host_stages::pause_refresh:
            return m_driver.look(0, payload);
        case host_stages::control:
            return on_control();
        case host_stages::nic_release:
            m_release = never;
            return transmit_later();
    }
}

// --- in --------------------------------------------------------------------------------------------------

// Last bit in. PFC frames end here and take effect T_R later. Unlike a switch, a host always has memory for it.
bool host_nic::arrive(frame_slot slot) {
    const ethernet_frame& frame = m_slab.frame(slot);
    --m_arriving;
    if (__builtin_expect(m_mac.impaired, 0) && lost_on_link(slot)) {
        return false;
    }
    if (frame.is_flow_control()) {
        ++m_control_frames;
        m_agenda.schedule(m_driver.arrive(0, frame), host_stages::pause_effect, 0, slot);
        return false;
    }
    note_activity(m_now);
    ++m_balance.received;
    const pfc_class c = class_of(frame);
    m_mac.stats.classes[c].count_received(frame.frame_bytes);
    if (frame.dst != m_parameters.address) {
        drop(slot, drop_reason::misdelivered);
        return false;
    }
    if (with_queues([&](auto& queues) { return queues.takes_notification(frame, m_now); })) {
        ++m_balance.consumed;
        m_slab.release(slot);
        transmit_later();
        return false;
    }
    return true;
}

// True: the frame is lost: corrupted, or cut off.
bool host_nic::lost_on_link(frame_slot slot) {
    const ethernet_frame& frame = m_slab.frame(slot);
    const departure_record departure = input(0).finish(frame.length(), m_now);
    const bool cut = m_mac.is_cut_since(departure.sent);
    if (!cut && !departure.link.corrupts(frame.length(), m_error_chance)) {
        return false;
    }
    if (frame.is_flow_control()) {
        m_slab.release(slot);
        return true;
    }
    note_activity(m_now);
    ++m_balance.received;
    drop(slot, cut ? drop_reason::link_down : drop_reason::bit_error);
    return true;
}

void host_nic::drop(frame_slot slot, drop_reason reason) {
    ++m_stats.drops[static_cast<unsigned>(reason)];
    ++m_balance.dropped;
    tell_drop(0, reason, m_slab.frame(slot), m_now);
    m_slab.release(slot);
}

// --- out -------------------------------------------------------------------------------------------------

send_outcome host_nic::admit(const ethernet_frame& frame, std::uint32_t in_stack) {
    const bytes held{m_backlog_bytes + in_stack};
    const send_outcome outcome = with_queues([&](auto& queues) { return queues.admit(frame, held, m_now); });
    m_has_refused = m_has_refused || is_refusal(outcome);
    m_stats.drops[static_cast<unsigned>(drop_reason::nic_full)] += outcome == send_outcome::dropped ? 1 : 0;
    return outcome;
}

void host_nic::enqueue(frame_slot slot) {
    stored_frame& stored = m_slab[slot];
    stored.route.frame_class = class_of(stored.frame);
    m_backlog_bytes += stored.frame.frame_bytes;
    const frame_slot evicted = with_queues([&](auto& queues) { return queues.enqueue(slot, m_now); });
    if (evicted != no_slot) {
        m_backlog_bytes -= m_slab.frame(evicted).frame_bytes;
        drop(evicted, drop_reason::nic_full);
    }
    m_nic_meter.change(m_backlog_bytes, m_now);
    transmit_later();
}

// The next frame of these classes that may leave now, or `no_slot`.
template <class Queues>
frame_slot host_nic::dequeue(Queues& queues, class_mask classes) {
    const frame_slot slot = queues.dequeue(classes, m_now);
    if (slot != no_slot) {
        leave_queues(slot);
    } else {
        release_at(queues.next_release(m_now));
    }
    call_software(queues);
    return slot;
}

inline void host_nic::leave_queues(frame_slot slot) {
    m_backlog_bytes -= m_slab.frame(slot).frame_bytes;
    m_nic_meter.decrease(m_backlog_bytes, m_now);
}

template <class Queues>
void host_nic::call_software(Queues& queues) {
    if (__builtin_expect(m_has_refused, 0) && queues.takes_again()) {
        m_has_refused = false;
        takes_again();
    }
}

void host_nic::release_at(picoseconds at) {
    if (at > m_now && at < m_release) {
        m_release = at;
        m_agenda.schedule(at, host_stages::nic_release, 0, 0);
    }
}

// As a switch's port: a PFC frame goes before data, paused classes wait.
void host_nic::transmit() {
    if (m_mac.sending.busy(m_now)) {
        return;
    }
    settle_sent(m_now);
    if (__builtin_expect(m_mac.sending.needs_attention, 0) && attend()) {
        return;
    }
    with_queues([this](auto& queues) {
        const frame_slot slot = dequeue(queues, static_cast<class_mask>(~m_mac.timers.paused_mask()));
        if (slot != no_slot) {
            begin(slot);
            if (queues.backlog() != 0 || m_parameters.literal_engine) {
                transmit_later();
            }
        }
    });
}

// The first bit leaves.
void host_nic::begin(frame_slot slot) {
    ethernet_frame& frame = m_slab.frame(slot);
    const pfc_class c = m_slab.route(slot).frame_class;
    const picoseconds time = m_wire->wire_time(frame.length());
    m_mac.stats.classes[c].count_sent(frame.frame_bytes, time);
    m_mac.sending.begin(slot, m_now + time);
    note_activity(m_mac.sending.end);
    if (__builtin_expect(m_balance.sent == 0, 0)) {
        m_stats.first_sent = std::min(m_stats.first_sent, m_now);
        m_stats.first_data_sent = m_now;
    }
    ++m_balance.sent;
    ++m_transmitting;
    send_on_wire(*m_wire, 0, frame, m_now, time);
}

const frame_annex* host_nic::leaving_annex(unsigned /*port*/) const {
    const frame_slot slot = m_mac.sending.frame;
    return slot != no_slot && m_slab.has_annexes() ? &m_slab.annex(slot) : nullptr;
}

// True: no data may be sent now.
bool host_nic::attend() {
    while (!m_mac.up && backlog() != 0) {  // a cut link: what waits for it is lost
        const frame_slot slot = m_queues->discard(m_now);
        if (slot == no_slot) {  // queues from outside may keep the rest for now
            release_at(m_queues->next_release(m_now));
            break;
        }
        leave_queues(slot);
        call_software(*m_queues);
        ++m_stats.unsent;
        drop(slot, drop_reason::link_down);
    }
    if (!m_mac.up) {
        return true;
    }
    if (m_driver.send_due(0)) {
        return true;
    }
    m_mac.sending.needs_attention = false;
    return false;
}

// The end of a transmission has an event only where something waits for it; else it is settled here.
void host_nic::settle_sent(picoseconds until) {
    const frame_slot slot = m_mac.sending.take_done(until);
    if (slot != no_slot) {
        ++m_stats.hops;
        --m_transmitting;
        m_slab.release(slot);
    }
}

// --- pauses, and changes of the link ----------------------------------------------------------------------

void host_nic::on_pause_effect(frame_slot slot) {
    const ethernet_frame& frame = m_slab.frame(slot);
    m_driver.take_effect(0, frame.kind, frame.pause);
    --m_control_frames;
    m_slab.release(slot);
}

void host_nic::pauses_changed(unsigned port) {
    tell_pauses(port, m_mac.timers.paused_mask(), m_now);
    if (m_causes == nullptr) {
        return;
    }
    m_causes->note_paused(port, m_mac.timers.paused_mask(), m_now, [&](pfc_class c) {
        flow_bytes_list flows;
        m_queues->add_flows(c, flows);
        return flows.sorted();
    });
}

void host_nic::send_control(unsigned port, ethernet_frame& frame) {
    const picoseconds time = output(port).wire_time(frame.length());
    m_mac.stats.tx_control_time += time;
    m_stats.first_sent = std::min(m_stats.first_sent, m_now);
    m_mac.sending.begin(no_slot, m_now + time);
    send_on_wire(output(port), port, frame, m_now, time);
    transmit_later();
}

// One event applies all changes of its instant in the order in which they were given.
void host_nic::schedule(const link_change& change) {
    expect_change(change);
    m_mac.impaired = true;
    add_control(change.at);
    m_controls[change.at].push_back(change);
}

void host_nic::pause_partner(picoseconds from, picoseconds to, class_mask classes) {
    m_partner_pauses.push_back({from, to, classes});
    add_control(from);
    if (to != never) {
        add_control(to);
    }
}

void host_nic::add_control(picoseconds at) {
    if (m_controls.find(at) == m_controls.end()) {
        m_controls[at];
        m_agenda.schedule(at, host_stages::control, 0, 0);
    }
}

void host_nic::on_control() {
    for (const link_change& change : m_controls[m_now]) {
        output(0).apply(change);
        m_driver.change_link(change);
    }
    unsigned wanted = 0;
    for (const partner_pause& pause : m_partner_pauses) {
        wanted |= pause.from <= m_now && m_now < pause.to ? pause.classes : 0U;
    }
    m_mac.requests.request_xoff(static_cast<class_mask>(wanted));
    m_mac.requests.request_xon(static_cast<class_mask>(~wanted));
    m_driver.requests_changed(0);
}

}  // namespace weir::model
