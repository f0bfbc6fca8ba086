#include "tb/view/chart/shown_axis.h"

#include <algorithm>
#include <cmath>

namespace weir::tb {

namespace {

struct value_extent {
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    /// Smallest value above 0, which a logarithmic axis can show.
    double positive = HUGE_VAL;
    /// Smallest value itself, without its interval.
    double least = HUGE_VAL;
    std::size_t most_values = 1;

    void include(double value) {
        // NaN compares as false.
        low = value < low ? value : low;
        high = value > high ? value : high;
        positive = value > 0 && value < positive ? value : positive;
    }
    void include(const std::vector<double>& means, const std::vector<double>& lows,
                 const std::vector<double>& highs) {
        for (std::size_t i = 0; i < lows.size(); ++i) {
            include(highs[i]);
            low = lows[i] < low ? lows[i] : low;
            // An interval that reaches 0 is cut at a third of its mean.
            include(means[i] > 0 ? std::max(lows[i], means[i] / 3) : NAN);
        }
    }
    void include(const chart& c, bool upwards) {
        for (const chart_series& s : c.series) {
            most_values = std::max(most_values, s.count);
            for (const double value : upwards ? s.y : s.x) {
                include(value);
                least = value < least ? value : least;
            }
            if (upwards == c.y.names.empty()) {
                include(s.y, s.low, s.high);
            }
            if (!upwards) {
                include(s.x, s.x_low, s.x_high);
            }
        }
        if (c.kind == chart_kind::bars) {
            include(0);
        }
    }
};

shown_axis fitted(const chart_axis& axis, const value_extent& values, bool upwards) {
    const double high = std::max(values.high, 0.0);
    const bool logarithmic = axis.logarithmic.value_or(false) && high > 0 && values.least > 0;
    const axis_unit unit =
        axis.unit.value_or(value_unit(axis.kind, values.positive, std::max(high, -values.low), logarithmic));
    if (logarithmic) {
        const plot_axis made = log_axis(values.positive / unit.scale, high / unit.scale);
        return {made, unit, made.label(axis.what, unit.name), false, !upwards};
    }
    const double low = std::min(values.low, high) / unit.scale;
    const plot_axis made = axis.kind == axis_kind::bytes && low >= 0 ? binary_axis(high / unit.scale)
                           : upwards || low < 0 ? value_axis(low, std::max(values.high / unit.scale, low))
                                                : linear_axis(high / unit.scale);
    return {made, unit, made.label(axis.what, unit.name)};
}

}  // namespace

shown_axis shown_axis_of(const std::vector<chart>& all, const chart& c, bool upwards) {
    const chart_axis& axis = upwards ? c.y : c.x;
    value_extent values;
    for (const chart& each : all) {
        if (&each == &c || (!c.group.empty() && each.group == c.group)) {
            values.include(each, upwards);
        }
    }
    if (axis.has_zero) {
        values.include(0);
    }
    if (upwards && c.nines) {
        return {nines_axis(values.most_values), {}, "Percentile [%]"};
    }
    if (axis.tics || !axis.names.empty()) {
        const axis_unit unit = axis.unit.value_or(axis_unit{});
        const plot_axis tics = axis.tics ? *axis.tics : names_axis(axis.names, upwards);
        return {tics, unit,
                axis.what + (unit.name.empty() ? "" : " [" + unit.name + "]") +
                    (tics.logarithmic ? ", log scale" : ""),
                !axis.names.empty()};
    }
    return axis.kind == axis_kind::share ? shown_axis{linear_axis(1), {}, axis.what}
                                         : fitted(axis, values, upwards);
}

}  // namespace weir::tb
