// How many routes switches have to hold.
//
//   const std::vector<std::size_t> sizes = table_sizes(built, all_switches(built.plan));
#pragma once

#include <cstddef>
#include <vector>

#include "tb/setup/build_topology.h"

namespace weir::tb {

/// The longest table of each of these switches while links are cut and mended, by switch; 0 for others. Routes
/// set by hand count.
std::vector<std::size_t> table_sizes(const built_topology& built, const std::vector<switch_id>& switches);

}  // namespace weir::tb
