// Checks that need both the configuration and the fabric.
#pragma once

#include <string>
#include <vector>

#include "tb/options/run_config.h"
#include "weir/base/config_error.h"
#include "weir/model/topology.h"

namespace weir {

config_errors check_run(const run_config& config, const topology& plan);

/// Thresholds that leave less than the reserve, once per kind of link.
std::vector<std::string> threshold_warnings(const run_config& config, const topology& plan);

}  // namespace weir
