// Measures how fast this machine is now. Costs of experiments (experiments.csv) are seconds of
// a processor on which the reference run takes one second.
#pragma once

namespace weir::tb {

/// Simulates 100 ms of DeTail's 96 hosts with 2,000 queries per second each, `jobs` times beside each other,
/// five times one after the other. Returns the median of the five means of processor time. Unit: s. Throws
/// command_error if a run fails.
double time_of_reference_run(unsigned jobs);

}  // namespace weir::tb
