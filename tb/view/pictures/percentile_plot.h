// Median, 99th and 99.9th percentile of completion time against transfer size, one panel each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tb/view/chart/figure.h"
#include "tb/view/chart/gnuplot.h"
#include "tb/view/chart/plot_axis.h"
#include "tb/view/pictures/completion_times.h"
#include "tb/view/pictures/run_reader.h"

namespace weir::tb {

/// Completions of one run, of any sizes.
struct sized_completions {
    std::string label;
    std::vector<completion> values;
};

/// All jobs or transfers of each run, whose times are the values of the measure.
std::vector<sized_completions> sized_values_of(const std::vector<run_data>& runs, completion_measure measure);
/// All sizes, or one more than have points of their own.
std::set<std::uint64_t> first_sizes(const std::vector<sized_completions>& runs);

/// Up to this many sizes have points of their own; more are grouped by powers of two.
inline constexpr std::size_t most_single_sizes = 24;

/// Median, 99th and 99.9th percentile over sizes, or over groups of them at the middles of powers of two, a
/// panel each. A percentile that too few values back, or that is above what has completed, has no point.
/// `size_label` names the axis of sizes. Nothing where all values have one size, or no size has a percentile.
std::optional<figure> percentile_figure(const picture_head& head, const std::string& size_label,
                                        std::vector<sized_completions> runs,
                                        const axis_quantity& quantity = completion_time);

}  // namespace weir::tb
