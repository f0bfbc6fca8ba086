#include "tb/run/simulation.h"

#include <algorithm>
#include <tuple>

#include "tb/results/results_collector.h"
#include "tb/setup/rtl_blocks.h"
#include "tb/shared/read_profiles.h"
#include "weir/traffic/apps/make_workload.h"

namespace weir::tb {

fabric_parameters fabric_parameters_of(const run_config& config, const built_topology& topology) {
    fabric_parameters p;
    static_cast<switch_setup&>(p) = config;
    p.profiles = topology.profiles;
    p.host = config.host;
    if (!p.host.nic) {
        const bool fetches = config.traffic.uses_roce() || config.traffic.uses_pfabric();
        p.host.nic = config.has_voqs() ? nic_kind::voq : fetches ? nic_kind::rdma : nic_kind::class_queues;
    }
    p.wire_overhead = config.link.wire_overhead;
    p.seed = config.run.seed;
    p.engine = config.run.engine;
    p.changes = topology.changes;
    p.routes = topology.routes;
    p.broken_adapters = topology.broken_adapters;
    p.reroute_delay = config.fabric.reroute_delay;
    return p;
}

/// The longest of a full frame of pFabric's and its ACK.
static picoseconds round_trip_of(const run_config& config, const topology& plan) {
    const ideal_delays delays = ideal_delays_of(config, shortest_lookup(config, plan));
    unloaded_delays own = delays[static_cast<std::size_t>(transport_kind::pfabric)];
    own.stack_out = config.host.stack_out;  // the mean of what is drawn, not the least
    own.stack_in = config.host.stack_in;
    return unloaded_paths(plan, own).longest_round_trip(own.frame_length(own.segment_payload),
                                                        own.frame_length(0_B));
}

simulation::simulation(const run_config& config, const built_topology& topology, const workload_inputs& inputs,
                       trace_feed* trace)
    : m_config(config),
      m_trace(trace),
      m_plan(std::make_shared<const workload_plan>(config.traffic, topology.plan.hosts(), config.run.seed,
                                                   inputs)),
      m_triggers(m_plan->inputs().triggers),
      m_triggers_across_hosts(inputs.triggers_across_hosts),
      m_fabric("fabric", fabric_parameters_of(config, topology), topology.plan),
      m_rtl(config, topology, m_fabric),
      m_quantum(config.run.quantum == picoseconds{0} ? m_fabric.lookahead() : config.run.quantum) {
    const host_id hosts = m_fabric.hosts();
    endpoint_options options;
    options.addresses = &m_fabric;
    options.tcp = config.tcp;
    options.udp = config.udp;
    options.roce = config.roce;
    options.pfabric = config.pfabric;
    if (config.traffic.uses_pfabric()) {
        options.round_trip = round_trip_of(config, topology.plan);
    }
    options.wire_overhead = config.link.wire_overhead;
    options.seed = config.run.seed;
    options.logs_segments = config.output.segments;
    if (!config.tcp.congestion && marks_frames(config, topology)) {  // where switches mark, hosts listen
        options.tcp.congestion = congestion_kind::newreno_ecn;
    }
    const auto shared_options = std::make_shared<const endpoint_options>(options);
    for (host_id h = 0; h < hosts; ++h) {
        m_endpoints.push_back(std::make_unique<traffic_endpoint>(shared_options));
        application_list applications = make_workload(m_plan, h, m_fabric.host(h)->output(0).rate());
        if (trace != nullptr) {
            m_trace_apps.push_back(find_trace_app(applications));
        }
        for (auto& application : applications) {
            m_endpoints.back()->add(std::move(application));
        }
        if (config.device.overflow == overflow_kind::detour) {
            m_detours.push_back(std::make_unique<detour_counter>(*m_endpoints.back()));
            m_fabric.host(h)->run(*m_detours.back());
        } else {
            m_fabric.host(h)->run(*m_endpoints.back());
        }
    }
    m_fabric.engine().set_observer(*this);
    // Traffic that never ends (a link that stays cut) ends with the longest run.
    const picoseconds end = config.run.duration == picoseconds{0} ? longest_time : config.run.duration;
    m_fabric.configure_run(config.run.engine, m_quantum, end, {config.run.threads, config.run.thread_grain});
    if (config.run.warmup > picoseconds{0}) {
        m_fabric.restart_statistics_at(config.run.warmup);
    }
}

void simulation::run(barrier_call at_barrier) {
    m_at_barrier = std::move(at_barrier);
    sc_core::sc_start();
    if (m_failure) {
        std::rethrow_exception(m_failure);
    }
}

picoseconds simulation::simulated() const {
    if (m_known_at != never) {
        return m_known_at;
    }
    if (m_complete && m_config.run.duration > picoseconds{0}) {
        return m_config.run.duration;
    }
    if (!m_complete) {
        return m_fabric.reached();
    }
    // A program may end with a computation.
    picoseconds last = m_fabric.last_activity();
    for (const auto& endpoint : m_endpoints) {
        last = std::max(last, endpoint->last_job_end());
    }
    return last;
}

std::vector<traffic_endpoint*> simulation::endpoints() const {
    std::vector<traffic_endpoint*> pointers;
    for (const auto& e : m_endpoints) {
        pointers.push_back(e.get());
    }
    return pointers;
}

std::vector<const detour_counter*> simulation::detours() const {
    std::vector<const detour_counter*> pointers;
    for (const auto& counter : m_detours) {
        pointers.push_back(counter.get());
    }
    return pointers;
}

void simulation::hand_over(const trace_flow& flow) {
    m_trace_apps[flow.src]->add(flow);
    if (flow.fires_received != no_trigger) {
        m_trace_apps[flow.dst]->expect(flow);
    }
    if (m_trace_apps[flow.src]->next_start() != never) {
        m_fabric.host(flow.src)->wake_endpoint_at(m_trace_apps[flow.src]->next_start());
    }
}

picoseconds simulation::feed(picoseconds until) {
    try {
        return m_failure ? never : feed_flows(until);
    } catch (...) {
        m_failure = std::current_exception();
        return never;
    }
}

bool simulation::at_barrier(picoseconds time) {
    try {
        return !m_failure && goes_on(time);
    } catch (...) {
        m_failure = std::current_exception();
        return false;
    }
}

picoseconds simulation::feed_flows(picoseconds until) {
    if (m_trace == nullptr) {
        return never;
    }
    const trace_flow* flow = m_trace->next();
    for (; flow != nullptr && flow->start < until; flow = m_trace->next()) {
        if (flow->trigger != no_trigger && m_triggers_across_hosts) {
            m_triggers.wait(*flow);
        } else {
            hand_over(*flow);
        }
        m_trace->pop();
    }
    return flow == nullptr ? never : flow->start;
}

// Triggers that fired in this quantum start flows of other hosts a declared delay later.
void simulation::pass_on_triggers() {
    std::vector<std::tuple<picoseconds, host_id, trigger_id>> fired;
    for (host_id h = 0; h < m_trace_apps.size(); ++h) {
        for (const trigger_firing& firing : m_trace_apps[h]->firings()) {
            fired.emplace_back(firing.time, h, firing.trigger);
        }
        m_trace_apps[h]->clear_firings();
    }
    std::stable_sort(fired.begin(), fired.end(), [](const auto& a, const auto& b) {
        return std::tie(std::get<0>(a), std::get<1>(a)) < std::tie(std::get<0>(b), std::get<1>(b));
    });
    for (const auto& [time, host, trigger] : fired) {
        std::vector<trace_flow> starting;
        m_triggers.fire(trigger, starting);
        for (trace_flow& flow : starting) {
            flow.start = time + flow.trigger_delay;
            flow.trigger = no_trigger;
            hand_over(flow);
        }
    }
}

bool simulation::goes_on(picoseconds time) {
    if (m_triggers_across_hosts) {
        pass_on_triggers();
    }
    if (!m_at_barrier(time)) {
        return false;
    }
    const bool has_duration = m_config.run.duration != picoseconds{0};
    m_complete = has_duration ? time >= m_config.run.duration : traffic_is_over();
    if (m_complete) {
        return has_duration;  // the domain's own end
    }
    if (m_precision != nullptr && time >= m_precision->next_look() && m_precision->look(time)) {
        m_known_at = time;
        m_complete = true;
    }
    return !m_complete;
}

picoseconds simulation::next_barrier() const {
    return m_precision != nullptr && m_known_at == never ? m_precision->next_look() : never;
}

// Nothing more will be sent. Once this holds it holds for good, so the barrier at which it is found has no
// influence on any result.
bool simulation::traffic_is_over() {
    if (m_trace != nullptr && m_trace->next() != nullptr) {
        return false;
    }
    if (m_triggers_across_hosts && m_triggers.waiting() != 0) {
        return false;
    }
    for (std::size_t checked = 0; checked < m_endpoints.size(); ++checked) {
        const traffic_endpoint& e = *m_endpoints[m_still_busy];
        if (!e.exhausted() || e.flows_open() != 0) {
            return false;
        }
        m_still_busy = (m_still_busy + 1) % m_endpoints.size();
    }
    return m_fabric.is_empty();
}

}  // namespace weir::tb
