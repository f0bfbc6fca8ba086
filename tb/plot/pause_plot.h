// Flow control's pauses: over time, a panel per tier, and in all, a bar per tier and run.
//
// Where pauses.csv says how many transmitters (ports times classes) a tier has, the pictures show the share
// of their time for which they were paused; else how many of them were paused at a time, on average.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

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

/// Of all runs, in their order: hosts, tier 1, ...
std::vector<std::string> pause_tiers(const std::vector<run_data>& runs);
/// `hosts`, `tier 1`
std::string tier_name(const std::string& tier);
/// Null where the run has none of that tier.
const pause_series* find_tier(const run_data& run, const std::string& tier);
/// Every tier in which something was paused says how many transmitters it has: shares of them can be shown.
bool transmitters_are_counted(const std::vector<run_data>& runs);
/// Of one paused transmitter in the unit that is shown: percent of the tier where they are counted, else 1.
double pause_scale(const pause_series& series, bool counted);

/// Only runs that have the table are drawn. Nothing where none has, or none has paused anything.
std::optional<picture> pause_picture(const std::string& name, const std::string& title,
                                     const std::string& details, const std::vector<run_data>& runs);

}  // namespace weir::tb
