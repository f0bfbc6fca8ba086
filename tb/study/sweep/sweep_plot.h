// A picture of one metric, or of several below each other, over one or two swept options: means over the seeds
// with their confidence intervals.
//
// An option that is a quantity makes the horizontal axis, logarithmic where its values lie so; the mean is a
// line, its interval a band. Names (schemes, files) stand side by side, each with an error bar. A second option
// makes a family of curves.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tb/study/sweep/point_choice.h"
#include "tb/study/sweep/sweep_results.h"
#include "tb/view/chart/draw_pictures.h"
#include "tb/view/chart/gnuplot.h"
#include "weir/base/config_error.h"
#include "weir/base/enum_names.h"

namespace weir::tb {

struct sweep_plot_request {
    /// One or two swept keys: the horizontal axis, and the curves.
    std::vector<std::string> over;
    /// A value of each swept option that is not drawn. One that is missing has its axis' first value, if it
    /// may.
    choice where;
    double confidence = 0.95;
    /// Of the curves' option: the places that are drawn. Empty: all.
    std::vector<std::size_t> curves;
    /// Of the curves' option, or of the horizontal axis' where there are no curves: the place to whose values
    /// all are drawn relative.
    std::optional<std::size_t> reference;
    /// Empty: what the metric is called.
    std::string title;
    /// Of its files. Empty: sweep_picture_name.
    std::string name;
    enum class scales { automatic, linear, logarithmic };
    scales scale = scales::automatic;
};
constexpr auto names_of(sweep_plot_request::scales) {
    using scales = sweep_plot_request::scales;
    return enum_names<scales>(
        {{scales::linear, "linear"}, {scales::logarithmic, "log"}, {scales::automatic, "auto"}});
}

/// The first option that is a quantity (the first one, where none is) over the first of the others.
sweep_plot_request default_sweep_plot(const sweep_plan& plan);

/// What keeps a sweep from being drawn so: an option that it does not vary, two that move together, a value
/// that is not there, more curves than can be told apart, equal places on the axis. With `all_fixed`, also an
/// option that is neither drawn nor in `where`.
config_errors check_sweep_plot(const sweep_plan& plan, const sweep_plot_request& request,
                               bool all_fixed = false);

/// Draws metrics (names, beginnings or patterns) into `plots` in the sweep's directory, over its first two
/// options. Returns the exit status.
int draw_sweep(const sweep_plan& plan, const campaign_layout& layout, const std::vector<std::string>& metrics,
               double confidence, std::ostream& out, std::ostream& err);

/// Errors of `--over` for definitions of metrics, which belong to `--metric`.
config_errors check_over(const sweep_plot_request& request);
/// Replaces the metric of the horizontal axis, in any spelling that `--metric` takes, by its name in the
/// results. Returns the error of `--over` if it does not name one metric of some run; `expected` ends it.
config_errors name_over_metric(const sweep_results& results, const char* expected, sweep_plot_request& request);

/// Draws the metrics that the filter takes. The request is checked; with
/// `is_over_metric` its first axis is the name of a metric, with `is_tradeoff` all points are drawn with their
/// Pareto front. Returns the exit status.
int draw_metrics(const sweep_results& results, const metric_filter& filter, const sweep_plot_request& request,
                 bool is_over_metric, bool is_tradeoff, const picture_arguments& files, std::ostream& out,
                 std::ostream& err);

/// Of its picture's files.
std::string sweep_picture_name(const std::string& metric, const sweep_plot_request& request);

/// What a picture shows of a metric at the point with these places by axis: the mean over the seeds, or that of
/// its ratios to the curve of `reference`.
mean_interval drawn_mean(const sweep_results& results, const sweep_plot_request& request,
                         const std::vector<std::size_t>& at, std::size_t metric);

/// A panel for each metric that has a value at some point; nothing where none has. The request has passed
/// `check_sweep_plot`.
std::optional<picture> sweep_picture(const sweep_results& results, const std::vector<std::size_t>& metrics,
                                     const sweep_plot_request& request);

}  // namespace weir::tb
