// Completion times of a run, as distributions want them.
//
//   std::vector<labelled_values> jobs{job_times(run)};
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tb/plot/distribution_plot.h"
#include "tb/plot/run_reader.h"

namespace weir::tb {

/// Of all jobs, and of all transfers, that were read; ascending, under the run's label.
labelled_values job_times(const run_data& run);
labelled_values transfer_times(const run_data& run);
/// Of transfers whose time in an empty fabric is known.
labelled_values transfer_slowdowns(const run_data& run);

/// Transfers of one tag and class.
struct transfer_group {
    /// `query, class 7`
    std::string name;
    /// One list for each run, ascending; empty where it has none.
    std::vector<labelled_values> runs;
};
struct transfer_groups {
    /// In the order of their names.
    std::vector<transfer_group> shown;
    /// Names of those beyond the `most` with most transfers.
    std::vector<std::string> left_out;
};
/// `value`: &finished_transfer::time_ns or &finished_transfer::slowdown, of transfers where it is known.
transfer_groups transfers_by_group(const std::vector<run_data>& runs, double finished_transfer::*value,
                                   std::size_t most);

/// Run by run, whatever the labels: where each job is one transfer, both pictures would be the same.
bool have_equal_values(const std::vector<labelled_values>& a, const std::vector<labelled_values>& b);

}  // namespace weir::tb
