// The parallel program that hosts execute (traffic.kind = goal): read or generated, and what it would take on
// an ideal network.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tb/run/options/run_config.h"
#include "weir/base/config_error.h"
#include "weir/model/topology/topology.h"
#include "weir/traffic/goal/goal_schedule.h"

namespace weir::tb {

struct parallel_program {
    std::shared_ptr<const goal_schedule> schedule;
    /// By rank, from the start of the program; `never`: it does nothing.
    std::vector<picoseconds> ideal_ends;
    std::vector<std::string> warnings;
    /// What is wrong with it by itself, or for this fabric; nothing else holds then.
    config_errors errors;
};

/// The ideal network is LogGP (loggp_times.h) with L of `traffic.ideal_latency`, o of
/// `traffic.message_overhead`, g = 0 and G of the fastest host's link, without headers.
parallel_program prepare_program(const run_config& config, const topology& plan);

}  // namespace weir::tb
