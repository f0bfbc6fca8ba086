// Draws a tornado chart of a screening design: a bar for each option's main effect, the largest on top. Writes
// the same numbers as a table.
#pragma once

#include <optional>
#include <string>

#include "tb/study/statements/figure_table.h"
#include "tb/study/sweep/sweep_results.h"
#include "tb/view/chart/gnuplot.h"

namespace weir::tb {

/// A panel for each metric and each value of `curves`. Nothing where no seed has values of all rows. The plan
/// has the figure's places.
std::optional<picture> effects_picture(const paper_figure& f, const sweep_results& results, double confidence);

/// In Markdown, in the order of the picture.
std::string effects_numbers(const paper_figure& f, const sweep_results& results, double confidence);

}  // namespace weir::tb
