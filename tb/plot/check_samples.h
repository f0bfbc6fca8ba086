// Whether a run's samples are all there: occupancy.csv and pauses.csv, port_series.csv and pool_series.csv. No
// count of them is kept; but all of a table's series have the same times (those of the latter two from their
// first one on), both tables have the same last one, and the next would lie beyond the end of the run or of
// output.window_end.
#pragma once

#include "tb/plot/run_reader.h"

namespace weir::tb {

/// Adds an error for a table that was cut. The end of the window is taken from the run's effective.ini; without
/// one only the tables are compared.
void check_samples(run_data& run);

}  // namespace weir::tb
