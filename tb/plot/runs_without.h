// Says of which runs a picture or a chart shows nothing.
#pragma once

#include <string>
#include <vector>

#include "tb/plot/run_reader.h"

namespace weir::tb {

/// `NOTE; no samples: a, b`, with the labels of those runs for which has(run) is false; `note` where there are
/// none. `what`: `no samples`.
template <class Has>
std::string with_runs_without(std::string note, const char* what, const std::vector<run_data>& runs,
                              Has&& has) {
    bool is_first = true;
    for (const run_data& run : runs) {
        if (!has(run)) {
            note += is_first ? (note.empty() ? "" : "; ") + std::string(what) + ": " : ", ";
            note += run.label;
            is_first = false;
        }
    }
    return note;
}

}  // namespace weir::tb
