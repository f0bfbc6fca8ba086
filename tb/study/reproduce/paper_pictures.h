// The pictures of a paper's figures and the numbers that they show, from the runs of a reproduction.
#pragma once

#include <optional>
#include <string>

#include "tb/study/reproduce/paper_plan.h"
#include "tb/study/sweep/sweep_results.h"
#include "tb/view/chart/gnuplot.h"

namespace weir::tb {

/// Nothing where the runs (those of --quick) do not have what it shows. Throws command_error where a table of
/// a run is damaged.
std::optional<picture> paper_picture(const paper_figure& f, const paper_plan::experiment& e,
                                     const sweep_results& results, const campaign_layout& layout,
                                     double confidence);

/// Numbers of a picture of curves or effects as tables in Markdown: a row for each place of the horizontal
/// axis, or for each option.
std::string figure_numbers(const paper_figure& f, const sweep_results& results, double confidence);

}  // namespace weir::tb
