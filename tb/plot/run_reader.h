// Reads what pictures need from a run's directory. Tables are read as streams, line by line.
//
//   run_filter all;
//   run_data run = read_run("out/detail", all);
//   if (!run.errors.empty()) { ... }
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tb/plot/completion_reader.h"
#include "tb/plot/pause_tree.h"
#include "tb/plot/series_reader.h"
#include "tb/results/effective_options.h"
#include "tb/results/run_verdict.h"
#include "weir/base/config_error.h"

namespace weir::tb {

/// Fill of one side of one port over time.
struct fill_series {
    std::string node;
    std::string port;
    std::vector<double> time_ns;
    std::vector<double> occupancy_bytes;
};

/// Pauses of one tier over time, per sample interval.
struct pause_series {
    std::string tier;
    /// End of the interval.
    std::vector<double> time_ns;
    /// Within the interval, summed over the tier's transmitters.
    std::vector<double> paused_ns;
    /// Ports times classes that paused_ns sums over; 0 where the table does not say.
    double transmitters = 0;
};

/// A share, in percent, that weighs a time or 1.
struct weighted_share {
    double percent;
    double weight;
};

/// A sender over time: a window, or a rate.
struct sender_series {
    /// Numbers of the hosts: `3 > 7`; with the transfer's, `3 > 7 #12`, where they have several.
    std::string name;
    std::vector<double> time_ns;
    /// Unit: B, or bit/s.
    std::vector<double> values;
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
    /// Jobs and transfers that it counts, completed and not, and the time that was simulated.
    std::uint64_t jobs = 0;
    std::uint64_t flows = 0;
    std::uint64_t unfinished_jobs = 0;
    std::uint64_t unfinished_flows = 0;
    double simulated_ns = 0;
    /// All that summary.json says.
    nlohmann::ordered_json summary;
    effective_options options;
    completions completed;
    bool has_occupancy = false;
    bool has_pauses = false;
    std::vector<fill_series> ingress;
    std::vector<fill_series> egress;
    std::vector<pause_series> pauses;
    /// Of runs with output.busy_links: the share of links that was busy, weighted by time.
    std::vector<weighted_share> busy_links;
    /// Of runs with output.full_queues: free memory near each full queue, one hop away and up to two.
    std::vector<weighted_share> free_one_hop;
    std::vector<weighted_share> free_two_hops;
    /// Of runs with output.windows: TCP's congestion windows, by transfer.
    std::vector<sender_series> windows;
    /// Of runs with output.rates, by limiter or queue pair.
    std::vector<sender_series> rates;
    /// Of runs with output.series.
    port_class_series ports;
    std::vector<limited_series> pools;
    /// Of runs with trace.pause_causes.
    std::optional<pause_tree> tree;
    /// Of runs with trace.frame_path.
    std::optional<traced_path> path;
    /// It was told not to write the table (`output.flows`, `output.jobs`).
    bool without_flows = false;
    bool without_jobs = false;
    config_errors errors;
};

/// Tables that lack lines are errors: jobs.csv and flows.csv by the counts of summary.json, occupancy.csv and
/// pauses.csv where their samples do not reach the end (check_samples.h). A run without summary.json is an
/// error unless it failed and `shows_failed`.
run_data read_run(const std::string& directory, const run_filter& filter, bool shows_failed = false);

}  // namespace weir::tb
