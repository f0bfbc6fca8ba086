// Completion times of a run, as distributions want them.
//
//   std::vector<labelled_values> jobs{job_times(run)};
#pragma once

#include <vector>

#include "tb/plot/distribution_plot.h"
#include "tb/plot/run_reader.h"

namespace weir::tb {

/// Of all jobs, and of all transfers, that were read; ascending, under the run's label.
labelled_values job_times(const run_data& run);
labelled_values transfer_times(const run_data& run);
/// Of transfers whose time in an empty fabric is known.
labelled_values transfer_slowdowns(const run_data& run);
/// Run by run, whatever the labels: where each job is one transfer, both pictures would be the same.
bool have_equal_values(const std::vector<labelled_values>& a, const std::vector<labelled_values>& b);

}  // namespace weir::tb
