// From [fabric] to a topology: generated, or read from a file.
#pragma once

#include "tb/run/options/built_topology.h"
#include "tb/run/options/run_config.h"

namespace weir::tb {

built_topology build_topology(const run_config& config);

}  // namespace weir::tb
