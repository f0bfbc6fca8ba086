// Flow control's pauses: over time, a panel per tier, and in all, a bar per tier and run.
//
// Where pauses.csv says how many transmitters (ports times classes) a tier has, the pictures show the share
// of their time for which they were paused; else how many of them were paused at a time, on average.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tb/plot/chart.h"
#include "tb/plot/gnuplot.h"
#include "tb/plot/run_reader.h"

namespace weir::tb {

/// Mean of a series over stretches of time.
struct pause_curve {
    /// Start of each stretch, then the end of the last. Unit: ns.
    std::vector<double> edge_ns;
    /// Paused transmitters, on average over the stretch.
    std::vector<double> paused;
    /// Over the whole series.
    double mean = 0;
};

/// Joins sample intervals until at most `most` stretches are left; the time paused stays the same.
pause_curve paused_over_time(const pause_series& series, std::size_t most = 250);

/// A chart per tier, titled `hosts`, `tier 1`, ...: paused transmitters over time, with steps for each run that
/// has samples of the tier.
std::vector<chart> pause_charts(const std::vector<run_data>& runs);

/// Only runs that have the table are drawn. Nothing where none has, or none has paused anything.
std::optional<picture> pause_picture(const picture_head& head, const std::vector<run_data>& runs);

}  // namespace weir::tb
