// What a shared packet memory and its options may be, in a whole run.
#pragma once

#include <string>
#include <vector>

#include "tb/options/run_config.h"
#include "tb/setup/build_topology.h"
#include "weir/base/config_error.h"

namespace weir::tb {

/// Pools that do not fit, classes without memory, lookups that leave frames without any. None where memory is
/// partitioned.
config_errors check_shared_memory(const run_config& config, const built_topology& built);

/// Headroom set by hand that is less than what the worst case of some link needs; lossless classes without
/// traffic.
std::vector<std::string> shared_memory_warnings(const run_config& config, const built_topology& built);

/// End of a sentence that says that a frame of a lossless class is lost: what follows (`pfc.losses`).
std::string consequence_of_loss(const run_config& config);

}  // namespace weir::tb
