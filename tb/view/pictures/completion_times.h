// Completion times of a run, as distributions want them.
//
//   std::vector<labelled_values> jobs = completion_values_of(runs, completion_measure::job_time);
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "tb/view/chart/distribution_plot.h"
#include "tb/view/pictures/run_reader.h"

namespace weir::tb {

enum class completion_measure : std::uint8_t {
    job_time,
    transfer_time,
    /// Of transfers whose time in an empty fabric is known.
    transfer_slowdown
};

/// Calls take(completion, value, kind) for each job or transfer that has a value; of transfers the kind is
/// empty.
template <class Take>
void for_each_completion(const run_data& run, completion_measure measure, Take&& take) {
    if (measure == completion_measure::job_time) {
        for (const auto& [kind, jobs] : run.completed.jobs_by_kind) {
            for (const completion& c : jobs) {
                take(c, c.time_ns, kind);
            }
        }
        return;
    }
    for (const completion& c : run.completed.transfers) {
        const double value = measure == completion_measure::transfer_time ? c.time_ns : c.slowdown;
        if (!std::isnan(value)) {
            take(c, value, std::string());
        }
    }
}

/// Adds a time, or the age of what has not completed.
void add_to(labelled_values& all, const completion& c, double value);
/// Values of all jobs or transfers that were read, ascending, for each run under its label.
std::vector<labelled_values> completion_values_of(const std::vector<run_data>& runs,
                                                  completion_measure measure);

/// Run by run, whatever the labels: where each job is one transfer, both pictures would be the same.
bool have_equal_values(const std::vector<labelled_values>& a, const std::vector<labelled_values>& b);

}  // namespace weir::tb
