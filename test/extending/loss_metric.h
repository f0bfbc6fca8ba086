// A metric: losses.worst_percent, the part of all lost frames that the worst switch lost. 100 %: there is one
// place where frames get lost.
#pragma once

#include <algorithm>
#include <numeric>

#include "tb/run/results/run_metrics.h"

namespace outside {

inline nlohmann::ordered_json worst_losses(const weir::tb::run_results& results, const weir::tb::run_summary&) {
    std::uint64_t all = 0;
    std::uint64_t worst = 0;
    for (const weir::model::switch_id s : results.made.own_switches()) {
        const weir::model::drop_counts& drops = results.made.device(s).stats().drops;
        const std::uint64_t lost = std::accumulate(drops.begin(), drops.end(), std::uint64_t{0});
        all += lost;
        worst = std::max(worst, lost);
    }
    // A run on several machines has a part of the switches on each.
    all = weir::model::summed(results.made.team(), all);
    for (const std::uint64_t of_rank : weir::model::shared_parts(results.made.team(), worst)) {
        worst = std::max(worst, of_rank);
    }
    return weir::tb::if_there(
        all > 0, weir::tb::with_decimals(100 * static_cast<double>(worst) / static_cast<double>(all)));
}

inline void add_loss_metric() {
    weir::tb::add_metric({weir::tb::metric_entry("losses.worst_percent", "Share of losses at the worst switch",
                                                 weir::tb::json_kind::number_or_null)
                              .says("Part of all frames lost by switches that the worst one lost."),
                          worst_losses});
}

}  // namespace outside
