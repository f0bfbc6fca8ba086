// Reads the sampled tables of a run's directory: occupancy.csv, pauses.csv, windows.csv, rates.csv,
// port_series.csv, pool_series.csv, busy_links.csv, full_queues.csv, as far as the run has written them.
//
//   read_series(run);                  // of run.directory
//   if (run.errors.empty()) {
//       check_samples(run);
//   }
#pragma once

#include "tb/view/pictures/run_reader.h"

namespace weir::tb {

/// Lines that are missing at the end of a table are found by `check_samples`.
void read_series(run_data& run);

/// Adds an error for a table that was cut. No count of samples is kept; but all series of a table have its last
/// time, occupancy.csv and pauses.csv have the same one, as have port_series.csv and pool_series.csv, and the
/// next sample would lie beyond the end of the run or of output.window_end. Without an effective.ini only the
/// tables are compared.
void check_samples(run_data& run);

}  // namespace weir::tb
