// Windows of time in the words of their options.
#pragma once

#include <string>

#include "weir/base/time.h"

namespace weir::tb {

/// `output.window_start = 5ms, output.window_end = 6ms`; `end` may be `never`. `block`: output or trace.
std::string window_text(const std::string& block, picoseconds start, picoseconds end);

/// After the run, which ended at `ended` (`never`: it failed), as what follows "in": `the window
/// (trace.window_start = 5ms; the run ended at 3.000 ms)`, or `the whole run (the run ended at 3.000 ms)`.
std::string window_text(const std::string& block, picoseconds start, picoseconds end, picoseconds ended);

}  // namespace weir::tb
