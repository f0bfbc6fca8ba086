// Means over seeds as curves of a picture, with their confidence intervals. Along an axis of quantities each
// mean is drawn at its value; intervals are bands, or bars if there are many curves. Over names, curves stand
// side by side.
//
//   std::vector<mean_curve> curves{{"FC", {{2000, interval_of({1e6, 1.1e6}, 0.95)}}}};
//   const mean_range range = *range_of(curves);
//   data += mean_block(curves[0], 1e6);
//   page.add(mean_curves_command("NAME.dat", 0, curves, value_axis(range.low, range.high), true));
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tb/plot/plot_axis.h"
#include "tb/sweep/sweep_statistics.h"

namespace weir::tb {

struct mean_point {
    double x = 0;
    mean_interval mean;
};
struct mean_curve {
    std::string label;
    std::vector<mean_point> points;
};

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

/// Moves curves over names apart, so that equal means do not hide each other.
void stand_side_by_side(std::vector<mean_curve>& curves);

/// The curve's block of a data file, values divided by `unit`.
std::string mean_block(const mean_curve& curve, double unit);

/// Draws curves whose blocks follow each other in `file` from `first_index` on, in the styles from the first.
/// `joined`: their points lie along an axis of quantities. More than `few_styles` curves have bars, because
/// their bands would hide each other.
std::string mean_curves_command(const std::string& file, std::size_t first_index,
                                const std::vector<mean_curve>& curves, const plot_axis& y, bool joined);

}  // namespace weir::tb
