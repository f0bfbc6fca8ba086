#include "weir/model/fabric/fabric.h"

#include <algorithm>
#include <map>

#include "weir/base/unit_text.h"
#include "weir/model/fabric/module_names.h"
#include "weir/model/flow_control/pfc_thresholds.h"
#include "weir/model/marking/marker.h"
#include "weir/model/memory/memory_organisation.h"
#include "weir/model/switch/block_kinds.h"

namespace weir::model {

static bool has_watchdog(const pfc_config& pfc) {
    return pfc.mode == flow_control_mode::pfc && pfc.watchdog != watchdog_action::off;
}

fabric::fabric(sc_core::sc_module_name name, const fabric_parameters& parameters, const topology& plan)
    : sc_module(name),
      m_parameters(parameters),
      m_ports(ports_of_links(plan, parameters.changes, parameters.wire_overhead)),
      m_plan(plan),
      m_domain("domain", m_clock),
      m_deadlocks(m_plan, m_switches, *parameters.team) {
    if (sc_core::sc_get_time_resolution() != sc_core::sc_time(1, sc_core::SC_PS) ||
        to_sc_time(12'345_ps) != sc_core::sc_time(12'345, sc_core::SC_PS)) {
        SC_REPORT_FATAL("/weir/fabric", "the kernel's time resolution must be 1 ps");
    }
    const bool literal = parameters.engine == engine_kind::literal;
    const std::vector<std::string> names = module_names(plan);
    const std::vector<host_id>& open = parameters.open_hosts;
    for (host_id h = 0; h < plan.hosts(); ++h) {
        m_hosts.emplace_back();
        if (!is_here(node_ref::of_host(h)) || std::find(open.begin(), open.end(), h) != open.end()) {
            continue;
        }
        host_parameters host;
        host.device = parameters.host;
        host.flow_control = parameters.flow_control;
        host.qcn = parameters.qcn;
        host.classes = parameters.device.classes;
        host.seed = parameters.seed;
        host.id = h;
        host.address = plan.address_of(h);
        host.telemetry = parameters.device.telemetry;
        host.literal_engine = literal;
        const node_ref self = node_ref::of_host(h);
        m_hosts.back() =
            std::make_unique<host_node>(names[h].c_str(), h, m_clock, m_ports[plan.ports(self)[0]], host);
        m_domain.add(*m_hosts.back());
    }
    switch_parameters device;
    static_cast<switch_setup&>(device) = parameters;
    device.seed = parameters.seed;
    device.literal_engine = literal;
    const bool needs_places = balance_policies()[parameters.device.balance].needs_levels;
    const std::vector<std::uint64_t> divisors =
        needs_places ? modulo_divisors(m_plan) : std::vector<std::uint64_t>{};
    for (switch_id s = 0; s < plan.switches(); ++s) {
        const node_ref self = node_ref::of_switch(s);
        m_switches.emplace_back();
        if (!is_here(self)) {
            continue;
        }
        m_own_switches.push_back(s);
        std::vector<port_config> ports;
        for (link_id link : plan.ports(self)) {
            const link_end far_end = plan.far_end(self, static_cast<unsigned>(ports.size()));
            ports.push_back(m_ports[link]);
            ports.back().to_switch = !far_end.node.is_host();
        }
        device.profiles = parameters.profiles.empty() ? shared_profiles{} : parameters.profiles[s];
        device.place = needs_places ? fabric_place{&m_plan, divisors[s]} : fabric_place{};
        m_switches.back() = std::make_unique<switch_node>(names[plan.node_index(self)].c_str(),
                                                          plan.node_index(self), m_clock, ports, device);
        m_domain.add(*m_switches.back());
    }
    connect();
    schedule_changes();
    for (const broken_adapter& adapter : parameters.broken_adapters) {
        if (m_hosts[adapter.host]) {
            m_hosts[adapter.host]->pause_partner(adapter.from, adapter.to, adapter.classes);
        }
    }
    if (has_watchdog(parameters.flow_control)) {
        on_deadlock([](const deadlock_report&) {});
    }
}

node* fabric::node_at(const node_ref& reference) {
    return reference.is_host() ? static_cast<node*>(m_hosts[reference.index].get())
                               : m_switches[reference.index].get();
}

// A host that is left open has no node: a foreign module is bound to its switch's port instead.
void fabric::connect() {
    if (!m_parameters.rank_of.empty()) {
        m_exchange = std::make_unique<frame_exchange>(*this, m_clock, team());
        m_domain.join(team(), *m_exchange);
    }
    for (link_id id = 0; id < m_plan.links().size(); ++id) {
        const topology_link& link = m_plan.link(id);
        if (is_here(link.a.node) != is_here(link.b.node)) {
            const bool has_a = is_here(link.a.node);
            connect_across(has_a ? link.a : link.b, has_a ? link.b : link.a, m_ports[id]);
            continue;
        }
        node* const a = node_at(link.a.node);
        node* const b = node_at(link.b.node);
        if (a != nullptr && b != nullptr) {
            a->output(link.a.port).connect(b->input(link.b.port));
            b->output(link.b.port).connect(a->input(link.a.port));
        }
    }
}

// Both ends of the fabric's links carry annexes, or none does.
void fabric::connect_across(const link_end& here, const link_end& there, const port_config& link) {
    node& own = *node_at(here.node);
    const unsigned rank = rank_of(there.node);
    own.output(here.port).connect(m_exchange->far_input(m_plan.node_index(there.node), rank, there.port, link,
                                                        m_parameters.device.telemetry));
    m_exchange->add(m_plan.node_index(here.node), own.input(here.port), rank);
    if (!here.node.is_host()) {
        m_deadlocks.add_cut_link(here);
    }
}

void fabric::schedule(const link_end& end, const link_change& change) {
    if (!is_here(end.node)) {
        wire_input* const far_input = m_exchange->find(m_plan.node_index(end.node), end.port);
        if (far_input != nullptr) {
            far_input->add_change(change);
        }
    } else if (!end.node.is_host()) {
        m_switches[end.node.index]->schedule(change);
    } else if (m_hosts[end.node.index]) {
        m_hosts[end.node.index]->schedule(change);
    }
}

// Both ends of a link change at the same instant; tables follow for all switches `reroute_delay` later.
void fabric::schedule_changes() {
    link_states up = all_links_up(m_plan);
    std::map<picoseconds, link_states> states;
    for (const fabric_change& change : in_order(m_parameters.changes)) {
        const topology_link& link = m_plan.link(change.link);
        for (const link_end& end : {link.a, link.b}) {
            const model::link_change at_end{change.at,
                                            end.port,
                                            change.up,
                                            change.rate,
                                            change.latency,
                                            change.frame_error_rate,
                                            change.bit_error_rate};
            schedule(end, at_end);
        }
        if (change.up) {
            up[change.link] = *change.up;
            states[change.at + m_parameters.reroute_delay] = up;
        }
    }
    for (const auto& [at, state] : states) {
        for_each_own_table(state, [&, when = at](switch_id s, route_table&& table) {
            m_switches[s]->schedule(route_change{when, std::move(table)});
        });
    }
}

template <class Visit>
void fabric::for_each_own_table(const link_states& up, Visit&& visit) const {
    for_each_route_table(m_plan, up, m_own_switches, [&](switch_id s, const route_table& computed) {
        route_table table = computed;
        add_static_routes(m_plan, m_parameters.routes, s, table);
        visit(s, std::move(table));
    });
}

void fabric::start_of_simulation() {
    for_each_own_table(all_links_up(m_plan),
                       [this](switch_id s, const route_table& table) { m_switches[s]->load_routes(table); });
}

void fabric::configure_run(engine_kind engine, picoseconds quantum, picoseconds end,
                           const thread_config& threads) {
    m_domain.configure(engine, quantum, end, longest_standstill(), threads);
    m_domain.set_longest_flight(longest_flight());
    if (m_parameters.flow_control.mode != flow_control_mode::none) {
        m_domain.look_every(deadlock_interval(), m_deadlocks);
    }
}

// From the first bit of a frame that is sent to its last one that arrives.
picoseconds fabric::longest_flight() const {
    picoseconds longest{0};
    picoseconds latency{0};
    bytes longest_frame{0};
    for (const port_config& port : m_ports) {
        longest_frame = std::max(longest_frame, m_parameters.device.max_frame + port.wire_overhead);
        latency = std::max(latency, port.longest_latency());
        longest = std::max(longest, transmission_time(longest_frame, port.rate));
    }
    for (const fabric_change& change : m_parameters.changes) {
        if (change.rate.count() > 0) {
            longest = std::max(longest, transmission_time(longest_frame, change.rate));
        }
    }
    return longest + latency;
}

// From a PFC frame's first bit until it is obeyed, on links that stay as they are.
picoseconds fabric::longest_pause_delay() const {
    picoseconds longest{0};
    for (const port_config& port : m_ports) {
        longest = std::max(longest,
                           transmission_time(pause_frame_bytes + port.wire_overhead, port.rate) + port.latency +
                               m_parameters.flow_control.response.value_or(default_response(port.rate)));
    }
    return longest;
}

// Of a shared memory, where the search for deadlocks rests on it: from a frame's first bit until it is stored.
picoseconds fabric::longest_way_into_memory() const {
    if (!organisation_of(m_parameters.device).is_shared) {
        return 0_ps;
    }
    picoseconds longest{0};
    for (const port_config& port : m_ports) {
        longest =
            std::max(longest, transmission_time(m_parameters.device.max_frame + port.wire_overhead, port.rate) +
                                  port.latency);
    }
    // In the FIFOs the frames of all ports wait for their lookups, one after the other, and then for banks.
    const switch_config& device = m_parameters.device;
    const std::int64_t waiting = (device.ingress_fifo.count() + 63) / 64 * max_ports;
    const picoseconds at_most = latest_time / 4;
    const picoseconds lookups =
        device.lookup_interval > at_most / waiting ? at_most : device.lookup_interval * waiting;
    return longest + device.lookup_delay + lookups + longest_sram_wait();
}

// XOFF holds no longer than its quanta at its link's rate unless it is refreshed, and a frame or an XON takes
// its own time, the link's latency, and XON the response time. A fabric that stands still for two such times,
// for a lookup that has to wait its turn, and for a rate limiter at its least rate, stands still for good.
picoseconds fabric::longest_standstill() const {
    const pfc_config& pfc = m_parameters.flow_control;
    const switch_config& device = m_parameters.device;
    // A module that is not ours may send any time that fits the frame.
    const pause_quanta quanta = m_parameters.open_hosts.empty() ? pfc.quanta : pfc_config::quanta_range.high;
    picoseconds longest{0};
    const auto consider = [&](bit_rate rate, picoseconds latency) {
        longest = std::max(longest, pause_time(quanta, rate) + transmission_time(device.max_frame, rate) +
                                        latency + pfc.response.value_or(default_response(rate)));
    };
    picoseconds latency{0};
    for (const port_config& port : m_ports) {
        latency = std::max(latency, port.longest_latency());
        consider(port.rate, port.longest_latency());
    }
    for (const fabric_change& change : m_parameters.changes) {
        if (change.rate.count() > 0) {
            consider(change.rate, latency);
        }
    }
    if (!m_parameters.broken_adapters.empty()) {
        return never;  // a stalled frame may be waiting for one of them
    }
    const picoseconds watchdog = !has_watchdog(pfc) ? 0_ps : pfc.watchdog_detection + 2 * pfc.watchdog_period();
    const bool limits = marker_kinds()[m_parameters.marking.kind].notifies;
    const picoseconds limiter =
        limits ? transmission_time(2 * device.max_frame, m_parameters.qcn.min_rate) : 0_ps;
    return 2 * longest + device.lookup_delay + device.lookup_interval + watchdog + limiter +
           longest_sram_wait();
}

// Behind everything else that may wait for the same bank.
picoseconds fabric::longest_sram_wait() const {
    const switch_config& device = m_parameters.device;
    if (!m_parameters.sram.is_limited()) {
        return 0_ps;
    }
    const bool shared = organisation_of(m_parameters.device).is_shared;
    const bytes most = shared ? device.ingress_fifo * max_ports : device.ingress_buffer;
    const cells frame = cells_of(device.max_frame, device.memory_cell);
    return m_parameters.sram.access_time * (2 * cells_of(most, device.memory_cell).count() + 2 * frame.count());
}

// The fast path updates occupancies and counters only when they are read; this brings all of them up to `now`.
void fabric::settle(picoseconds now) {
    for (node* n : m_domain.members()) {
        n->settle(now);
    }
    const violation broken = m_domain.first_violation();
    if (broken.time != never) {
        SC_REPORT_FATAL(violation_report_type, ("at " + to_text(broken.time) + ": " + broken.message).c_str());
    }
}

void fabric::restart_statistics_at(picoseconds at) {
    for (node* n : m_domain.members()) {
        n->restart_statistics_at(at);
    }
}

void fabric::log_causes(const cause_options& options) {
    for (auto& host : m_hosts) {
        if (host) {
            host->log_causes(options);
        }
    }
    for (const switch_id s : m_own_switches) {
        m_switches[s]->log_causes(options);
    }
}

// No frame anywhere: not in a node, and not on a link, where it is mail that its receiver has not read.
bool fabric::is_empty() const {
    const std::vector<node*>& nodes = m_domain.members();
    return std::none_of(nodes.begin(), nodes.end(),
                        [](const node* n) { return n->has_new_mail() || n->frames_held() != 0; });
}

}  // namespace weir::model
