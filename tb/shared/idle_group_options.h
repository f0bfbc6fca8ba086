// Options of groups and queues that have another value than the default, and from which none takes it, because
// the files of [shared] have one for each.
#pragma once

#include <string>
#include <vector>

#include "tb/options/run_config.h"
#include "tb/plan/profile_sources.h"
#include "weir/model/topology/topology.h"

namespace weir::tb {

/// A warning for each.
std::vector<std::string> idle_group_options(const run_config& config, const topology& plan,
                                            const read_profiles& read);

}  // namespace weir::tb
