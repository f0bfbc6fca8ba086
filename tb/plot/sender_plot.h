// What senders do over time, of runs that were asked for it: TCP's windows (output.windows) and the rates of
// limiters and queue pairs (output.rates). A row per run, a line per sender (cross-layer study, figures 7, 8).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tb/plot/chart.h"
#include "tb/plot/gnuplot.h"
#include "tb/plot/run_reader.h"

namespace weir::tb {

inline const chart_axis window_axis{"Window", axis_kind::bytes};
inline const chart_axis rate_axis{"Rate", axis_kind::rate};

/// Those with the largest sums, as many as there are styles, in the order of the table.
std::vector<const sender_series*> largest_senders(const std::vector<sender_series>& all);
/// The series of a sender as it is drawn, with gaps where samples are missing: a sender may begin and end
/// during the run.
chart_series sender_line(const sender_series& series);

/// Senders with the largest sums, as many as there are styles. Nothing where no run has any.
std::optional<picture> sender_picture(const picture_head& head, const chart_axis& shown,
                                      std::vector<sender_series> run_data::*senders,
                                      const std::vector<run_data>& runs);

}  // namespace weir::tb
