// One simulation: fabric, endpoints and workload put together from a configuration, and run.
//
// The SystemC kernel can be elaborated once in a process, so there is one simulation in a process.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "tb/run/checks/rtl_blocks.h"
#include "tb/run/options/run_config.h"
#include "tb/run/results/precision_watch.h"
#include "tb/run/setup/trace_feed.h"
#include "tb/run/tables/detour_counter.h"
#include "tb/run/topology/build_topology.h"
#include "weir/model/fabric/fabric.h"
#include "weir/traffic/apps/trace_app.h"
#include "weir/traffic/apps/workload_plan.h"
#include "weir/traffic/host/traffic_endpoint.h"

namespace weir::tb {

class simulation : private barrier_observer {
 public:
    /// `topology`, `trace` (null without one) and the team outlive this. `rank_of`: as fabric_parameters.
    simulation(const run_config& config, const built_topology& topology, const workload_inputs& inputs,
               trace_feed* trace, rank_team& team = lone_rank::team(), std::vector<std::uint32_t> rank_of = {});

    /// Called at each barrier with the time that all nodes have reached.
    using barrier_call = std::function<void(picoseconds)>;

    /// Before the run: it ends as soon as `watch`, which outlives it, has seen enough. `at_barrier` is called
    /// with a time of a look before it looks.
    void end_by(precision_watch& watch) { m_precision = &watch; }

    /// Runs to the end, or until a signal has come to some rank (ending_signals.h). Throws sc_core::sc_report
    /// where an invariant breaks, and what `at_barrier` or the trace has thrown, which ends the run at the next
    /// barrier.
    void run(barrier_call at_barrier);
    /// The signal that has ended the run, or 0.
    int interrupted() const { return m_signal; }

    /// The run came to its own end.
    bool complete() const { return m_complete; }
    /// What `summary.json` calls simulated_ns: the configured duration, the time at which figures were known
    /// well enough, or the time of the last frame or of the last job's end.
    picoseconds simulated() const { return m_simulated; }

    fabric& network() { return m_fabric; }
    const rtl_blocks& rtl() const { return m_rtl; }
    /// By host; null where another rank has it, as the next.
    std::vector<traffic_endpoint*> endpoints() const;
    /// By host, where switches detour; else empty.
    std::vector<const detour_counter*> detours() const;
    /// Flows of a trace that wait for a trigger of another host.
    std::size_t flows_waiting() const { return m_triggers_across_hosts ? m_triggers.waiting() : 0; }
    picoseconds quantum() const { return m_quantum; }

 private:
    void feed(picoseconds until) override;
    picoseconds next_input() const override;
    rank_state state() override;
    bool at_barrier(picoseconds time, const rank_state& greatest) override;
    picoseconds next_barrier() const override;
    void feed_flows(picoseconds until);
    bool goes_on(picoseconds time, bool is_over, bool has_fired);
    bool traffic_is_over();
    picoseconds end_of_run();
    void hand_over(const trace_flow& flow);
    bool any_trigger_fired() const;
    void pass_on_triggers();

    const run_config& m_config;
    trace_feed* m_trace;
    std::shared_ptr<const workload_plan> m_plan;
    trigger_board m_triggers;
    bool m_triggers_across_hosts;
    fabric m_fabric;
    rtl_blocks m_rtl;
    picoseconds m_quantum;
    std::vector<std::unique_ptr<traffic_endpoint>> m_endpoints;
    std::vector<std::unique_ptr<detour_counter>> m_detours;
    std::vector<trace_app*> m_trace_apps;
    /// Hosts of this rank; what is kept by host is null for the others.
    std::vector<host_id> m_own_hosts;
    barrier_call m_at_barrier;
    precision_watch* m_precision = nullptr;
    /// When figures were known well enough; `never`: not yet.
    picoseconds m_known_at = never;
    /// Of the trace, and of what triggers have started since the last call of `feed`.
    picoseconds m_next_flow = never;
    picoseconds m_next_triggered = never;
    picoseconds m_simulated{0};
    int m_signal = 0;
    /// Place in `m_own_hosts`.
    std::size_t m_still_busy = 0;
    bool m_complete = false;
    /// Thrown inside the kernel's process, where it would be reported as uncaught.
    std::exception_ptr m_failure;
    bool m_other_failed = false;
};

fabric_parameters fabric_parameters_of(const run_config& config, const built_topology& topology);

}  // namespace weir::tb
