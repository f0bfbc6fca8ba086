// A picture of one metric of a sweep's points against another, or against a swept size, with the Pareto front:
// the points that no other point beats.
//
//   pareto_front({{64, 9}, {128, 5}, {256, 7}}, {});          // 0, 1: the third is beaten by the second
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tb/study/sweep/sweep_plot.h"
#include "tb/study/sweep/sweep_results.h"
#include "tb/view/chart/gnuplot.h"

namespace weir::tb {

/// Whether higher values of each coordinate are better.
struct better_values {
    bool higher_x = false;
    bool higher_y = false;
};

/// Places of the points that no other point beats, by x. A point beats another if it is at least as good in
/// both coordinates and better in one.
std::vector<std::size_t> pareto_front(const std::vector<std::pair<double, double>>& points,
                                      const better_values& better);

/// Returns the mistakes in a request. `request.over`: the horizontal axis, a metric or an option in bytes, and
/// the option with one mark per value, if there is one.
config_errors check_tradeoff(const sweep_plan& plan, const sweep_plot_request& request, bool is_over_metric);

struct tradeoff_picture {
    picture drawn;
    /// Points of the front below a heading, or why there is no front.
    std::vector<std::string> front;
};

/// The means of all points that `request.where` leaves; those of the front are labelled by their settings.
/// Nothing if no point has both values. A point is marked, and is not in the front, if transfers that did not
/// complete make its percentile a lower bound or are missing in its mean. There is no front if neither low nor
/// high values of a metric are better. The request has passed `check_tradeoff`.
std::optional<tradeoff_picture> draw_tradeoff(const sweep_results& results, std::size_t metric,
                                              const sweep_plot_request& request);

}  // namespace weir::tb
