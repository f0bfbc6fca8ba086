// run.json: values that may differ between equal runs.
//
//   write_facts(directory, stopwatch, simulated, config, "complete", warnings);
#pragma once

#include "tb/run/options/run_config.h"
#include "tb/run/results/summary_writer.h"
#include "tb/run/simulation/simulation.h"
#include "tb/run/simulation/warning_log.h"
#include "tb/run/summary/run_facts.h"
#include "tb/support/files/run_directory.h"

namespace weir::tb {

/// Collective. `ended`: `complete`, `interrupted` or `failed`. Throws output_error.
void write_facts(const run_directory& directory, const run_stopwatch& stopwatch, simulation& simulated,
                 const run_config& config, const char* ended, const warning_log& warnings);

}  // namespace weir::tb
