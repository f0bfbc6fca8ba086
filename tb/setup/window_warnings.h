// Windows of time in which nothing is written: said before the run where that can be known, after it by whoever
// writes the file.
#pragma once

#include <string>
#include <vector>

#include "tb/options/run_config.h"

namespace weir::tb {

/// Before the run: a window of samples between two of them, a window of traces before the traffic begins.
std::vector<std::string> window_warnings(const run_config& config);

}  // namespace weir::tb
