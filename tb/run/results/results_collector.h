// Gathers what hosts report during a run, and writes the run's tables and its summary.
//
//   results_collector collector(directory, config, topology, network, endpoints, tags,
//                               ideal_delays_of(config, config.device.lookup_delay));
//   collector.take(time);                 // at barriers: any of them, as often as memory asks for
//   run_summary summary = collector.finish(true, end);
//
// Lines come in the order of completion, by (time, host), whatever the quantum and whenever `take` was called.
// Transfers and jobs that started before the end of the warm-up are counted as started and completed, and
// appear nowhere else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tb/run/completions/completion_statistics.h"
#include "tb/run/completions/flow_joiner.h"
#include "tb/run/completions/ideal_times.h"
#include "tb/run/completions/unfinished_transfers.h"
#include "tb/run/results/precision_watch.h"
#include "tb/run/results/run_verdict.h"
#include "tb/run/results/split_metrics.h"
#include "tb/run/results/summary_writer.h"
#include "tb/run/samples/limit_timeline.h"
#include "tb/run/samples/port_series.h"
#include "tb/run/samples/rank_logs.h"
#include "tb/run/samples/sample_tables.h"
#include "tb/run/samples/sender_tables.h"
#include "tb/run/tables/completion_lines.h"
#include "tb/run/tables/flow_rates.h"
#include "tb/run/tables/program_result.h"
#include "tb/run/tables/segment_tables.h"
#include "tb/support/files/run_directory.h"
#include "tb/support/record/record_table.h"
#include "weir/model/analysis/cause_log.h"
#include "weir/model/fabric/fabric.h"
#include "weir/traffic/host/traffic_endpoint.h"

namespace weir::tb {

struct built_topology;
struct run_results;

using weir::to_text;

class results_collector {
 public:
    /// Before the run. Begins flows.csv and jobs.csv, and has nodes take samples if asked to. `endpoints[h]`
    /// runs on host h, or is null; all arguments that are references outlive the collector. `ideal_ranks`: of a
    /// parallel program, by rank (program_result.h); empty: there is none.
    results_collector(const run_directory& directory, const run_config& config, const built_topology& topology,
                      fabric& made, std::vector<traffic_endpoint*> endpoints, std::vector<std::string> tags,
                      const ideal_delays& delays, const std::vector<picoseconds>& ideal_ranks = {});

    /// Before the run: by host, where switches detour. They outlive this.
    void count_detours(std::vector<const detour_counter*> counters) { m_detours = std::move(counters); }

    /// Before the run: writes windows.csv and rates.csv of these hosts.
    void watch_senders(const std::vector<host_id>& windows, const std::vector<host_id>& rates) {
        m_senders.watch(windows, rates, m_config.output.occupancy_interval);
    }

    /// Before the run: writes port_series.csv and pool_series.csv of these nodes, which are places among all.
    void watch_ports(const std::vector<std::uint32_t>& nodes) {
        m_series.watch(nodes, m_config.output.occupancy_interval);
    }

    /// At barriers: now and then takes the logs of all hosts, and always at the looks of `precision`. `time`:
    /// all nodes have reached it. Throws output_error, as the next.
    void take(picoseconds time) {
        if (++m_barriers % barriers_per_take == 0 || time >= m_precision.next_look()) {
            take_logs();
        }
    }
    /// All nodes have run to `end` at least; nothing happened later. Checks the account of frames (a violation
    /// is fatal, and leaves partial files), then writes all tables, and summary.json as the last.
    run_summary finish(bool complete, picoseconds end);
    /// What the user should know of files that hold nothing, one sentence each. After `finish`.
    const std::vector<std::string>& warnings() const { return m_warnings; }

    /// A violation or a deadlock has ended the run: what nodes have counted and logged by then, which is what
    /// explains it. Nodes may be apart by a quantum. Throws output_error.
    void write_failed();

    /// How well the figures of `run.until` are known; it has no goals without them.
    precision_watch& precision() { return m_precision; }

    /// So far, of the logs that have been taken.
    std::uint64_t flows_completed() const { return m_flows_completed; }
    /// Collective: transfers of hosts so far, with those in logs that have not been taken.
    transfer_counts flows_so_far() const;

 private:
    /// Looking at every host costs a microsecond or two, which a short quantum would feel.
    static constexpr std::uint64_t barriers_per_take = 16;

    void take_logs();
    void take_reroutes();
    void record_transfer(const delivery_record& transfer);
    void record_job(const job_record& job);
    /// Collective: counts and writes transfers and jobs that have not completed.
    void record_unfinished(picoseconds end, run_summary& summary);
    /// Once of each job. `never`: not known, or not asked for.
    picoseconds ideal_of(const job_record& job);
    void write_held(const completed_flow& flow);
    /// `shared`: the text of `completion_lines`.
    void write_job(const job_record& job, std::string_view shared, picoseconds ideal);
    /// Collective: sum over the endpoints of all ranks.
    template <class Count>
    std::uint64_t total(Count&& of_endpoint) const {
        std::uint64_t own = 0;
        for (const traffic_endpoint* endpoint : m_endpoints) {
            own += endpoint != nullptr ? of_endpoint(*endpoint) : 0;
        }
        return summed(m_fabric.team(), own);
    }
    /// Each transfer that started has completed or is unfinished; a violation is fatal.
    void check_transfers(const run_summary& summary) const;
    /// Sources of tables and metrics at the end of a run. `settled`: nodes are settled up to then.
    run_results results_at(picoseconds end, picoseconds settled, bool failed, nlohmann::ordered_json& extra);
    bool has_ideal_jobs() const { return m_config.output.ideal_jobs; }
    /// Classes that can be paused and have carried frames: of these pauses are counted.
    class_mask paused_classes() const;
    /// Settles the nodes; returns up to when. A run may come to its end before the warm-up does.
    picoseconds settle(picoseconds end) {
        const picoseconds until = m_fabric.reached() > m_warmup ? std::max(end, m_warmup) : end;
        m_fabric.settle(until);
        return until;
    }

    const run_directory& m_directory;
    const run_config& m_config;
    const built_topology& m_topology;
    picoseconds m_warmup;
    fabric& m_fabric;
    std::vector<traffic_endpoint*> m_endpoints;
    rank_logs m_logs;
    std::vector<std::string> m_tags;
    std::vector<const detour_counter*> m_detours;
    ideal_times m_ideal;
    ideal_jobs m_ideal_jobs{m_ideal};
    program_result m_program;
    limit_timeline m_timeline;
    std::optional<record_table<flow_row>> m_flows;
    std::optional<record_table<job_row>> m_jobs;
    std::optional<record_table<reroute_row>> m_reroutes;
    std::unique_ptr<flow_rates> m_rates;
    fabric_sampler m_sampler;
    sender_tables m_senders;
    port_series m_series;
    completion_lines m_lines;
    flow_joiner m_joiner;
    unfinished_transfers m_unfinished;
    completion_statistics m_statistics;
    split_metrics m_splits;
    precision_watch m_precision;
    std::uint64_t m_flows_completed = 0;
    /// Completed transfers that a module outside the fabric sent.
    std::uint64_t m_foreign_completed = 0;
    std::uint64_t m_barriers = 0;
    // Of one `take_logs`.
    struct host_stay {
        path_stay stay;
        host_id host;
    };
    std::vector<host_stay> m_stays;
    log_order m_deliveries;
    log_order m_jobs_done;
    std::vector<std::string> m_warnings;
};

}  // namespace weir::tb
