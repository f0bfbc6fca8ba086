// From a configuration to everything that a run needs, checked before anything is written.
//
//   prepared_run run = prepare_run(load_config_files({"--switch.speedup=8"}, {"steady.ini"}));
//   if (run.errors.empty()) { ... }
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tb/run/checks/traffic_classes.h"
#include "tb/run/options/load_config.h"
#include "tb/run/setup/trace_feed.h"
#include "tb/run/topology/build_topology.h"
#include "tb/verify/capture/link_capture.h"
#include "weir/traffic/apps/make_workload.h"

namespace weir::tb {

struct prepared_run {
    loaded_config loaded;
    built_topology topology;
    workload_inputs inputs;
    /// Null without a trace.
    std::unique_ptr<trace_feed> trace;
    /// Priorities of the trace's flows.
    trace_priorities priorities = unread_trace;
    /// By rank of a parallel program: when its part would end on an ideal network.
    std::vector<picoseconds> ideal_ranks;
    /// Names of the workload's tags, by number.
    std::vector<std::string> tags;
    /// What is captured.
    std::vector<link_direction> captured;
    /// Of which the waveform is.
    std::vector<switch_id> waved;
    /// Whose frames' journeys are traced, as places among all nodes.
    std::vector<std::uint32_t> journeyed;
    /// Of which everything is sampled, as places among all nodes.
    std::vector<std::uint32_t> series_nodes;
    /// Whose windows and rates are written.
    std::vector<host_id> window_hosts;
    std::vector<host_id> rate_hosts;
    std::vector<std::string> warnings;
    /// Everything that is wrong; what the rest holds is then of no use.
    config_errors errors;
};

/// Checks the configuration, its fabric and its files. If `known_priorities` is set, the traffic's files are
/// not read again, because an earlier call has read them and found these priorities. Such a result cannot be
/// run.
prepared_run prepare_run(loaded_config loaded, std::optional<trace_priorities> known_priorities = {});

}  // namespace weir::tb
