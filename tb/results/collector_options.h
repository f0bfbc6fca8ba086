// What the results of a run take from its configuration.
//
//   collector_options options = collector_options_of(config, topology);
//   options.ideal_ranks = {2ms, 3ms};                // of a parallel program
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tb/options/precision_goal.h"
#include "tb/results/sample_tables.h"
#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/model/analysis/cause_log.h"
#include "weir/model/switch/switch_setup.h"

namespace weir::tb {

struct built_topology;
struct run_config;

/// What of the configuration matters here.
struct collector_options {
    std::string version;
    std::uint64_t seed = 1;
    picoseconds warmup{0};
    /// Of `run.until`. Their tags are among those that the collector is given.
    std::vector<precision_goal> until;
    /// Write flows.csv, jobs.csv.
    bool flows = true;
    bool jobs = true;
    /// With a column ideal_ns in jobs.csv.
    bool ideal_jobs = false;
    /// Of a parallel program, by rank (program_result.h); empty: there is none.
    std::vector<picoseconds> ideal_ranks;
    /// Of completion times; empty: sizes as they are, or powers of two.
    std::vector<bytes> size_bins;
    /// 0 = no samples, and no occupancy.csv and pauses.csv.
    picoseconds occupancy_interval{0};
    time_window window;
    /// In occupancy.csv; empty: those whose ports are the fullest.
    std::vector<std::string> occupancy_nodes;
    /// Write segments.csv, paths.csv and reroutes.csv: hosts keep a `segment_log`.
    bool segments = false;
    /// 0 = no fairness.csv.
    picoseconds fairness_window{0};
    /// Share of an interval from which on a link is busy; 0 = no busy_links.csv.
    double busy_links = 0;
    /// Write full_queues.csv.
    bool full_queues = false;
    /// Classes that a port can pause: none without flow control, all with 802.3x, the lossless ones with PFC.
    class_mask pausable_classes = 0;
    /// Of each cause: pause_causes.csv and its like, drop_causes.csv; and how many flows each names.
    cause_options causes;
    std::uint32_t cause_flows = 8;
    /// Write watchdog.csv.
    bool watchdog = false;
    /// Links are cut, mended or degraded during the run.
    bool links_change = false;
    /// Switches mark frames (ECN).
    bool marks = false;
    /// Senders may probe: pFabric.
    bool probes = false;
    /// How switches are set up, for what limits them.
    switch_setup switches;
};
collector_options collector_options_of(const run_config& config, const built_topology& topology);

}  // namespace weir::tb
