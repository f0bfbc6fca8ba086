// Options of [sram], and of what waits in front of a memory, beside others that they do not go with.
#pragma once

#include "tb/options/run_config.h"

namespace weir::tb {

config_errors check_sram(const run_config& config);

}  // namespace weir::tb
