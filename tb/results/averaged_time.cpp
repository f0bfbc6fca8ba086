#include "tb/results/averaged_time.h"

#include <algorithm>

#include "weir/base/unit_text.h"

namespace weir::tb {

namespace {

picoseconds earliest(const fabric& made, picoseconds model::host_stats::*sent) {
    picoseconds first = never;
    for (host_id h = 0; h < made.hosts(); ++h) {
        first = made.host(h) != nullptr ? std::min(first, made.host(h)->stats().*sent) : first;
    }
    std::int64_t negated = -first.count();  // ranks agree on the greatest
    made.team().agree(&negated, 1);
    return picoseconds{-negated};
}

}  // namespace

picoseconds first_frame(const fabric& made) {
    return earliest(made, &model::host_stats::first_sent);
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
    const picoseconds data = earliest(made, &model::host_stats::first_data_sent);
    const picoseconds idle = data - averaged.start;
    if (data == never || 10 * idle <= averaged.length) {
        return {};
    }
    const bool has_warmup = averaged.start != averaged.idle;
    const picoseconds first = first_frame(made);
    if (has_warmup && first == data) {
        return "run.warmup = " + to_text(averaged.start) + " ends " + to_text(idle) +
               " before the first frame, at " + to_text(first) +
               ": averages include that idle time; run.warmup = 0ps starts them at the first frame";
    }
    return (has_warmup ? "run.warmup = " + to_text(averaged.start) + " ends "
                       : "averages start with a pause frame, at " + to_text(averaged.start) + ", ") +
           to_text(idle) + " before the first data frame, at " + to_text(data) +
           ": averages include that idle time; "
           "set run.warmup to the start of the first transfer to leave it out";
}

}  // namespace weir::tb
