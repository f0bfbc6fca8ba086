#include "weir/model/switch/switch_node.h"

#include <algorithm>
#include <utility>

#include "weir/model/flow_control/pfc_thresholds.h"

namespace weir {

/// Frames of a port that are taken at once, and so many that they are not.
static constexpr std::size_t few_arrivals = 4;
static constexpr std::size_t many_arrivals = 8;

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
      pfc("pfc"),
      m_parameters(parameters),
      m_port_configs(ports),
      m_port_count(static_cast<unsigned>(ports.size())),
      m_classes(parameters.device.classes),
      m_lossless(parameters.flow_control.mode != flow_control_mode::none),
      m_requests(static_cast<unsigned>(ports.size())),
      m_free_ingress(port_bitmap::first_ports(static_cast<unsigned>(ports.size()))),
      m_free_egress(m_free_ingress),
      m_crossbar(fastest(ports) * parameters.device.speedup),
      m_pipeline(parameters.device.lookup_delay, parameters.device.lookup_interval),
      m_selection_chance(parameters.seed, index, random_purpose::port_selection) {
    set_next_key(m_agenda.next_key());
    m_stats.port_drops.resize(ports.size());
    if (parameters.shared.kind == buffer_kind::shared) {
        make_shared_memory();
    }
    make_sram();
    m_slot_time = m_crossbar(parameters.device.cell);
    if (parameters.literal_engine) {
        m_agenda.use_literal();
    }
    for (unsigned port = 0; port < ports.size(); ++port) {
        const port_flow_control control =
            resolve_flow_control(m_parameters.device, m_parameters.flow_control, ports[port]);
        m_ports.emplace_back(control.requests, ports[port].rate, control.response);
        m_ports.back().impaired = m_ports.back().inspects_arrivals = ports[port].has_errors();
        m_ports.back().wire_overhead = ports[port].wire_overhead;
        m_ports.back().number = port;
        m_error_chance.emplace_back(random_stream::mix(parameters.seed) + port, index,
                                    random_purpose::bit_errors);
    }
    make_parts();
}

void switch_node::end_of_elaboration() {
    node::end_of_elaboration();
    m_lookup.bind(lookup.operator->());
    m_selector.bind(port_selection.operator->());
    m_ingress.bind(ingress.operator->());
    m_arbiter.bind(arbiter.operator->());
    m_egress.bind(egress.operator->());
    m_scheduler = egress_scheduler.operator->();
    bind_pfc();
    m_pipeline = lookup_pipeline(lookup->latency(m_parameters.device.lookup_delay), m_pipeline.interval());
    for (unsigned port = 0; port < ports(); ++port) {
        m_ports[port].wire = &output(port);
        m_ports[port].ingress_memory = m_ingress.own() != nullptr ? &m_ingress.own()->at(port) : nullptr;
        m_ports[port].egress_memory = m_egress.own() != nullptr ? &m_egress.own()->at(port) : nullptr;
        update_room(m_ports[port], m_egress->room(port));
    }
    m_own_blocks = m_lookup.own() != nullptr && m_selector.own() != nullptr && m_ingress.own() != nullptr &&
                   m_arbiter.own() != nullptr && m_egress.own() != nullptr && m_shared == nullptr &&
                   m_sram == nullptr;
    m_may_defer = !m_parameters.literal_engine && m_own_blocks && m_probe == nullptr;
    m_may_defer_arrivals = m_may_defer && m_parameters.flow_control.charge == charge_time::arrival &&
                           m_pipeline.interval() == picoseconds{0};
    m_may_repeat_slots = m_may_defer;
    m_may_match_lone = m_may_defer && m_parameters.device.crossbar == crossbar_mode::frame;
}

void switch_node::schedule(route_change change) {
    const picoseconds at = change.at;
    add_control(at, {std::make_unique<route_change>(std::move(change)), {}});
}

void switch_node::schedule(const link_change& change) {
    expect_change(change);
    m_ports[change.port].impaired = m_ports[change.port].inspects_arrivals = true;
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
    if (m_may_defer) {
        run<true>();
    } else {
        run<false>();
    }
}

template <bool Own>
picoseconds switch_node::take_few() {
    return take_window(few_arrivals,
                       [this](unsigned port, const wire_arrival& arrival) { accept<Own>(port, arrival); });
}

// One call after another would cost a frame a hundred instructions of saving registers.
template <bool Own>
void switch_node::run() {
    if (__builtin_expect(m_sampler.asleep(), 0)) {
        wake_sampler();
    }
    empty_mailboxes<many_arrivals>(
        [this](unsigned port, const wire_arrival& arrival) { accept<Own>(port, arrival); });
    m_run_end = __builtin_expect(has_full_mailboxes(), 0) ? take_few<Own>() : m_clock.end;
    for (;;) {
        const event_key end = first_key_at(m_run_end);
        while (m_agenda.next_key() < end) {
            m_now = m_agenda.next_time();
            m_instant_last = last_key_with(m_agenda.next_key());
            do {
                dispatch_next<Own>();
                ++m_events;
            } while (m_agenda.next_key() <= m_instant_last);
            if (m_instant_unfinished) {
                finish_instant<Own>();
            }
            if constexpr (!Own) {
                if (m_probe != nullptr) {
                    m_probe->after_instant(m_now, next_time());
                }
            }
        }
        if (__builtin_expect(m_run_end == m_clock.end, 1)) {
            return;
        }
        m_run_end = take_few<Own>();
    }
}

template <bool Own>
void switch_node::dispatch_next() {
    if constexpr (!Own) {
        dispatch(m_agenda.pop());
        return;
    }
    // In the order of how often they come; a table of jumps costs more.
    const event_key key = m_agenda.next_key();
    const unsigned stage = stage_of(key);
    if (stage == switch_stages::transfer_done) {
        on_transfer_done<Own>(m_agenda.pop_of<switch_stages::transfer_done>());
    } else if (stage == switch_stages::lookup_done) {
        on_lookup_done<Own>(port_of(key), m_agenda.pop_of<switch_stages::lookup_done>());
    } else if (stage == switch_stages::transmit_done) {
        m_agenda.pop_of<switch_stages::transmit_done>();
        on_transmit_done<Own>(port_of(key));
    } else if (stage == switch_stages::slot) {
        on_slot<Own>(m_agenda.pop_of<switch_stages::slot>());
    } else {
        dispatch_rare();
    }
}

void switch_node::dispatch_rare() {
    dispatch(m_agenda.pop());
}

void switch_node::dispatch(const event& e) {
    switch (e.stage()) {
        case switch_stages::transfer_done:
            return on_transfer_done<false>(e.payload);
        case switch_stages::lookup_done:
            return on_lookup_done<false>(e.port(), e.payload);
        case switch_stages::transmit_done:
            return on_transmit_done<false>(e.port());
        case switch_stages::memory_read:
            return transmit_later(m_ports[e.port()]);
        case switch_stages::slot:
            return on_slot<false>(e.payload);
        case switch_stages::arrival:
            return on_arrival(e.port(), e.payload);
        case switch_stages::pause_effect:
            return on_pause_effect(e.port(), e.payload);
        case switch_stages::pause_expiry:
            return on_pause_expiry(e.port());
        case switch_stages::pause_refresh:
            return on_pause_refresh(e.port(), e.payload);
        case switch_stages::control:
            return on_control();
        case switch_stages::watchdog:
            return on_watchdog();
        case switch_stages::sample:
            return e.payload == restart_payload ? restart_statistics() : on_sample();
    }
}

// Ports choose what to send, then the arbiter runs: once per instant, after all of its events.
template <bool Own>
void switch_node::finish_instant() {
    m_instant_unfinished = false;
    for (unsigned i = 0; i < m_transmit_count; ++i) {
        switch_port& p = m_ports[m_transmit_pending[i]];
        p.transmit_pending = false;
        transmit<Own>(p);
    }
    m_transmit_count = 0;
    if constexpr (Own) {
        if (m_lone != no_slot) {
            match_lone<Own>(std::exchange(m_lone, no_slot));
        }
    }
    if (m_arbitration_pending) {
        m_arbitration_pending = false;
        arbitrate_frames<Own>();
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
        m_ports[change.port].close_rate(output(change.port));
        output(change.port).apply(change);
        const bool comes_up = change.up.value_or(false) && !m_ports[change.port].up;
        m_ports[change.port].apply(change, m_now);
        if (m_pfc != nullptr && m_pfc->change_link(change.port, change, comes_up)) {
            schedule_pause_expiry(change.port);
        }
        note_pauses(m_ports[change.port]);
        tell_pauses(change.port, m_ports[change.port].timers.paused_mask(), m_now);
        m_ports[change.port].needs_attention = true;
        transmit_later(m_ports[change.port]);
    }
}

}  // namespace weir
