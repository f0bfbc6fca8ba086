// The replays of transports' references: one file of scenarios, whose line says the parameters, and for each of
// them a file of stimuli named for it, `reno_mix.stim.csv`.
//
//   csv_file scenarios(job.text("scenarios"), job.errors());
//   const std::size_t mss = scenarios.column("mss");
//   if (go_to_scenario(scenarios, job)) { ... }       // its line is the current one
#pragma once

#include "tb/replay/replay_job.h"
#include "tb/text/csv_file.h"

namespace weir::tb {

/// Option `--scenario`.
replay_option scenario_option();
/// Goes to the line of the scenario that `--scenario` names, or else the name of the file of stimuli up to its
/// first point. False, and an error, if there is none.
bool go_to_scenario(csv_file& scenarios, replay_job& job);

}  // namespace weir::tb
