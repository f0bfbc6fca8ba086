// Options whose value another option, or a link's rate, replaces: what is in force is not what was written.
#pragma once

#include <string>
#include <vector>

#include "tb/options/run_config.h"
#include "tb/setup/build_topology.h"

namespace weir::tb {

std::vector<std::string> dominated_options(const run_config& config, const built_topology& built);

}  // namespace weir::tb
