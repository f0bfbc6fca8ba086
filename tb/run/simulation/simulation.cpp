#include "tb/run/simulation/simulation.h"

#include <algorithm>
#include <tuple>

#include "tb/asic/profiles/read_profiles.h"
#include "tb/run/checks/rtl_blocks.h"
#include "tb/run/options/run_traits.h"
#include "tb/run/ranks/rank_session.h"
#include "tb/run/results/results_collector.h"
#include "tb/support/process/ending_signals.h"
#include "weir/model/host/nic_queues.h"
#include "weir/model/overflow/overflow_action.h"
#include "weir/traffic/apps/make_workload.h"
#include "weir/traffic/congestion/congestion_kinds.h"

namespace weir::tb {

fabric_parameters fabric_parameters_of(const run_config& config, const built_topology& topology) {
    fabric_parameters p;
    static_cast<switch_setup&>(p) = config;
    p.profiles = topology.profiles;
    p.host = config.host;
    if (!p.host.nic) {
        p.host.nic = default_nic(config.has_voqs(), uses_transport(config, &transport_traits::is_fetched));
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

/// The longest of a full frame and its ACK, of the transports that ask for it. 0: none of the run does.
static picoseconds round_trip_of(const run_config& config, const topology& plan) {
    const ideal_delays delays = ideal_delays_of(config, shortest_lookup(config, plan));
    picoseconds longest{0};
    for (std::size_t kind = 0; kind < delays.size(); ++kind) {
        const auto transport = static_cast<transport_kind>(kind);
        if (transports()[transport].reads_round_trip && config.traffic.uses(transport)) {
            unloaded_delays own = delays[kind];
            own.stack_out = config.host.stack_out;  // the mean of what is drawn, not the least
            own.stack_in = config.host.stack_in;
            longest = std::max(longest, unloaded_paths(plan, own).longest_round_trip(
                                            own.frame_length(own.segment_payload), own.frame_length(0_B)));
        }
    }
    return longest;
}

static fabric_parameters fabric_parameters_of(const run_config& config, const built_topology& topology,
                                              rank_team& team, std::vector<std::uint32_t> rank_of) {
    fabric_parameters p = fabric_parameters_of(config, topology);
    p.team = &team;
    p.rank_of = std::move(rank_of);
    return p;
}

simulation::simulation(const run_config& config, const built_topology& topology, const workload_inputs& inputs,
                       trace_feed* trace, rank_team& team, std::vector<std::uint32_t> rank_of)
    : m_config(config),
      m_trace(trace),
      m_plan(std::make_shared<const workload_plan>(config.traffic, topology.plan.hosts(), config.run.seed,
                                                   inputs)),
      m_triggers(m_plan->inputs().triggers),
      m_triggers_across_hosts(inputs.triggers_across_hosts),
      m_fabric("fabric", fabric_parameters_of(config, topology, team, std::move(rank_of)), topology.plan),
      m_rtl(config, topology, m_fabric),
      m_quantum(config.run.quantum == picoseconds{0} ? m_fabric.lookahead() : config.run.quantum) {
    const host_id hosts = m_fabric.hosts();
    endpoint_options options = endpoint_options_of(config);
    options.addresses = &m_fabric;
    options.round_trip = round_trip_of(config, topology.plan);
    options.wire_overhead = config.link.wire_overhead;
    options.seed = config.run.seed;
    options.logs_segments = config.output.segments;
    if (!config.tcp.congestion && marks_frames(config, topology)) {  // where switches mark, hosts listen
        options.tcp.congestion = default_congestion(true);
    }
    const auto shared_options = std::make_shared<const endpoint_options>(options);
    m_trace_apps.resize(trace != nullptr ? hosts : 0);
    for (host_id h = 0; h < hosts; ++h) {
        m_endpoints.emplace_back();
        m_detours.emplace_back();
        if (m_fabric.host(h) == nullptr) {
            continue;
        }
        m_own_hosts.push_back(h);
        m_endpoints.back() = std::make_unique<traffic_endpoint>(shared_options);
        application_list applications = make_workload(m_plan, h, m_fabric.host(h)->output(0).rate());
        if (trace != nullptr) {
            m_trace_apps[h] = find_trace_app(applications);
        }
        for (auto& application : applications) {
            m_endpoints.back()->add(std::move(application));
        }
        if (overflow_kinds()[config.device.overflow].detours) {
            m_detours.back() = std::make_unique<detour_counter>(*m_endpoints.back());
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
    m_fabric.engine().rethrow_failure();
    if (m_failure && !m_other_failed) {
        std::rethrow_exception(m_failure);
    }
    if (m_other_failed) {
        throw ended_by_other_rank();
    }
    m_simulated = end_of_run();
}

picoseconds simulation::end_of_run() {
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
    std::int64_t last = m_fabric.last_activity().count();
    for (const host_id h : m_own_hosts) {
        last = std::max(last, m_endpoints[h]->last_job_end().count());
    }
    m_fabric.team().agree(&last, 1);
    return picoseconds{last};
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
    if (!overflow_kinds()[m_config.device.overflow].detours) {
        return pointers;
    }
    for (const auto& counter : m_detours) {
        pointers.push_back(counter.get());
    }
    return pointers;
}

void simulation::hand_over(const trace_flow& flow) {
    if (flow.fires_received != no_trigger && m_trace_apps[flow.dst] != nullptr) {
        m_trace_apps[flow.dst]->expect(flow);
    }
    if (m_trace_apps[flow.src] == nullptr) {
        return;
    }
    m_trace_apps[flow.src]->add(flow);
    if (m_trace_apps[flow.src]->next_start() != never) {
        m_fabric.host(flow.src)->wake_endpoint_at(m_trace_apps[flow.src]->next_start());
    }
}

void simulation::feed(picoseconds until) {
    m_next_flow = m_next_triggered = never;
    try {
        if (!m_failure) {
            feed_flows(until);
        }
    } catch (...) {
        m_failure = std::current_exception();
    }
}

picoseconds simulation::next_input() const {
    return std::min(m_next_flow, m_next_triggered);
}

namespace {

/// Places in `rank_state`. has_failed: greatest at the lowest rank of those that have failed; 0 if it has not.
enum { is_busy, has_failed, signal_number, trigger_fired };

/// Ranks that read the same broken trace have the same failure: one says it.
std::int64_t failure_mark(const rank_team& team) {
    return static_cast<std::int64_t>(team.size()) - team.rank();
}

}  // namespace

simulation::rank_state simulation::state() {
    rank_state own{};
    const bool has_duration = m_config.run.duration != picoseconds{0};
    try {
        own[is_busy] = !m_failure && !has_duration && !traffic_is_over() ? 1 : 0;
    } catch (...) {
        m_failure = std::current_exception();
    }
    own[has_failed] = m_failure ? failure_mark(m_fabric.team()) : 0;
    own[signal_number] = signal_guard::received();
    own[trigger_fired] = m_triggers_across_hosts && any_trigger_fired() ? 1 : 0;
    return own;
}

bool simulation::at_barrier(picoseconds time, const rank_state& greatest) {
    if (greatest[has_failed] != 0) {
        m_other_failed = greatest[has_failed] != failure_mark(m_fabric.team());
        return false;
    }
    try {
        m_signal = static_cast<int>(greatest[signal_number]);
        return goes_on(time, greatest[is_busy] == 0, greatest[trigger_fired] != 0);
    } catch (...) {
        m_failure = std::current_exception();
        return false;
    }
}

void simulation::feed_flows(picoseconds until) {
    if (m_trace == nullptr) {
        return;
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
    m_next_flow = flow == nullptr ? never : flow->start;
}

bool simulation::any_trigger_fired() const {
    return std::any_of(m_own_hosts.begin(), m_own_hosts.end(),
                       [this](host_id h) { return !m_trace_apps[h]->firings().empty(); });
}

// Triggers that fired in this quantum start flows of other hosts a declared delay later.
void simulation::pass_on_triggers() {
    struct firing {
        picoseconds time;
        host_id host;
        trigger_id trigger;
    };
    std::vector<firing> fired;
    for (const host_id h : m_own_hosts) {
        for (const trigger_firing& each : m_trace_apps[h]->firings()) {
            fired.push_back({each.time, h, each.trigger});
        }
        m_trace_apps[h]->clear_firings();
    }
    fired = shared(m_fabric.team(), std::move(fired));
    std::stable_sort(fired.begin(), fired.end(), [](const firing& a, const firing& b) {
        return std::tie(a.time, a.host) < std::tie(b.time, b.host);
    });
    for (const firing& each : fired) {
        std::vector<trace_flow> starting;
        m_triggers.fire(each.trigger, starting);
        for (trace_flow& flow : starting) {
            flow.start = each.time + flow.trigger_delay;
            flow.trigger = no_trigger;
            m_next_triggered = std::min(m_next_triggered, flow.start);
            hand_over(flow);
        }
    }
}

bool simulation::goes_on(picoseconds time, bool is_over, bool has_fired) {
    if (has_fired) {
        pass_on_triggers();
    }
    m_at_barrier(time);
    if (m_signal != 0) {
        return false;
    }
    const bool has_duration = m_config.run.duration != picoseconds{0};
    m_complete = has_duration ? time >= m_config.run.duration : is_over;
    if (m_complete) {
        return has_duration;  // the domain's own end
    }
    if (m_precision != nullptr && time >= m_precision->next_look()) {
        // Values come to one rank.
        const bool known_here = m_precision->look(time);
        m_complete = on_any(m_fabric.team(), known_here);
        m_known_at = m_complete ? time : never;
    }
    return !m_complete;
}

picoseconds simulation::next_barrier() const {
    return m_precision != nullptr && m_known_at == never ? m_precision->next_look() : never;
}

// Nothing more will be sent, by this rank's hosts. Once this holds it holds for good, so the barrier at which
// it is found has no influence on any result.
bool simulation::traffic_is_over() {
    if (m_trace != nullptr && m_trace->next() != nullptr) {
        return false;
    }
    if (m_triggers_across_hosts && m_triggers.waiting() != 0) {
        return false;
    }
    for (std::size_t checked = 0; checked < m_own_hosts.size(); ++checked) {
        const traffic_endpoint& e = *m_endpoints[m_own_hosts[m_still_busy]];
        if (!e.exhausted() || e.flows_open() != 0) {
            return false;
        }
        m_still_busy = (m_still_busy + 1) % m_own_hosts.size();
    }
    return m_fabric.is_empty();
}

}  // namespace weir::tb
