// Pictures of `weir accuracy`: errors over one swept option, a curve for each value of a second.
#pragma once

#include <string>
#include <vector>

#include "tb/study/accuracy/accuracy_table.h"
#include "tb/study/points/sweep_plan.h"
#include "tb/study/sweep/sweep_plot.h"
#include "tb/view/chart/gnuplot.h"

namespace weir::tb {

struct accuracy_plot_request {
    /// One or two swept keys, as for a sweep's pictures; not the compared one.
    std::vector<std::string> over;
    std::string title;
};

/// What keeps rows from being drawn so: an option that is not varied, or is compared; more curves than can be
/// told apart; further options that are varied.
config_errors check_accuracy_plot(const sweep_plan& plan, const accuracy_pair& pair,
                                  const accuracy_plot_request& request);

/// `error_cycles` (mean and 99th percentile of the errors without sign) and `time_percent` (how far mean and
/// 99th percentile of the completion times are off), a panel for each, with the intervals over the seeds.
std::vector<picture> accuracy_pictures(const sweep_plan& plan, const accuracy_pair& pair,
                                       const std::vector<accuracy_row>& rows, double confidence,
                                       const accuracy_plot_request& request);

}  // namespace weir::tb
