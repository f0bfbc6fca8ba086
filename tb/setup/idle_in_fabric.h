// Options that cannot matter in the fabric that a run has, as load_options.h tells of those that cannot matter
// beside other options.
#pragma once

#include "tb/options/load_config.h"
#include "tb/setup/build_topology.h"

namespace weir::tb {

/// Options that choose among equal paths where no switch has any, and detours where no switch has a neighbour.
/// Port selection that a scheme sets is not told.
config_errors idle_in_fabric(const loaded_config& loaded, const built_topology& built);

}  // namespace weir::tb
