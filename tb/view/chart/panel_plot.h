// Small multiples: rows of panels, each with a heading and a legend of its own.
//
//   panel_picture({"windows", "Congestion windows over time", "2 runs"}, charts_over_time(window_views, runs));
#pragma once

#include <optional>
#include <vector>

#include "tb/view/chart/chart.h"
#include "tb/view/chart/gnuplot.h"

namespace weir::tb {

/// A row for each list of lines or steps, empty ones left out, and a panel for each of its charts. Time is the
/// same in all panels; vertical axes of a column have one scale where they show the same. Nothing without a
/// row.
std::optional<picture> panel_picture(const picture_head& head, const std::vector<std::vector<chart>>& rows);

}  // namespace weir::tb
