// Reads what pictures need from a run's directory. Tables are read as streams, line by line.
//
//   run_filter all;
//   run_data run = read_run("out/detail", all);
//   if (!run.errors.empty()) { ... }
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "tb/run/results/run_verdict.h"
#include "tb/run/summary/effective_options.h"
#include "tb/view/readers/completion_reader.h"
#include "tb/view/readers/pause_tree.h"
#include "weir/base/config_error.h"

namespace weir::tb {

/// Text of errors for the kind of file that was expected.
inline constexpr const char* written_table = "a table of a run of weir";

/// A quantity over time, and what limits it.
struct time_series {
    /// `tor0.rx3 class 7`, `tor0 lossless_pool`, `3 > 7`, `tier1`.
    std::string name;
    /// Series with one key look alike in all panels. Both sides of a port have the same key: `tor0:3 class 7`.
    std::string key;
    std::vector<double> time_ns;
    std::vector<double> values;
    /// Drawn beside it, at the same times; NaN where there is none, empty where there never is one.
    std::vector<double> limits = {};
    /// Size of what the quantity fills; NaN where it fills nothing. Of tiers the number of transmitters.
    double capacity = std::numeric_limits<double>::quiet_NaN();
    /// The largest value as a share of its limit, or of the pool's size, then; 0 where there is none.
    double share = 0;

    double largest() const { return values.empty() ? 0 : *std::max_element(values.begin(), values.end()); }
    double sum() const { return std::accumulate(values.begin(), values.end(), 0.0); }
};

/// A share, in percent, that weighs a time or 1.
struct weighted_share {
    double percent;
    double weight;
};

/// A frame at one node of its path.
struct path_stop {
    std::string node;
    /// As nodes.csv has them: `host`, `tier1`, ..., and which line.
    std::string tier;
    std::size_t place = 0;
    std::optional<double> arrived_ns;
    std::optional<double> sent_ns;
    std::string event;
};
struct traced_path {
    std::uint64_t flow = 0;
    std::uint64_t offset = 0;
    /// Times that the frame was sent by its source.
    std::uint64_t copies = 0;
    /// Of the first copy; at least one.
    std::vector<path_stop> stops;
};

struct run_data {
    std::string directory;
    std::string label;
    /// What summary.json says: false for a run that was stopped.
    bool complete = true;
    /// The verdict that ended the run.
    std::optional<run_failure> failure;
    /// True if it left no summary.json: `summary` has only what its tables say, and there are no completions.
    bool is_from_tables = false;
    double simulated_ns = 0;
    /// All that summary.json says.
    nlohmann::ordered_json summary;
    effective_options options;
    completions completed;
    /// Fill of ports. Unit: B.
    std::vector<time_series> ingress;
    std::vector<time_series> egress;
    /// Transmitters (ports times classes) that were paused, by tier: mean since the sample before.
    std::vector<time_series> pauses;
    /// Of runs with output.windows: TCP's congestion windows, by transfer. Unit: B.
    std::vector<time_series> windows;
    /// Of runs with output.rates, by limiter or queue pair. Unit: bit/s.
    std::vector<time_series> rates;
    /// Of runs with output.series, by port and class: bytes that thresholds count, and the threshold; fill, and
    /// the fill that the class may reach. The capacity is the port's. Unit: B.
    std::vector<time_series> port_ingress;
    std::vector<time_series> port_egress;
    /// Unit: bit/s.
    std::vector<time_series> port_received;
    std::vector<time_series> port_sent;
    /// XOFFs sent since the start of the table, and beside them XONs. Of a port's classes that were announced,
    /// or paused, at the same times one is kept.
    std::vector<time_series> port_announced;
    /// Share of the time in which the transmitter had the class paused. Unit: percent.
    std::vector<time_series> port_paused;
    /// By switch, pool and slice; the limit is one group's threshold, the capacity the pool's size. Unit: B.
    std::vector<time_series> pools;
    /// Series that charts have read from columns of tables (series_source.h).
    std::map<std::string, std::vector<time_series>> columns;
    /// Of runs with output.busy_links: the share of links that was busy, weighted by time.
    std::vector<weighted_share> busy_links;
    /// Of runs with output.full_queues: free memory near each full queue, one hop away and up to two.
    std::vector<weighted_share> free_one_hop;
    std::vector<weighted_share> free_two_hops;
    /// Of runs with trace.pause_causes.
    std::optional<pause_tree> tree;
    /// Of runs with trace.frame_path.
    std::optional<traced_path> path;
    /// It was told not to write the table (`output.flows`, `output.jobs`).
    bool without_flows = false;
    bool without_jobs = false;
    config_errors errors;
};

/// Tables that lack lines are errors: jobs.csv and flows.csv by the counts of summary.json, sampled tables
/// where their samples do not reach the end (series_reader.h). A run without summary.json is an error unless it
/// failed and `shows_failed`.
run_data read_run(const std::string& directory, const run_filter& filter, bool shows_failed = false);
/// The same of several, with a label for each. What is wrong with any of them goes to `errors`.
std::vector<run_data> read_runs(const std::vector<std::string>& directories,
                                const std::vector<std::string>& labels, const run_filter& filter,
                                bool shows_failed, config_errors& errors);

}  // namespace weir::tb
