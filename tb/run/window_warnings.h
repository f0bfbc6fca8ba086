// Windows of time in which nothing is written: said before the run where that can be known, after it by whoever
// writes the file.
#pragma once

#include <string>
#include <vector>

#include "tb/options/run_config.h"

namespace weir {

/// `output.window_start = 5ms, output.window_end = 6ms`; `end` may be `never`. `block`: output or trace.
std::string window_text(const std::string& block, picoseconds start, picoseconds end);

/// After the run, which ended at `ended` (`never`: it failed): `trace.window_start = 5ms (the run ended at
/// 3ms)`.
std::string window_text(const std::string& block, picoseconds start, picoseconds end, picoseconds ended);

/// Before the run: a window of samples between two of them, a window of traces before the traffic begins.
std::vector<std::string> window_warnings(const run_config& config);

}  // namespace weir
