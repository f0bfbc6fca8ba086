// run.json: values that may differ between equal runs.
//
//   write_facts(directory, stopwatch, simulated, config, "complete", warnings);
#pragma once

#include "tb/files/run_directory.h"
#include "tb/options/run_config.h"
#include "tb/results/run_facts.h"
#include "tb/results/summary_writer.h"
#include "tb/run/simulation.h"
#include "tb/run/warning_log.h"

namespace weir::tb {

/// Collective. `ended`: `complete`, `interrupted` or `failed`. Throws output_error.
void write_facts(const run_directory& directory, const run_stopwatch& stopwatch, simulation& simulated,
                 const run_config& config, const char* ended, const warning_log& warnings);

}  // namespace weir::tb
