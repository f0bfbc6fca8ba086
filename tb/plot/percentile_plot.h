// Median, 99th and 99.9th percentile of completion time against transfer size, one panel each.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tb/plot/gnuplot.h"
#include "tb/plot/run_reader.h"

namespace weir::tb {

/// Percentiles of one run by size.
struct sized_completions {
    std::string label;
    std::vector<completion> values;
};

/// Up to this many sizes have points of their own; more are grouped by powers of two.
inline constexpr std::size_t most_single_sizes = 24;

/// `size_label` names the axis. Nothing where all values have one size. A percentile that too few values back
/// has no point.
std::optional<picture> percentile_picture(const std::string& name, const std::string& title,
                                          const std::string& details, const std::string& size_label,
                                          std::vector<sized_completions> runs);

}  // namespace weir::tb
