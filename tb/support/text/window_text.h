// Windows of time in the words of their options.
#pragma once

#include <string>

#include "tb/support/text/text_format.h"
#include "weir/base/time.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

/// `output.window_start = 5ms, output.window_end = 6ms`; `end` may be `never`. `block`: output or trace.
inline std::string window_text(const std::string& block, picoseconds start, picoseconds end) {
    return block + ".window_start = " + to_text(start) +
           (end == never ? std::string{} : ", " + block + ".window_end = " + to_text(end));
}

/// After the run, which ended at `ended` (`never`: it failed), as what follows "in": `the window
/// (trace.window_start = 5ms; the run ended at 3.000 ms)`, or `the whole run (the run ended at 3.000 ms)`.
inline std::string window_text(const std::string& block, picoseconds start, picoseconds end,
                               picoseconds ended) {
    const std::string end_text = ended == never ? "" : "the run ended at " + duration_text(ended);
    if (start == picoseconds{0} && end == never) {
        return "the whole run" + (ended == never ? "" : " (" + end_text + ")");
    }
    return "the window (" + window_text(block, start, end) + (ended == never ? "" : "; " + end_text) + ")";
}

}  // namespace weir::tb
