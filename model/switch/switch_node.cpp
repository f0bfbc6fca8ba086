#include "weir/model/switch/switch_node.h"

#include <utility>

#include "weir/model/memory/memory_organisation.h"

namespace weir::model {

/// More frames than that are sorted before they are taken: measured (docs/performance.md).
static constexpr std::size_t many_arrivals = 40;
/// Of those, so many for each port are taken at once.
static constexpr std::size_t few_arrivals = 4;

static switch_parameters adapted_to_memory(switch_parameters parameters, std::size_t ports) {
    if (const auto adapt = organisation_of(parameters.device).adapt; adapt != nullptr) {
        adapt(parameters, ports);
    }
    return parameters;
}

switch_node::switch_node(sc_core::sc_module_name name, unsigned index, const simulation_clock& clock,
                         const std::vector<port_config>& ports, const switch_parameters& parameters)
    : node(name, index, clock, ports), m_path(*this, ports, adapted_to_memory(parameters, ports.size())) {
    const pfc_config& flow_control = m_path.parameters.flow_control;
    set_next_key(m_path.instant.events.next_key());
    if (m_path.frames.has_annexes()) {
        carry_annexes();
    }
    m_path.organisation = organisation_of(m_path.parameters.device).make(m_path);
    m_path.flow_control = std::make_unique<mac_driver>(flow_control.mode, m_path);
    m_path.queues = queue_manager::make(m_path.parameters, index, ports, *m_path.organisation, m_path);
    if (watchdog_driver::is_configured(flow_control)) {
        m_path.watchdog = std::make_unique<watchdog_driver>(flow_control, m_path);
        m_path.instant.events.schedule(flow_control.watchdog_period(), switch_stages::watchdog, 0, 0);
    }
}

const frame_annex* switch_node::leaving_annex(unsigned port) const {
    const frame_slot slot = m_path.ports[port].sending.frame;
    return slot != no_slot && m_path.frames.has_annexes() ? &m_path.frames.annex(slot) : nullptr;
}

// --- events -----------------------------------------------------------------------------------------------

void switch_node::advance() {
    if (m_path.rules.is_direct) {
        run_inlined<direct_path>();
    } else if (m_has_own_blocks) {
        run_inlined<own_path>();
    } else {
        run<general_path>();
    }
}

template <class Path>
picoseconds switch_node::take_few() {
    return take_window(
        few_arrivals * m_path.rules.ports,
        [this](const wire_arrival& arrival) { m_path.accept<Path>(arrival); },
        [this](const wire_arrival& arrival, std::uint32_t others) {
            m_path.fetch_for_arrival<Path>(arrival, others);
        });
}

void switch_node::prefetch_parts() const {
    if (m_path.rules.is_direct) {
        prefetch_lines<2>(m_path.blocks.lookup.own());
        prefetch_lines<3>(m_path.blocks.ingress.own());
        prefetch_lines<3>(m_path.blocks.egress.own());
        prefetch_line(m_path.blocks.arbiter.own());
        m_path.instant.events.prefetch();
        m_path.frames.prefetch_places();
        m_path.prefetch_free_ports();
        m_path.prefetch_selection();
    }
}

// Arrivals first, then all events before the end of the quantum, instant by instant. One function: separate
// calls would cost a frame a hundred instructions for saving registers.
template <class Path>
void switch_node::run_inlined() {
    run<Path>();
}

template <class Path>
void switch_node::run() {
    m_path.fetch_for_events<Path>();
    const bool all_taken = take_mail(
        many_arrivals, [this](const wire_arrival& arrival) { m_path.accept<Path>(arrival); },
        [this](const wire_arrival& arrival, std::uint32_t others) {
            m_path.fetch_for_arrival<Path>(arrival, others);
        });
    m_path.instant.run_end = __builtin_expect(all_taken, 1) ? m_clock.end : take_few<Path>();
    m_path.fetch_for_departures<Path>();
    for (;;) {
        const event_key end = first_key_at(m_path.instant.run_end);
        while (m_path.instant.events.next_key() < end) {
            m_path.instant.now = m_path.instant.events.next_time();
            m_path.instant.last_key = last_key_with(m_path.instant.events.next_key());
            do {
                dispatch_next<Path>();
                ++m_events;
            } while (m_path.instant.events.next_key() <= m_path.instant.last_key);
            if (m_path.instant.is_unfinished) {
                finish_instant<Path>();
            }
            if (Path::is_observed && m_path.probe != nullptr) {
                m_path.probe->after_instant(m_path.instant.now, next_time());
            }
        }
        if (__builtin_expect(m_path.instant.run_end == m_clock.end, 1)) {
            return;
        }
        m_path.instant.run_end = take_few<Path>();
    }
}

template <class Path>
void switch_node::dispatch_next() {
    if (Path::all_are_events) {
        dispatch<Path>(m_path.instant.events.pop());
        return;
    }
    // In the order of how often they come; a table of jumps costs more.
    const event_key key = m_path.instant.events.next_key();
    const unsigned stage = stage_of(key);
    if (stage == switch_stages::transfer_done) {
        m_path.on_crossed<Path>(m_path.instant.events.pop_of<switch_stages::transfer_done>());
    } else if (stage == switch_stages::lookup_done) {
        m_path.on_lookup_done<Path>(port_of(key), m_path.instant.events.pop_of<switch_stages::lookup_done>());
    } else if (stage == switch_stages::transmit_done) {
        m_path.instant.events.pop_of<switch_stages::transmit_done>();
        m_path.on_transmit_done<Path>(port_of(key));
    } else if (stage == switch_stages::slot) {
        m_path.instant.events.pop_of<switch_stages::slot>();
        m_path.on_slot<Path>();
    } else {
        dispatch_rare<Path>();
    }
}

template <class Path>
void switch_node::dispatch_rare() {
    dispatch<Path>(m_path.instant.events.pop());
}

template <class Path>
void switch_node::dispatch(const event& e) {
    switch (e.stage()) {
        case switch_stages::transfer_done:
            return m_path.rules.crosses_plainly ? m_path.on_crossed<Path>(e.payload)
                                                : m_path.organisation->transferred(e.payload);
        case switch_stages::lookup_done:
            return m_path.on_lookup_done<Path>(e.port(), e.payload);
        case switch_stages::transmit_done:
            return m_path.on_transmit_done<Path>(e.port());
        case switch_stages::memory_read:
            return m_path.instant.transmit_later(m_path.ports[e.port()]);
        case switch_stages::slot:
            return m_path.on_slot<Path>();
        case switch_stages::arrival:
            return m_path.on_arrival<Path>(e.port(), e.payload);
        case switch_stages::pause_effect:
            return on_pause_effect(e.port(), e.payload);
        case switch_stages::pause_expiry:
            return m_path.flow_control->expire(e.port());
        case switch_stages::pause_refresh:
            return m_path.flow_control->look(e.port(), e.payload);
        case switch_stages::control:
            return on_control();
        case switch_stages::watchdog:
            return on_watchdog();
        case switch_stages::own_lookup_done:
            return m_path.on_own_lookup_done();
        case switch_stages::warmup_end:
            if (e.payload != first_instant) {
                restart_statistics();
            }
            return;
    }
}

// Every port marked as pending picks a frame, then the arbiter runs: once per instant, after all of its events.
template <class Path>
void switch_node::finish_instant() {
    m_path.instant.is_unfinished = false;
    for (unsigned i = 0; i < m_path.instant.transmit_count; ++i) {
        switch_port& p = m_path.ports[m_path.instant.transmit_pending[i]];
        p.sending.pending = false;
        m_path.transmit<Path>(p);
    }
    m_path.instant.transmit_count = 0;
    m_path.finish_requests<Path>();
}

void switch_node::on_pause_effect(unsigned port, frame_slot slot) {
    const ethernet_frame& frame = m_path.frames.frame(slot);
    const bool heeds_all = m_path.watchdog == nullptr || frame.kind == frame_kind::pause;
    m_path.flow_control->take_effect(port, frame.kind,
                                     heeds_all ? frame.pause : m_path.watchdog->heard(port, frame.pause));
    m_path.frames.release(slot);
    --m_path.balance.control_frames;
}

void switch_node::on_watchdog() {
    m_path.watchdog->look();
    const picoseconds next = m_path.instant.now + m_path.parameters.flow_control.watchdog_period();
    if (next <= latest_time) {
        m_path.instant.events.schedule(next, switch_stages::watchdog, 0, 0);
    }
}

const std::vector<watchdog_event>& switch_node::watchdog_events() const {
    static const std::vector<watchdog_event> none;
    return m_path.watchdog != nullptr ? m_path.watchdog->events() : none;
}

// --- changes by configuration -----------------------------------------------------------------------------

void switch_node::schedule(route_change change) {
    const picoseconds at = change.at;
    add_control(at, {std::make_unique<route_change>(std::move(change)), {}});
}

void switch_node::schedule(const link_change& change) {
    expect_change(change);
    switch_port& p = m_path.ports[change.port];
    p.impaired = p.inspects_arrivals = p.arrivals_are_events = true;
    add_control(change.at, {nullptr, change});
}

// One event applies all changes of its instant in the order in which they were given.
void switch_node::add_control(picoseconds at, control_action action) {
    std::vector<control_action>& instant = m_controls[at];
    if (instant.empty()) {
        m_path.instant.events.schedule(at, switch_stages::control, 0, 0);
    }
    instant.push_back(std::move(action));
}

void switch_node::on_control() {
    for (const control_action& action : m_controls[m_path.instant.now]) {
        if (action.routes) {
            m_path.blocks.lookup->load(action.routes->routes);
            continue;
        }
        const link_change& change = action.link;
        output(change.port).apply(change);
        m_path.flow_control->change_link(change);
        m_path.note_link(change.port);
    }
}

}  // namespace weir::model
