// Distributions of shares, several runs overlaid: how many links are busy at a time, and how much memory is
// free near full queues (DIBS, figures 4 and 5).
//
//   share_panel busy{"Busy links", {{"DCTCP", {{1.5, 10e6}, {0, 90e6}}}}};    // 1.5 % for 10 ms, 0 % for 90 ms
//   picture p = share_picture("busy_links", "Busy links", "2 runs", "Share of time (CDF)", {busy});
#pragma once

#include <string>
#include <vector>

#include "tb/plot/gnuplot.h"

namespace weir::tb {

struct weighted_share {
    /// Range: 0 to 100.
    double percent;
    /// Time, or 1. Range: above 0.
    double weight;
};
/// What part weighs no more than a share.
struct cumulative_share {
    double percent;
    /// Range: 0 to 1.
    double share;
};
/// A step for each value, from 0 at the smallest. At least one share.
std::vector<cumulative_share> cumulative(std::vector<weighted_share> shares);

struct share_curve {
    std::string label;
    /// In any order.
    std::vector<weighted_share> shares;
};
struct share_panel {
    /// Of the axis, without its unit.
    std::string label;
    /// By run, in the same order in all panels; without shares where a run has none.
    std::vector<share_curve> runs;
};

/// `weights`: of the vertical axis. Side by side. Range: one panel or two, in which some run has shares.
picture share_picture(const std::string& name, const std::string& title, const std::string& details,
                      const std::string& weights, const std::vector<share_panel>& panels);

}  // namespace weir::tb
