// Median, 99th and 99.9th percentile of completion time against transfer size, one panel each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tb/plot/gnuplot.h"
#include "tb/plot/plot_axis.h"
#include "tb/plot/run_reader.h"

namespace weir::tb {

/// Percentiles of one run by size.
struct sized_completions {
    std::string label;
    std::vector<completion> values;
};

/// All jobs of each run.
std::vector<sized_completions> jobs_by_size(const std::vector<run_data>& runs);
/// All sizes, or one more than have points of their own.
std::set<std::uint64_t> first_sizes(const std::vector<sized_completions>& runs);

/// Percentiles that are shown of each size.
inline constexpr std::array<double, 3> percentiles_of_sizes{50, 99, 99.9};

/// A size, or a group of them at the middle of its power of two.
struct size_point {
    double bytes;
    std::size_t count;
    /// Unit: ns; 0 where there are too few values, or too many of them have not completed.
    std::array<double, percentiles_of_sizes.size()> time_ns;
};

/// Up to this many sizes have points of their own; more are grouped by powers of two.
inline constexpr std::size_t most_single_sizes = 24;

/// Ascending by size, for each run, whose values are sorted on the way. Nothing where all values have one size.
std::vector<std::vector<size_point>> percentiles_by_size(std::vector<sized_completions>& runs);

/// `size_label` names the axis of sizes; of slowdowns `time_ns` has these. Nothing where all values have one
/// size. A percentile that too few values back has no point.
std::optional<picture> percentile_picture(const picture_head& head, const std::string& size_label,
                                          std::vector<sized_completions> runs,
                                          const axis_quantity& quantity = completion_time);

}  // namespace weir::tb
