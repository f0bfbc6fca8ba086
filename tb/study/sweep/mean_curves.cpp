#include "tb/study/sweep/mean_curves.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tb/view/chart/gnuplot.h"
#include "weir/base/how_many.h"

namespace weir::tb {

chart_axis chart_axis_of(const swept_axis& swept) {
    chart_axis made{swept.key(), swept.axis_quantity()};
    if (!swept.is_numeric()) {
        made.names = swept.names();
        return made;
    }
    if (swept.number(0) > 0) {
        made.logarithmic = swept.is_logarithmic();
    }
    made.unit = swept.unit();
    made.tics = swept.axis();
    return made;
}

chart chart_over(const swept_axis& x) {
    chart made;
    made.kind = chart_kind::means;
    made.x = chart_axis_of(x);
    return made;
}

double drawn_low(const mean_interval& mean, double least) {
    return !mean.has_width() ? NAN : mean.mean < least ? mean.low() : std::max(least, mean.low());
}

std::vector<chart_series> curves_over(
    const swept_axis& x, const std::vector<std::string>& labels,
    const std::function<mean_interval(std::size_t place, std::size_t curve)>& mean_at, double least) {
    const auto count = static_cast<double>(labels.size());
    const double step = x.is_numeric() ? 0 : std::min(0.12, 0.7 / count);
    std::vector<chart_series> curves;
    chart_series bounds = series_with(lower_bound_look, "at least: a lower bound");
    for (std::size_t c = 0; c < labels.size(); ++c) {
        chart_series curve{labels[c], c};
        const double shift = (static_cast<double>(c) - (count - 1) / 2) * step;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const mean_interval mean = mean_at(x.in_order()[i], c);
            if (mean.is_lower_bound) {
                bounds.add(x.base_position(i) + shift, mean.mean);
            }
            if (mean.n > 0) {
                curve.add(x.base_position(i) + shift, mean.mean, drawn_low(mean, least),
                          mean.has_width() ? mean.high() : NAN);
            }
        }
        if (!curve.x.empty()) {
            curves.push_back(std::move(curve));
        }
    }
    if (!bounds.x.empty()) {
        curves.push_back(std::move(bounds));
    }
    return curves;
}

bool are_far_apart(const std::vector<chart_series>& curves) {
    double low = HUGE_VAL;
    double high = 0;
    for (const chart_series& curve : curves) {
        low = std::min(low, *std::min_element(curve.y.begin(), curve.y.end()));
        high = std::max(high, curve.largest());
    }
    return low > 0 && high > 30 * low;
}

std::string seeds_text(std::size_t seeds, double confidence) {
    return seeds < 2 ? "one seed, so no intervals"
                     : "mean of " + std::to_string(seeds) + " seeds with its " + number_text(100 * confidence) +
                           " % confidence interval";
}

std::string caption_of(const sweep_plan& plan, double confidence) {
    return plan.is_of_runs ? how_many(plan.points(), "run")
                           : plan.configuration + (plan.configuration.empty() ? "" : "; ") +
                                 seeds_text(plan.seeds.size(), confidence);
}

}  // namespace weir::tb
