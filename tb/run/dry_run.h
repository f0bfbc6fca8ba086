// What `weir run --dry-run` prints: the fabric, its names, its paths and delays, and flow control's thresholds.
#pragma once

#include <ostream>

#include "tb/options/run_config.h"
#include "tb/setup/build_topology.h"

namespace weir::tb {

void print_fabric(std::ostream& out, const run_config& config, const built_topology& built);

}  // namespace weir::tb
