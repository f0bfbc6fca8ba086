// From [fabric] to a topology: generated, or read from a file.
#pragma once

#include "tb/options/run_config.h"
#include "tb/plan/built_topology.h"

namespace weir::tb {

built_topology build_topology(const run_config& config);

}  // namespace weir::tb
