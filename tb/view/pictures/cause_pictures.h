// Pictures of causes: why transmitters were paused, and where a frame went.
#pragma once

#include <optional>
#include <vector>

#include "tb/view/chart/gnuplot.h"
#include "tb/view/pictures/run_reader.h"

namespace weir::tb {

/// The tree of pauses from their roots, of the first run that has one: the 40 places with the longest times,
/// each with all its classes. Nothing where none has, or nothing was paused. What is left out is told in the
/// line of details.
std::optional<picture> pause_tree_picture(const picture_head& head, const std::vector<run_data>& runs);

/// The share of each hop, of all runs that have a tree; nothing likewise.
std::optional<picture> pause_hops_picture(const picture_head& head, const std::vector<run_data>& runs);

/// The path of a frame over time, of the first run that has one: a row for each node that it came to, hosts
/// lowest; dashed where a switch has detoured it. As figure 1 of DIBS (EuroSys 2014), in order of time. Nothing
/// where no run has one.
std::optional<picture> frame_path_picture(const picture_head& head, const std::vector<run_data>& runs);

}  // namespace weir::tb
