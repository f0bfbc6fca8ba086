// The points of sweeps in one table: what was varied, how many runs there are, and means over the seeds with
// their intervals.
//
//   data_table table = sweep_table({sweep}, {"bursts"}, sweep_table_request{}, errors);
#pragma once

#include <string>
#include <vector>

#include "tb/sweep/metrics.h"
#include "tb/table/campaign_runs.h"
#include "tb/table/run_table.h"
#include "weir/base/config_error.h"

namespace weir::tb {

struct sweep_table_request {
    metric_filter filter;
    /// Of the intervals. Range: above 0, below 1.
    double confidence = 0.95;
    /// For programs: every metric is read, not only what people are shown.
    bool is_complete = true;
    /// The sweep's name stands in each row, for people, too.
    bool names_sweeps = false;
};

/// Sweeps that vary the same options; `labels` are theirs. Reads their runs. Errors: options that differ, runs
/// that are damaged, metrics that no run has.
data_table sweep_table(const std::vector<campaign_runs>& sweeps, const std::vector<std::string>& labels,
                       const sweep_table_request& request, config_errors& errors);

}  // namespace weir::tb
