// What `weir run --dry-run` says of shared memories.
#pragma once

#include <ostream>

#include "tb/options/run_config.h"
#include "tb/setup/build_topology.h"

namespace weir::tb {

/// Of one switch of each size, or of each that differs where files give values.
void print_shared_memory(std::ostream& out, const run_config& config, const built_topology& built);

}  // namespace weir::tb
