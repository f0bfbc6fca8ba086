// Checks that need both the configuration and the fabric.
#pragma once

#include <string>
#include <vector>

#include "tb/options/run_config.h"
#include "tb/setup/build_topology.h"
#include "weir/base/config_error.h"

namespace weir::tb {

config_errors check_run(const run_config& config, const built_topology& built);

/// Thresholds that do not do what they are for: XOFF that leaves less than the reserve, once per kind of link;
/// balancing thresholds that a class alone does not reach; and changes of links that flow control may not be
/// able to follow.
std::vector<std::string> threshold_warnings(const run_config& config, const built_topology& built);

}  // namespace weir::tb
