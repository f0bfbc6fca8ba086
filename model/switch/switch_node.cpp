#include "weir/model/switch/switch_node.h"

#include <utility>

#include "weir/model/memory/queue_order.h"
#include "weir/model/switch/block_kinds.h"
#include "weir/model/switch/bound_pfc.h"
#include "weir/model/switch/node_services.h"

namespace weir::model {

/// More frames than that are sorted before they are taken: measured (docs/performance.md).
static constexpr std::size_t many_arrivals = 40;
/// Of those, so many for each port are taken at once.
static constexpr std::size_t few_arrivals = 4;

switch_node::switch_node(sc_core::sc_module_name name, unsigned index, const simulation_clock& clock,
                         const std::vector<port_config>& ports, const switch_parameters& parameters)
    : switch_statistics(name, index, clock, ports, parameters) {
    const pfc_config& flow_control = m_parameters.flow_control;
    m_services = std::make_unique<services>(*this);
    m_memory = make_memory_path(m_parameters, m_port_configs, *m_services, this->name());
    m_macs = std::make_unique<mac_driver>(flow_control.mode, *m_services);
    m_queues = queue_manager::make(m_parameters, index, m_port_configs, *m_memory, *m_services);
    if (watchdog_driver::is_configured(flow_control)) {
        m_watchdog = std::make_unique<watchdog_driver>(flow_control, *m_services);
        m_agenda.schedule(flow_control.watchdog_period(), switch_stages::watchdog, 0, 0);
    }
}

// --- elaboration ------------------------------------------------------------------------------------------

void switch_node::before_end_of_elaboration() {
    // Such a block has memory of its own, which nothing would account for.
    if (m_memory->shared() != nullptr && ingress.bind_count() + egress.bind_count() != 0) {
        SC_REPORT_FATAL("/weir/shared_buffer",
                        (std::string(name()) +
                         ": an ingress or egress buffer is replaced, and a shared memory is neither; expected "
                         "switch.buffer = partitioned")
                            .c_str());
    }
    if (!m_memory->has_crossbar() && ingress.bind_count() + arbiter.bind_count() != 0) {
        SC_REPORT_FATAL("/weir/switch", (std::string(name()) +
                                         ": an ingress buffer or an arbiter is bound, and there is no crossbar "
                                         "that would use it; expected switch.buffer = partitioned")
                                            .c_str());
    }
    m_has_foreign_block = bound() != 0;
    m_arbiter_is_foreign = arbiter.bind_count() != 0 || !arbiter_kinds()[m_parameters.device.arbiter].own;
    m_scheduler_reads_lengths =
        scheduler_kinds()[m_parameters.device.scheduler].reads_lengths || egress_scheduler.bind_count() != 0;
    const bool keeps_drain_bytes =
        port_selection.bind_count() != 0 || balance_policies()[m_parameters.device.balance].reads_drain_bytes;
    m_defaults.bind(*this, {m_parameters, m_port_configs, index(), m_slab, keeps_drain_bytes});
}

void switch_node::end_of_elaboration() {
    node::end_of_elaboration();
    m_lookup.bind(lookup.operator->());
    m_selector.bind(port_selection.operator->());
    m_ingress.bind(ingress.operator->());
    m_arbiter.bind(arbiter.operator->());
    m_egress.bind(egress.operator->());
    m_scheduler = egress_scheduler.operator->();
    m_memory->bind(m_ingress.own(), m_egress.own());
    bind_pfc();
    m_pipeline = lookup_pipeline(lookup->latency(m_parameters.device.lookup_delay), m_pipeline.interval());
    const bool watchdog_drops =
        m_watchdog != nullptr && m_parameters.flow_control.watchdog == watchdog_action::drop;
    const bool all_are_events =
        m_parameters.flow_control.charge != charge_time::arrival || m_pipeline.interval() != 0_ps;
    for (unsigned port = 0; port < ports(); ++port) {
        switch_port& p = m_ports[port];
        p.wire = &output(port);
        p.sending.wire_overhead = static_cast<std::uint16_t>(p.wire->overhead().count());
        p.egress_memory = m_egress.own() != nullptr ? &m_egress.own()->at(port) : nullptr;
        p.inspects_arrivals = p.inspects_arrivals || watchdog_drops;
        p.arrivals_are_events = p.inspects_arrivals || all_are_events;
        update_room(p, m_egress->room(port));
    }
    m_reads_banks = m_memory->banks() != nullptr;
    m_crosses_plainly = m_memory->has_crossbar() && !m_reads_banks;
    m_path = choose_path();
}

frame_path switch_node::choose_path() const {
    const bool own_blocks = m_lookup.own() != nullptr && m_ingress.own() != nullptr &&
                            m_arbiter.own() != nullptr && m_egress.own() != nullptr;
    // The literal engine checks that the other paths change nothing.
    if (!own_blocks || m_probe != nullptr || m_parameters.literal_engine) {
        return frame_path::general;
    }
    const bool plain_queues = m_queues == nullptr && !queue_orders()[m_parameters.device.queue_order].make;
    if (!plain_queues) {
        return frame_path::managed;
    }
    return m_crosses_plainly ? frame_path::direct : frame_path::inlined;
}

void switch_node::bind_pfc() {
    if (pfc.bind_count() == 0) {
        return;
    }
    if (m_watchdog != nullptr) {
        SC_REPORT_FATAL("/weir/switch",
                        (std::string(name()) + ": a PFC watchdog cannot end the pauses of a PFC "
                                               "block that is bound")
                            .c_str());
    }
    m_macs =
        std::make_unique<bound_pfc>(m_parameters.flow_control.mode, *pfc.operator->(), ports(), *m_services);
}

// --- events -----------------------------------------------------------------------------------------------

void switch_node::advance() {
    if (m_path == frame_path::direct) {
        run_inlined<frame_path::direct>();
    } else if (m_path == frame_path::inlined) {
        run_inlined<frame_path::inlined>();
    } else if (m_path == frame_path::managed) {
        run_inlined<frame_path::managed>();
    } else {
        run<frame_path::general>();
    }
}

template <frame_path Path>
picoseconds switch_node::take_few() {
    return take_window(
        few_arrivals * m_port_count, [this](const wire_arrival& arrival) { accept<Path>(arrival); },
        [this](const wire_arrival& arrival, std::uint32_t others) {
            fetch_for_arrival<Path>(arrival, others);
        });
}

void switch_node::prefetch_parts() const {
    if (m_path == frame_path::direct) {
        prefetch_lines<2>(m_lookup.own());
        prefetch_lines<3>(m_ingress.own());
        prefetch_lines<3>(m_egress.own());
        prefetch_line(m_arbiter.own());
        m_agenda.prefetch();
        m_slab.prefetch_places();
        prefetch_lines<3>(&m_free_ingress);
        prefetch_lines<2>(&m_selection_chance);
    }
}

// Arrivals first, then all events before the end of the quantum, instant by instant. One function: separate
// calls would cost a frame a hundred instructions for saving registers.
template <frame_path Path>
void switch_node::run_inlined() {
    run<Path>();
}

template <frame_path Path>
void switch_node::run() {
    fetch_for_events<Path>();
    const bool all_taken = take_mail(
        many_arrivals, [this](const wire_arrival& arrival) { accept<Path>(arrival); },
        [this](const wire_arrival& arrival, std::uint32_t others) {
            fetch_for_arrival<Path>(arrival, others);
        });
    m_run_end = __builtin_expect(all_taken, 1) ? m_clock.end : take_few<Path>();
    fetch_for_departures<Path>();
    for (;;) {
        const event_key end = first_key_at(m_run_end);
        while (m_agenda.next_key() < end) {
            m_now = m_agenda.next_time();
            m_instant_last = last_key_with(m_agenda.next_key());
            do {
                dispatch_next<Path>();
                ++m_events;
            } while (m_agenda.next_key() <= m_instant_last);
            if (m_instant_unfinished) {
                finish_instant<Path>();
            }
            if constexpr (Path == frame_path::general) {
                if (m_probe != nullptr) {
                    m_probe->after_instant(m_now, next_time());
                }
            }
        }
        if (__builtin_expect(m_run_end == m_clock.end, 1)) {
            return;
        }
        m_run_end = take_few<Path>();
    }
}

template <frame_path Path>
void switch_node::dispatch_next() {
    if constexpr (Path != frame_path::direct) {
        dispatch<Path>(m_agenda.pop());
        return;
    }
    // In the order of how often they come; a table of jumps costs more.
    const event_key key = m_agenda.next_key();
    const unsigned stage = stage_of(key);
    if (stage == switch_stages::transfer_done) {
        on_crossed<Path>(m_agenda.pop_of<switch_stages::transfer_done>());
    } else if (stage == switch_stages::lookup_done) {
        on_lookup_done<Path>(port_of(key), m_agenda.pop_of<switch_stages::lookup_done>());
    } else if (stage == switch_stages::transmit_done) {
        m_agenda.pop_of<switch_stages::transmit_done>();
        on_transmit_done<Path>(port_of(key));
    } else if (stage == switch_stages::slot) {
        m_agenda.pop_of<switch_stages::slot>();
        on_slot<Path>();
    } else {
        dispatch_rare<Path>();
    }
}

template <frame_path Path>
void switch_node::dispatch_rare() {
    dispatch<Path>(m_agenda.pop());
}

template <frame_path Path>
void switch_node::dispatch(const event& e) {
    switch (e.stage()) {
        case switch_stages::transfer_done:
            return Path != frame_path::inlined && m_crosses_plainly ? on_crossed<Path>(e.payload)
                                                                    : m_memory->transferred(e.payload);
        case switch_stages::lookup_done:
            return on_lookup_done<Path>(e.port(), e.payload);
        case switch_stages::transmit_done:
            return on_transmit_done<Path>(e.port());
        case switch_stages::memory_read:
            return transmit_later(m_ports[e.port()]);
        case switch_stages::slot:
            return on_slot<Path>();
        case switch_stages::arrival:
            return on_arrival<Path>(e.port(), e.payload);
        case switch_stages::pause_effect:
            return on_pause_effect(e.port(), e.payload);
        case switch_stages::pause_expiry:
            return m_macs->expire(e.port());
        case switch_stages::pause_refresh:
            return m_macs->look(e.port(), e.payload);
        case switch_stages::control:
            return on_control();
        case switch_stages::watchdog:
            return on_watchdog();
        case switch_stages::own_lookup_done:
            return on_own_lookup_done();
        case switch_stages::warmup_end:
            if (e.payload != first_instant) {
                restart_statistics();
            }
            return;
    }
}

// Every port marked as pending picks a frame, then the arbiter runs: once per instant, after all of its events.
template <frame_path Path>
void switch_node::finish_instant() {
    m_instant_unfinished = false;
    for (unsigned i = 0; i < m_transmit_count; ++i) {
        switch_port& p = m_ports[m_transmit_pending[i]];
        p.sending.pending = false;
        transmit<Path>(p);
    }
    m_transmit_count = 0;
    finish_requests<Path>();
}

void switch_node::on_pause_effect(unsigned port, frame_slot slot) {
    const ethernet_frame& frame = m_slab.frame(slot);
    const bool heeds_all = m_watchdog == nullptr || frame.kind == frame_kind::pause;
    m_macs->take_effect(port, frame.kind, heeds_all ? frame.pause : m_watchdog->heard(port, frame.pause));
    m_slab.release(slot);
    --m_control_frames;
}

void switch_node::on_watchdog() {
    m_watchdog->look();
    const picoseconds next = m_now + m_parameters.flow_control.watchdog_period();
    if (next <= latest_time) {
        m_agenda.schedule(next, switch_stages::watchdog, 0, 0);
    }
}

const std::vector<watchdog_event>& switch_node::watchdog_events() const {
    static const std::vector<watchdog_event> none;
    return m_watchdog != nullptr ? m_watchdog->events() : none;
}

// --- changes by configuration -----------------------------------------------------------------------------

void switch_node::schedule(route_change change) {
    const picoseconds at = change.at;
    add_control(at, {std::make_unique<route_change>(std::move(change)), {}});
}

void switch_node::schedule(const link_change& change) {
    expect_change(change);
    switch_port& p = m_ports[change.port];
    p.impaired = p.inspects_arrivals = p.arrivals_are_events = true;
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

void switch_node::on_control() {
    for (const control_action& action : m_controls[m_now]) {
        if (action.routes) {
            m_lookup->load(action.routes->routes);
            continue;
        }
        const link_change& change = action.link;
        output(change.port).apply(change);
        m_macs->change_link(change);
        note_link(change.port);
    }
}

}  // namespace weir::model
