// Whether a run without `run.duration` can come to its end: it goes on until the traffic has ended and every
// transfer is complete, and 4,500 s of simulated time may take hours.
//
// Refused is what certainly does not end: traffic that goes on for ever, transfers that take longer than the
// longest run, a host that nothing reaches in a workload that surely sends to it. What may end, or not, as
// chance has it, is a warning.
#pragma once

#include <string>
#include <vector>

#include "tb/options/run_config.h"
#include "tb/setup/build_topology.h"
#include "weir/base/config_error.h"

namespace weir::tb {

/// Both say nothing of a run with a duration.
config_errors check_end(const run_config& config, const built_topology& built);
/// Transfers that can never complete: hosts that are cut off for good, links that lose nearly all, routes over
/// links that stay down, adapters that pause their link without end.
std::vector<std::string> end_warnings(const run_config& config, const built_topology& built);

}  // namespace weir::tb
