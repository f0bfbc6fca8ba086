// The time that means, percentiles and shares of a run cover: from the end of the warm-up to the end of the
// run. Without a warm-up it starts at the first frame, so that a trace whose first flow starts at 2 s is not
// averaged over two idle seconds. Before that frame nothing is busy, paused or occupied, so only the length
// changes.
//
//   averaged_time averaged = averaged_time_of(network, config.run.warmup, end);
#pragma once

#include <string>

#include "weir/model/fabric/fabric.h"

namespace weir::tb {

struct averaged_time {
    picoseconds start{0};
    /// 0 if the run ends before the warm-up does.
    picoseconds length{0};
    /// Time before the first frame that is left out. 0 with a warm-up, which restarts the statistics.
    picoseconds idle{0};
};

/// When the first frame of any kind began to leave a host, PAUSE and PFC frames included; `never` if none did.
/// Collective.
picoseconds first_frame(const fabric& made);

/// Collective. All nodes have run to `end` at least.
averaged_time averaged_time_of(const fabric& made, picoseconds warmup, picoseconds end);

/// Warning if more than a tenth of the averaged time passes before the first data frame; else empty. Without a
/// warm-up that happens only if a PAUSE or PFC frame leaves a host first. Collective.
std::string idle_warning(const fabric& made, const averaged_time& averaged);

}  // namespace weir::tb
