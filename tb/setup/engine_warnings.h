// What a configuration costs in time, said before the run.
#pragma once

#include <string>
#include <vector>

#include "tb/options/run_config.h"
#include "tb/setup/build_topology.h"

namespace weir::tb {

/// Threads that cannot help, and a quantum so short that more work goes into quanta than a fifth of what
/// frames take at full load.
std::vector<std::string> engine_warnings(const run_config& config, const built_topology& built);

}  // namespace weir::tb
