#include "tb/results/averaged_time.h"

#include <algorithm>

#include "weir/base/unit_text.h"

namespace weir::tb {

picoseconds first_frame(const fabric& made) {
    picoseconds first = never;
    for (host_id h = 0; h < made.hosts(); ++h) {
        first = made.host(h) != nullptr ? std::min(first, made.host(h)->stats().first_sent) : first;
    }
    std::int64_t negated = -first.count();  // ranks agree on the greatest
    made.team().agree(&negated, 1);
    return picoseconds{-negated};
}

averaged_time averaged_time_of(const fabric& made, picoseconds warmup, picoseconds end) {
    if (warmup > 0_ps) {
        return {warmup, std::max(0_ps, end - warmup), 0_ps};
    }
    const picoseconds first = first_frame(made);
    const picoseconds idle = first < end ? first : 0_ps;
    return {idle, end - idle, idle};
}

std::string idle_warning(const fabric& made, const averaged_time& averaged) {
    const picoseconds first = first_frame(made);
    const picoseconds idle = first - averaged.start;
    if (first == never || 10 * idle <= averaged.length) {
        return {};
    }
    return "run.warmup = " + to_text(averaged.start) + " ends " + to_text(idle) +
           " before the first frame, at " + to_text(first) +
           ": averages include that idle time; run.warmup = 0ps starts them at the first frame";
}

}  // namespace weir::tb
