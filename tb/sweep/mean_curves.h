// Means over seeds as curves of a picture, with their confidence intervals. Along an axis of quantities each
// mean is drawn at its value; intervals are bands, or bars if there are many curves. Over names, curves stand
// side by side.
//
//   const swept_axis x(plan, "traffic.rate");
//   mean_panel panel{curves_over(x, {"FC", "DeTail"}, mean_at)};
//   const mean_range range = *range_of(panel.curves);
//   panel.axis = value_axis(range.low, range.high);
//   return draw_panels(page(head), x, {panel}, {});
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tb/plot/chart.h"
#include "tb/plot/page.h"
#include "tb/sweep/sweep_statistics.h"
#include "tb/sweep/swept_axis.h"

namespace weir::tb {

struct mean_point {
    double x = 0;
    mean_interval mean;
};
struct mean_curve {
    std::string label;
    std::vector<mean_point> points;
};

/// Curves with these labels, each over all places of an axis: mean_at(place, curve), where there is one. Over
/// names they are moved apart, so that equal means do not hide each other. `in_base_unit`: points lie at bytes,
/// ns, bit/s instead of at their positions in a picture.
std::vector<mean_curve> curves_over(
    const swept_axis& x, const std::vector<std::string>& labels,
    const std::function<mean_interval(std::size_t place, std::size_t curve)>& mean_at,
    bool in_base_unit = false);

/// Of all means of some curves, with their intervals.
struct mean_range {
    double low = 0;
    double high = 0;
    /// The lowest and the highest mean themselves.
    double least = 0;
    double most = 0;
    /// Low end for a logarithmic axis, which has no 0: an interval that reaches it is cut at a third of its
    /// mean. 0 where no mean is above 0.
    double positive_low = 0;
};
/// Nothing where no curve has a point.
std::optional<mean_range> range_of(const std::vector<mean_curve>& curves);

/// `mean of 3 seeds with its 95 % confidence interval`
std::string seeds_text(std::size_t seeds, double confidence);

/// Means as a chart has them. A measured value is never below 0, though an interval may reach there.
chart_series series_of(const mean_curve& curve);

struct mean_panel {
    std::vector<mean_curve> curves{};
    /// Vertical axis, in this unit, and its label.
    plot_axis axis{};
    double unit = 1;
    std::string label{};
};
struct mean_layout {
    /// Unit: pixels.
    double left = 190;
    double panel_height = 420;
    /// Only the lowest panel has the labels of the horizontal axis.
    bool shares_axis = false;
    /// Stands in a panel without a point.
    std::string without{};
};
/// Draws panels below each other, curves in the styles from the first. More than `few_styles` curves have bars,
/// because their bands would hide each other.
picture draw_panels(page p, const swept_axis& x, const std::vector<mean_panel>& panels,
                    const mean_layout& layout);

}  // namespace weir::tb
