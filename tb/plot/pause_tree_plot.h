// Pictures of why transmitters were paused: the tree of pauses from their roots, and the share of each hop.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tb/plot/gnuplot.h"
#include "tb/plot/run_reader.h"

namespace weir::tb {

/// Most places of a tree that are shown, each with all its classes: those with the longest times.
inline constexpr std::size_t most_tree_rows = 40;

/// Of the first run that has a tree; nothing where none has, or nothing was paused. What is left out is told in
/// the line of details.
std::optional<picture> pause_tree_picture(const picture_head& head, const std::vector<run_data>& runs);

/// Of all runs that have a tree; nothing likewise.
std::optional<picture> pause_hops_picture(const picture_head& head, const std::vector<run_data>& runs);

}  // namespace weir::tb
