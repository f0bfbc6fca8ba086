#include "weir/model/host/host_node.h"

#include <algorithm>

#include "weir/model/flow_control/pfc_thresholds.h"

namespace weir::model {

// Of a `sample` event: end of the warm-up instead of a sample.
static constexpr std::uint32_t restart_payload = 1;

// What a broken adapter sends: pauses as the switches' are.
static pause_config requests_of(const pfc_config& pfc) {
    pause_config config;
    config.kind = pfc.mode == flow_control_mode::pause ? frame_kind::pause : frame_kind::pfc;
    config.quanta = pfc.quanta;
    config.refresh = pause_quanta{std::max<std::int64_t>(
        1, static_cast<std::int64_t>(static_cast<double>(pfc.quanta.count()) * pfc.refresh))};
    return config;
}

host_node::host_node(sc_core::sc_module_name name, unsigned index, const simulation_clock& clock,
                     const port_config& port, const host_parameters& parameters)
    : node(name, index, clock, {port}),
      m_parameters(parameters),
      m_port(port),
      m_mac(requests_of(parameters.flow_control), port.rate,
            parameters.flow_control.response.value_or(default_response(port.rate))),
      m_driver(parameters.flow_control.mode, *this),
      m_error_chance(parameters.seed, index, random_purpose::bit_errors) {
    set_next_key(m_agenda.next_key());
    for (unsigned priority = 0; priority < pfc_classes; ++priority) {
        m_class_of[priority] = static_cast<pfc_class>(std::min(priority, parameters.classes - 1));
    }
    m_mac.impaired = port.has_errors();
    if (parameters.literal_engine) {
        m_agenda.use_literal();
    }
    m_nic = nic_kinds()[m_parameters.device.nic]({m_parameters.device, port.rate, m_slab});
    m_may_refuse = m_nic != nullptr || m_parameters.device.nic_buffer > 0_B;
}

void host_node::run(endpoint& guest) {
    m_guest = &guest;
    m_guest->start(*this);
    // What `start` sent leaves in the first instant.
    wake_at(picoseconds{0});
}

// One event applies all changes of its instant in the order in which they were given.
void host_node::schedule(const link_change& change) {
    expect_change(change);
    m_mac.impaired = true;
    add_control(change.at);
    m_controls[change.at].push_back(change);
}

void host_node::add_control(picoseconds at) {
    if (m_controls.find(at) == m_controls.end()) {
        m_controls[at];
        m_agenda.schedule(at, host_stages::control, 0, 0);
    }
}

void host_node::pause_partner(picoseconds from, picoseconds to, class_mask classes) {
    m_partner_pauses.push_back({from, to, classes});
    add_control(from);
    if (to != never) {
        add_control(to);
    }
}

void host_node::advance() {
    if (__builtin_expect(m_sampler.asleep(), 0)) {
        m_sampler.wake(m_clock.begin);
        m_agenda.schedule(m_sampler.due(), host_stages::sample, 0, 0);
    }
    // One port: its frames come in order.
    empty_mailboxes<0>([this](unsigned port, const wire_arrival& arrival) {
        ++m_arriving;
        m_agenda.schedule(input(port).take(arrival), host_stages::arrival, port, m_slab.put(arrival.frame));
    });
    const event_key end = first_key_at(m_clock.end);
    while (m_agenda.next_key() < end) {
        m_now = m_agenda.next_time();
        const event_key instant_last = last_key_with(m_agenda.next_key());
        do {
            dispatch(m_agenda.pop());
            ++m_events;
        } while (m_agenda.next_key() <= instant_last);
        if (m_transmit_pending) {
            m_transmit_pending = false;
            transmit();
        }
    }
}

void host_node::dispatch(const event& e) {
    const unsigned stage = e.stage();
    if (stage == host_stages::arrival) {
        on_arrival(e.payload);
    } else if (stage == host_stages::transmit_done) {
        on_transmit_done();
    } else if (stage == host_stages::wake) {
        m_next_wake = m_next_wake == m_now ? no_wake : m_next_wake;
        m_guest->wake();
    } else if (stage == host_stages::stack_in) {
        on_stack_in(e.payload);
    } else if (stage == host_stages::stack_out) {
        on_stack_out();
    } else {
        dispatch_rare(e);
    }
}

void host_node::dispatch_rare(const event& e) {
    switch (e.stage()) {
        case host_stages::pause_effect:
            return on_pause_effect(e.payload);
        case host_stages::pause_expiry:
            return m_driver.expire(0);
        case host_stages::pause_refresh:
            return m_driver.look(0, e.payload);
        case host_stages::control:
            return on_control();
        case host_stages::nic_release:
            m_nic_release = never;
            return transmit_later();
        case host_stages::sample:
            return e.payload == restart_payload ? restart_statistics() : on_sample();
    }
}

// --- in --------------------------------------------------------------------------------------------------

void host_node::on_arrival(frame_slot slot) {
    const ethernet_frame& frame = m_slab.frame(slot);
    --m_arriving;
    if (__builtin_expect(m_mac.impaired, 0) && lost_on_link(slot)) {
        return;
    }
    if (frame.is_flow_control()) {
        ++m_control_frames;
        m_agenda.schedule(m_driver.arrive(0, frame), host_stages::pause_effect, 0, slot);
        return;
    }
    m_last_activity = std::max(m_last_activity, m_now);
    ++m_balance.received;
    const pfc_class c = class_of(frame);
    ++m_mac.stats.rx_frames[c];
    m_mac.stats.rx_bytes[c] += frame.frame_bytes;
    if (frame.dst != m_parameters.address) {
        drop(slot, drop_reason::misdelivered);
        return;
    }
    if (__builtin_expect(m_nic != nullptr, 0) && m_nic->takes_notification(frame, m_now)) {
        ++m_stats.delivered;
        ++m_balance.consumed;
        m_slab.release(slot);
        transmit_later();
        return;
    }
    if (m_parameters.device.stack_in == picoseconds{0}) {
        on_stack_in(slot);
        return;
    }
    ++m_waiting_for_stack;
    m_agenda.schedule(m_now + m_parameters.device.stack_in, host_stages::stack_in, 0, slot);
}

// True: the frame did not get here whole, and is gone.
bool host_node::lost_on_link(frame_slot slot) {
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
    m_last_activity = std::max(m_last_activity, m_now);
    ++m_balance.received;
    drop(slot, cut ? drop_reason::link_down : drop_reason::bit_error);
    return true;
}

void host_node::on_stack_in(frame_slot slot) {
    if (m_parameters.device.stack_in != picoseconds{0}) {
        --m_waiting_for_stack;
    }
    m_last_activity = std::max(m_last_activity, m_now);
    ++m_stats.delivered;
    ++m_balance.consumed;
    // The endpoint may send, which may move the store: it gets a copy.
    const ethernet_frame frame = m_slab.frame(slot);
    m_slab.release(slot);
    if (m_guest != nullptr) {
        m_guest->receive(frame);
    }
}

void host_node::on_pause_effect(frame_slot slot) {
    const ethernet_frame& frame = m_slab.frame(slot);
    m_driver.take_effect(0, frame.kind, frame.pause);
    --m_control_frames;
    m_slab.release(slot);
}

void host_node::pauses_changed(unsigned port) {
    tell_pauses(port, m_mac.timers.paused_mask(), m_now);
    if (m_causes == nullptr) {
        return;
    }
    m_causes->note_paused(0, m_mac.timers.paused_mask(), m_now, [&](pfc_class c) {
        flow_bytes_list flows;
        for (frame_slot slot = m_queues[c].head(); slot != no_slot; slot = m_slab.route(slot).next) {
            flows.add(m_slab.frame(slot), m_slab.frame(slot).frame_bytes);
        }
        return flows.sorted();
    });
}

// --- out -------------------------------------------------------------------------------------------------

send_outcome host_node::send(const ethernet_frame& frame) {
    if (m_may_refuse) {
        const send_outcome outcome = admit(frame);
        if (outcome != send_outcome::taken) {
            return outcome;
        }
    }
    const frame_slot slot = m_slab.put(frame);
    ++m_balance.originated;
    if (m_parameters.device.stack_out == picoseconds{0}) {
        enqueue(slot);
        return send_outcome::taken;
    }
    // One event takes all frames of an instant; the route's spare field counts them at their first one.
    const picoseconds at = m_now + m_parameters.device.stack_out;
    if (at != m_stack_event) {
        m_stack_event = at;
        m_stack_batch = slot;
        m_slab.route(slot).charged_bytes = 0;
        m_agenda.schedule(at, host_stages::stack_out, 0, 0);
    }
    m_stack_queue.push(m_slab, slot);
    ++m_slab.route(m_stack_batch).charged_bytes;
    m_stack_bytes += frame.frame_bytes;
    ++m_waiting_for_stack;
    return send_outcome::taken;
}

// The NIC is of another kind, or has a limit.
send_outcome host_node::admit(const ethernet_frame& frame) {
    const std::int64_t limit = m_parameters.device.nic_buffer.count();
    if (m_nic != nullptr) {
        const send_outcome outcome = m_nic->admit(frame, m_now);
        m_has_refused = m_has_refused || outcome == send_outcome::not_now;
        m_stats.drops[static_cast<unsigned>(drop_reason::nic_full)] += outcome == send_outcome::dropped ? 1 : 0;
        return outcome;
    }
    if (m_backlog_bytes + m_stack_bytes + frame.frame_bytes > limit) {
        ++m_stats.drops[static_cast<unsigned>(drop_reason::nic_full)];
        return send_outcome::dropped;
    }
    return send_outcome::taken;
}

void host_node::on_stack_out() {
    std::uint32_t count = m_slab.route(m_stack_queue.head()).charged_bytes;
    for (; count > 0; --count) {
        --m_waiting_for_stack;
        const frame_slot slot = m_stack_queue.pop(m_slab);
        m_stack_bytes -= m_slab.frame(slot).frame_bytes;
        enqueue(slot);
    }
}

void host_node::enqueue(frame_slot slot) {
    const ethernet_frame& frame = m_slab.frame(slot);
    const pfc_class c = class_of(frame);
    m_slab.route(slot).frame_class = c;
    if (__builtin_expect(m_nic != nullptr, 0)) {
        return enqueue_at_nic(slot);
    }
    m_queues[c].push(m_slab, slot);
    m_backlog = static_cast<class_mask>(m_backlog | (1U << c));
    m_backlog_bytes += frame.frame_bytes;
    m_nic_meter.change(m_backlog_bytes, m_now);
    transmit_later();
}

void host_node::enqueue_at_nic(frame_slot slot) {
    m_backlog_bytes += m_slab.frame(slot).frame_bytes;
    const frame_slot evicted = m_nic->enqueue(slot, m_now);
    if (evicted != no_slot) {
        m_backlog_bytes -= m_slab.frame(evicted).frame_bytes;
        drop(evicted, drop_reason::nic_full);
    }
    m_backlog = m_nic->backlog();
    m_nic_meter.change(m_backlog_bytes, m_now);
    transmit_later();
}

// Software that was refused may hand over more before this returns.
frame_slot host_node::dequeue_at_nic(class_mask classes) {
    const frame_slot slot = m_nic->dequeue(classes, m_now);
    if (slot != no_slot) {
        m_backlog_bytes -= m_slab.frame(slot).frame_bytes;
        m_nic_meter.change(m_backlog_bytes, m_now);
    } else {
        const picoseconds release = m_nic->next_release(m_now);
        if (release > m_now && release < m_nic_release) {
            m_nic_release = release;
            m_agenda.schedule(release, host_stages::nic_release, 0, 0);
        }
    }
    m_backlog = m_nic->backlog();
    if (m_has_refused && m_nic->takes_again()) {
        m_has_refused = false;
        m_guest->ready();
    }
    return slot;
}

// The first frame of the most urgent class of `classes`, which is not empty.
frame_slot host_node::dequeue(class_mask classes) {
    const auto c = static_cast<pfc_class>(31 - __builtin_clz(classes));
    const frame_slot slot = m_queues[c].pop(m_slab);
    if (m_queues[c].empty()) {
        m_backlog = static_cast<class_mask>(m_backlog & ~(1U << c));
    }
    m_backlog_bytes -= m_slab.frame(slot).frame_bytes;
    m_nic_meter.change(m_backlog_bytes, m_now);
    return slot;
}

void host_node::transmit() {
    if (m_mac.sending.busy(m_now)) {
        return;
    }
    settle_sent(m_now);
    if (__builtin_expect(m_mac.needs_attention, 0) && attend()) {
        return;
    }
    const auto eligible = static_cast<class_mask>(m_backlog & ~m_mac.timers.paused_mask());
    if (eligible == 0) {
        return;
    }
    frame_slot slot;
    if (__builtin_expect(m_nic != nullptr, 0)) {
        slot = dequeue_at_nic(eligible);
        if (slot == no_slot) {
            return;
        }
    } else {
        slot = dequeue(eligible);
    }
    ethernet_frame& frame = m_slab.frame(slot);
    const pfc_class c = m_slab.route(slot).frame_class;
    const picoseconds time = output(0).wire_time(frame.length());
    ++m_mac.stats.tx_frames[c];
    m_mac.stats.tx_bytes[c] += frame.frame_bytes;
    m_mac.stats.tx_busy += time;
    m_mac.sending.begin(slot, m_now + time);
    m_last_activity = std::max(m_last_activity, m_mac.sending.end);
    ++m_balance.sent;
    ++m_transmitting;
    send_on_wire(0, frame, m_now);
    if (m_backlog != 0 || m_parameters.literal_engine) {
        transmit_later();
    }
}

// True: no data may be sent now.
bool host_node::attend() {
    while (!m_mac.up && m_backlog != 0) {  // a cut link: what waits for it is lost
        const frame_slot slot = m_nic != nullptr ? dequeue_at_nic(m_backlog) : dequeue(m_backlog);
        if (slot == no_slot) {  // a limiter keeps the rest for now
            break;
        }
        ++m_stats.unsent;
        drop(slot, drop_reason::link_down);
    }
    if (!m_mac.up) {
        return true;
    }
    if (m_driver.send_due(0)) {
        return true;
    }
    m_mac.needs_attention = false;
    return false;
}

void host_node::send_control(unsigned port, ethernet_frame& frame) {
    const picoseconds time = output(port).wire_time(frame.length());
    m_mac.stats.tx_busy += time;
    m_mac.sending.begin(no_slot, m_now + time);
    send_on_wire(port, frame, m_now);
    transmit_later();
}

void host_node::on_transmit_done() {
    m_mac.sending.end_scheduled = false;
    m_transmit_pending = true;
}

// Counts the frame that has left at or before `until`.
void host_node::settle_sent(picoseconds until) {
    const frame_slot slot = m_mac.sending.take_done(until);
    if (slot != no_slot) {
        ++m_stats.hops;
        --m_transmitting;
        m_slab.release(slot);
    }
}

void host_node::wake_at(picoseconds time) {
    if (time < m_next_wake) {
        m_next_wake = time;
        m_agenda.schedule(time, host_stages::wake, 0, 0);
    }
}

void host_node::on_control() {
    for (const link_change& change : m_controls[m_now]) {
        m_mac.close_rate(output(0));
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

// --- statistics and invariants ---------------------------------------------------------------------------

void host_node::drop(frame_slot slot, drop_reason reason) {
    ++m_stats.drops[static_cast<unsigned>(reason)];
    ++m_balance.dropped;
    tell_drop(0, reason, m_slab.frame(slot), m_now);
    m_slab.release(slot);
}

void host_node::settle(picoseconds now) {
    settle_sent(now - 1_ps);
    m_mac.timers.settle(now);
    m_nic_meter.settle(now);
    const frame_balance b = balance();
    if (b.received + b.originated != b.sent + b.consumed + b.dropped + b.inside) {
        violate(now, "frames in, out, dropped and inside do not add up");
    }
}

void host_node::sample_every(picoseconds interval, std::uint32_t capacity) {
    m_sampler.enable(interval, capacity, 1);
    m_agenda.schedule(m_sampler.due(), host_stages::sample, 0, 0);
}

void host_node::on_sample() {
    pause_sample pauses;
    if (m_mac.has_pauses()) {
        m_mac.add_to(pauses, m_now);
    }
    m_sampler.take(m_mac.has_pauses() ? &pauses : nullptr, [this](std::uint32_t) { return m_backlog_bytes; });
    // It wakes up when it is next run, so nothing may be left to do in this quantum.
    const bool is_done = m_agenda.next_key() >= first_key_at(m_clock.end) && !m_transmit_pending;
    // Frames whose last bit has left may still be in the slab.
    const bool empty = m_mac.timers.paused_mask() == 0 && !m_mac.sending.busy(m_now) &&
                       m_slab.used() == (m_mac.sending.frame != no_slot ? 1U : 0U);
    if (is_done && empty && !m_parameters.literal_engine) {
        m_sampler.sleep();
    } else {
        m_agenda.schedule(m_sampler.due(), host_stages::sample, 0, 0);
    }
}

void host_node::restart_statistics_at(picoseconds at) {
    m_agenda.schedule(at, host_stages::sample, 1, restart_payload);
}

void host_node::restart_statistics() {
    const picoseconds now = m_now;
    settle(now);
    m_mac.restart_statistics();
    m_nic_meter.restart(now);
    if (m_guest != nullptr) {
        m_guest->end_warmup();
    }
}

frame_balance host_node::balance() const {
    frame_balance b = m_balance;
    b.inside = m_slab.used() - m_arriving - m_control_frames - m_transmitting;
    return b;
}

std::string host_node::waiting_ports() const {
    if (m_backlog == 0) {
        return {};
    }
    return " " + std::string(name()) + ".tx0 (classes " + std::to_string(m_backlog) + ", paused " +
           std::to_string(m_mac.timers.paused_mask()) + ")";
}

}  // namespace weir::model
