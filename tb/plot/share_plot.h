// Distributions of shares, several runs overlaid: how many links are busy at a time, and how much memory is
// free near full queues (DIBS, figures 4 and 5).
//
//   const chart busy = share_chart("Busy links", "Share of time (CDF)", runs, &run_data::busy_links);
//   picture p = share_picture({"busy_links", "Busy links", "2 runs"}, runs, {busy});
#pragma once

#include <vector>

#include "tb/plot/chart.h"
#include "tb/plot/gnuplot.h"
#include "tb/plot/run_reader.h"

namespace weir::tb {

/// Part that weighs no more than each share: a series for each run that has shares, a step for each value, from
/// 0 at the smallest. `what` and `weights` name the axes; the note says which runs have no samples.
chart share_chart(const char* what, const char* weights, const std::vector<run_data>& runs,
                  std::vector<weighted_share> run_data::*shares);

/// Charts of these runs, side by side. Range: one or two, of which the first has a series.
picture share_picture(const picture_head& head, const std::vector<run_data>& runs,
                      const std::vector<chart>& charts);

}  // namespace weir::tb
