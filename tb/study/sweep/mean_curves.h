// Means over seeds as series of charts, with their confidence intervals. Along an axis of quantities each mean
// lies at its value; over names, curves stand side by side.
//
//   const swept_axis x(plan, "traffic.rate");
//   chart made = chart_over(x);
//   made.series = curves_over(x, {"FC", "DeTail"}, mean_at);
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tb/study/sweep/swept_axis.h"
#include "tb/view/chart/chart.h"

namespace weir::tb {

/// The axis with tics where points stand.
chart_axis chart_axis_of(const swept_axis& swept);
/// A chart of means over this axis, without a series.
chart chart_over(const swept_axis& x);

/// Lower end of the interval in pictures; NaN if there is none. An interval that reaches below `least`, which
/// what is measured does not, ends there. A derived metric may have a mean below it; then the interval is
/// whole.
double drawn_low(const mean_interval& mean, double least = 0);

/// Curves with these labels, numbered from 0, each over all places of an axis: mean_at(place, curve), where
/// there is one; curves without a mean are left out. Over names they are moved apart, so that equal means do
/// not hide each other. A last series marks the means that are lower bounds. `least`: as for `drawn_low`.
std::vector<chart_series> curves_over(
    const swept_axis& x, const std::vector<std::string>& labels,
    const std::function<mean_interval(std::size_t place, std::size_t curve)>& mean_at, double least = 0);

/// Whether means are so far apart that only a logarithmic axis shows all of them.
bool are_far_apart(const std::vector<chart_series>& curves);

/// `mean of 3 seeds with its 95 % confidence interval`
std::string seeds_text(std::size_t seeds, double confidence);
/// The same behind the name of the configuration: `burst.ini; one seed, so no intervals`.
std::string caption_of(const sweep_plan& plan, double confidence);

}  // namespace weir::tb
