// Completion times of a run, as distributions want them.
//
//   std::vector<labelled_values> jobs = completion_values_of(runs, completion_measure::job_time);
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tb/plot/distribution_plot.h"
#include "tb/plot/run_reader.h"

namespace weir::tb {

enum class completion_measure : std::uint8_t {
    job_time,
    transfer_time,
    /// Of transfers whose time in an empty fabric is known.
    transfer_slowdown
};

/// Adds a time, or the age of what has not completed.
void add_to(labelled_values& all, const completion& c, double value);
/// Values of all jobs or transfers that were read, ascending, for each run under its label.
std::vector<labelled_values> completion_values_of(const std::vector<run_data>& runs,
                                                  completion_measure measure);

/// Jobs or transfers of one tag and class.
struct completion_group_values {
    /// `query, class 7`
    std::string name;
    /// One for each run, ascending; empty where it has none.
    std::vector<labelled_values> runs;
};
struct completion_groups {
    /// In the order of their names.
    std::vector<completion_group_values> shown;
    /// Names of those beyond the `most` with most values.
    std::vector<std::string> left_out;
};
completion_groups completions_by_group(const std::vector<run_data>& runs, completion_measure measure,
                                       std::size_t most);

/// Run by run, whatever the labels: where each job is one transfer, both pictures would be the same.
bool have_equal_values(const std::vector<labelled_values>& a, const std::vector<labelled_values>& b);

}  // namespace weir::tb
