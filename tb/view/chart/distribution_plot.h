// Distributions of completion times, several runs overlaid on a logarithmic time axis.
//
// Two views of the same points: the share completed (0 to 1), as papers print it, and the percentile on a
// scale of nines (0, 90, 99, 99.9 ...), which shows the tail. Markers stand at the 50th, 90th, 99th, ...
// percentile, as far as there are enough values. What has not completed counts with its age (product_limit.h):
// a curve ends at the last completion, and the legend says how many of how many that is.
//
//   std::vector<labelled_values> runs{{"FC", {1000, 2000, 2500}}, {"DeTail", {900, 1100, 1300}}};
//   figure f = distribution_figure({"job_completion_cdf", "Job completion time", "2 runs"}, runs);
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tb/view/chart/figure.h"
#include "tb/view/chart/gnuplot.h"
#include "tb/view/chart/plot_axis.h"

namespace weir::tb {

/// Times or slowdowns of what has completed in a run, and ages of what has not. Unit: ns; of slowdowns 1.
struct labelled_values {
    std::string label;
    /// Ascending.
    std::vector<double> values;
    /// In any order; infinite where the age is not known as a slowdown.
    std::vector<double> ages = {};
    /// Number of completions that are counted but have no place in `values`, because they are not drawn.
    std::size_t not_drawn = 0;

    std::size_t completed() const { return values.size() + not_drawn; }
    std::size_t started() const { return completed() + ages.size(); }
    /// Share of what has started, by the product-limit estimator, that completes within each of the values. A
    /// curve ends at the last value, below 1 where something has not completed.
    std::vector<double> shares() const;
    /// The smallest value within which that share completes; nothing where the values do not reach it, or there
    /// are too few. Range: 0 < percent <= 100.
    std::optional<double> percentile(double percent) const;
    /// `DeTail`, or `DeTail (3,568 of 10,673 completed)`; of several parts of a run all together.
    static std::string legend(const std::vector<const labelled_values*>& parts);
};

/// Distributions of one size, or of another part of the jobs or transfers, over all runs.
struct panel_distributions {
    std::string title;
    std::vector<labelled_values> runs;
};

/// The smallest value that at least the share `percent` of the values does not exceed (nearest rank).
/// Range: 0 < percent <= 100; at least one value.
double percentile(const std::vector<double>& ascending, double percent);

/// Which of n ascending values to draw, counted from 1: all, or at most `most` of them. They lie so close
/// that no share is off by more than 2/most, that none beyond the median is off by more than 3 % of its
/// distance from 1, and that the last values and every percentile with a marker are there. Range: most >= 1000.
std::vector<std::size_t> thinned_ranks(std::size_t n, std::size_t most = 2000);

/// `; markers: 50th, 90th, 99th percentile`: those that a curve of these has; empty where none has any.
std::string marks_text(const std::vector<labelled_values>& runs);

/// The distributions in both views; of many runs, also a row for each run with its percentiles. Runs without
/// values have no curve, but an entry in the legend. `logarithmic`: the axis of times; a linear one ends at the
/// largest 99.9th percentile.
figure distribution_figure(const picture_head& head, const std::vector<labelled_values>& runs,
                           bool logarithmic = true, const axis_quantity& shown = completion_time);

/// One panel for each that has values, on the scale of nines, all with the same axes.
figure distribution_panels(const picture_head& head, const std::vector<panel_distributions>& panels,
                           const axis_quantity& shown = completion_time);

}  // namespace weir::tb
