// Checks that need both the configuration and the fabric.
#pragma once

#include "tb/options/run_config.h"
#include "weir/base/config_error.h"
#include "weir/model/topology.h"

namespace weir {

config_errors check_run(const run_config& config, const topology& plan);

}  // namespace weir
