// Metrics for people: what each is called in pictures, and the unit of its axis.
//
//   metric_title("jct_ns.p99_9");                              // 99.9th percentile of job completion time
//   metric_axis_unit("jct_ns.p99_9", 1e6, 3e6, false).name;    // ms
#pragma once

#include <string>

#include "tb/run/results/derived_metric.h"
#include "tb/view/chart/plot_axis.h"

namespace weir::tb {

/// Every number of a summary.json has a title: `99th percentile of transfer completion time`, `Frames lost:
/// egress full`, `Median of job completion time (query, 8 KiB, priority 7)`. The title of a derived metric is
/// its definition.
std::string metric_title(const std::string& name, const derived_metrics& definitions = {});

axis_kind metric_axis_kind(const std::string& name);
/// In which values from `low` to `high` are small numbers on an axis. Counts have no unit, or `thousands`.
axis_unit metric_axis_unit(const std::string& name, double low, double high, bool logarithmic);

}  // namespace weir::tb
