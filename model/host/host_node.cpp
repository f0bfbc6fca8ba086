#include "weir/model/host/host_node.h"

#include <algorithm>

namespace weir::model {

host_node::host_node(sc_core::sc_module_name name, unsigned index, const simulation_clock& clock,
                     const port_config& port, const host_parameters& parameters)
    : host_nic(name, index, clock, port, parameters), m_rate(port.rate) {
    const host_config& device = parameters.device;
    if (device.stack_distribution != delay_shape::fixed) {
        m_drawn_out.emplace(device.out_delays(),
                            random_stream{parameters.seed, index, random_purpose::stack_out});
        m_drawn_in.emplace(device.in_delays(), random_stream{parameters.seed, index, random_purpose::stack_in});
    }
}

void host_node::run(endpoint& guest) {
    m_guest = &guest;
    m_guest->start(*this);
    // What `start` sent leaves in the first instant.
    wake_at(picoseconds{0});
}

void host_node::advance() {
    if (m_parameters.literal_engine) {
        run_events<true>();
    } else {
        run_events<false>();
    }
}

template <bool Literal>
void host_node::run_events() {
    if (fetches_ahead()) {
        m_agenda.for_first<host_stages::arrival>(1, [this](const event& e) { m_slab.prefetch(e.payload); });
    }
    take_mail(
        any_number,
        [this](const wire_arrival& arrival) {
            ++m_arriving;
            const frame_slot slot = m_slab.put(arrival.frame);
            if (__builtin_expect(m_mac.impaired, 0)) {
                note_taken(0);
            }
            if (__builtin_expect(m_slab.has_annexes(), 0)) {
                m_slab.annex(slot) = input(0).take_annex();
            }
            m_agenda.schedule(arrival.last_bit(), host_stages::arrival, 0, slot);
        },
        [](const wire_arrival&, std::uint32_t) {});
    const event_key end = first_key_at(m_clock.end);
    while (m_agenda.next_key() < end) {
        m_now = m_agenda.next_time();
        const event_key instant_last = last_key_with(m_agenda.next_key());
        do {
            dispatch<Literal>();
            ++m_events;
        } while (m_agenda.next_key() <= instant_last);
        transmit_if_pending();
    }
}

// Takes the next event, of which the stage is known. Returns its payload.
template <bool Literal, unsigned Stage>
std::uint32_t host_node::take() {
    return Literal ? m_agenda.pop().payload : m_agenda.pop_of<Stage>();
}

template <bool Literal>
void host_node::dispatch() {
    switch (stage_of(m_agenda.next_key())) {
        case host_stages::arrival:
            return on_arrival(take<Literal, host_stages::arrival>());
        case host_stages::wake:
            take<Literal, host_stages::wake>();
            m_next_wake = m_next_wake == m_now ? no_wake : m_next_wake;
            return m_guest->wake();
        case host_stages::transmit_done:
            take<Literal, host_stages::transmit_done>();
            return on_transmit_done();
        case host_stages::stack_in:
            return on_stack_in(take<Literal, host_stages::stack_in>());
        case host_stages::stack_out:
            take<Literal, host_stages::stack_out>();
            return on_stack_out();
        default:
            return dispatch_rare();
    }
}

void host_node::dispatch_rare() {
    const event e = m_agenda.pop();
    if (e.stage() != host_stages::warmup_end) {
        on_nic_event(e.stage(), e.payload);
    } else {
        restart_statistics();
    }
}

// --- the stack -------------------------------------------------------------------------------------------

void host_node::on_arrival(frame_slot slot) {
    if (!arrive(slot)) {
        return;
    }
    if (m_parameters.device.stack_in == picoseconds{0}) {
        deliver(slot);
    } else {
        const picoseconds at = __builtin_expect(m_drawn_in.has_value(), 0)
                                   ? m_drawn_in->way_out(m_now)
                                   : m_now + m_parameters.device.stack_in;
        m_agenda.schedule(at, host_stages::stack_in, 0, slot);
    }
}

void host_node::on_stack_in(frame_slot slot) {
    note_activity(m_now);
    deliver(slot);
}

void host_node::deliver(frame_slot slot) {
    ++m_balance.consumed;
    // The endpoint may send, which may move the store: it gets a copy.
    const ethernet_frame frame = m_slab.frame(slot);
    m_slab.release(slot);
    if (m_guest == nullptr) {
        return;
    }
    if (__builtin_expect(m_slab.has_annexes(), 0)) {
        const frame_annex annex = m_slab.annex(slot);
        m_guest->receive_with(annex, frame);
    } else {
        m_guest->receive(frame);
    }
}

send_outcome host_node::send(const ethernet_frame& frame) {
    return send_with(nullptr, frame);
}

send_outcome host_node::return_annex(const frame_annex& annex, const ethernet_frame& frame) {
    return send_with(&annex, frame);
}

send_outcome host_node::send_with(const frame_annex* annex, const ethernet_frame& frame) {
    if (m_may_refuse) {
        const send_outcome outcome = admit(frame, m_stack_bytes);
        if (outcome != send_outcome::taken) {
            return outcome;
        }
    }
    const frame_slot slot = m_slab.put(frame);
    if (__builtin_expect(m_slab.has_annexes(), 0)) {
        put_annex(slot, annex);
    }
    ++m_balance.originated;
    if (m_parameters.device.stack_out == picoseconds{0}) {
        enqueue(slot);
    } else {
        enter_stack(slot);
    }
    return send_outcome::taken;
}

void host_node::put_annex(frame_slot slot, const frame_annex* annex) {
    m_slab.annex(slot) = annex != nullptr ? *annex : frame_annex{};
    m_slab.annex(slot).returns = annex != nullptr;
}

void host_node::enter_stack(frame_slot slot) {
    // One event takes all frames of an instant; the route's spare field counts them at their first one.
    const picoseconds at = m_drawn_out ? m_drawn_out->way_out(m_now) : m_now + m_parameters.device.stack_out;
    if (at != m_stack_event) {
        m_stack_event = at;
        m_stack_batch = slot;
        m_slab.route(slot).charged_bytes = 0;
        m_agenda.schedule(at, host_stages::stack_out, 0, 0);
    }
    m_stack_queue.push(m_slab, slot);
    ++m_slab.route(m_stack_batch).charged_bytes;
    m_stack_bytes += m_slab.frame(slot).frame_bytes;
}

void host_node::on_stack_out() {
    std::uint32_t count = m_slab.route(m_stack_queue.head()).charged_bytes;
    for (; count > 0; --count) {
        const frame_slot slot = m_stack_queue.pop(m_slab);
        m_stack_bytes -= m_slab.frame(slot).frame_bytes;
        enqueue(slot);
    }
}

void host_node::wake_at(picoseconds time) {
    if (time < m_next_wake) {
        m_next_wake = time;
        m_agenda.schedule(time, host_stages::wake, 0, 0);
    }
}

// --- statistics and invariants ---------------------------------------------------------------------------

void host_node::settle(picoseconds now) {
    settle_sent(now - 1_ps);
    m_mac.timers.settle(now);
    m_nic_meter.settle(now);
    const frame_balance b = balance();
    if (b.received + b.originated != b.sent + b.consumed + b.dropped + b.inside) {
        violate(now, "frames in, out, dropped and inside do not add up");
    }
}

void host_node::restart_statistics_at(picoseconds at) {
    m_agenda.schedule(at, host_stages::warmup_end, 1, 0);
}

void host_node::restart_statistics() {
    settle(m_now);
    m_mac.restart_statistics();
    m_nic_meter.restart(m_now);
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
    if (backlog() == 0) {
        return {};
    }
    return " " + std::string(name()) + ".tx0 (classes " + std::to_string(backlog()) + ", paused " +
           std::to_string(m_mac.timers.paused_mask()) + ")";
}

}  // namespace weir::model
