// Curves of a report: of the same numbers, thinned in the same way, as the pictures of `weir plot`.
//
// A chart is an object:
//
//     id, title, note     texts; `section`: where it stands; `folded`: under which heading it is folded away
//     kind                cdf, lines, steps, points, means, places, bars; of bars `bar_width`: the share of the
//                         distance between two names
//     x, y                {"what", "quantity": time, bytes, decimal_bytes, rate, share, percent, count, "log"},
//                         where `log`: the axis can be linear and logarithmic, and which it is first; `names`:
//                         of the places 0, 1, 2, ... of an axis that is no quantity
//     group               of charts that are zoomed together; none: alone
//     series              [{"name", "run", "style", ...}]. `run`: its number, in charts with one curve per run.
//                         `look`: of the series that marks values which are only lower bounds
//
// A curve has `x` and `y`, lists of numbers in ns, B, bit/s; null: a gap. Of steps `x` has one more: the end of
// the last. Means have `low` and `high`, the ends of their intervals, or null. A cdf has `y`, the share that
// has completed within each `x`, `left`, the share that takes at least as long, and `marks` ([percent, x]).
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "tb/view/chart/chart.h"
#include "tb/view/pictures/run_reader.h"

namespace weir::tb {

/// Charts without a point are left out. A series without one is in the legend only.
nlohmann::ordered_json to_json(const std::vector<chart>& charts);

/// Adds distributions of completion times, and percentiles by size.
void add_distribution_charts(std::vector<chart>& charts, const std::vector<run_data>& runs);

}  // namespace weir::tb
