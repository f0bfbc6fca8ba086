// The replays of transports' references: one file of scenarios, whose lines have the parameters, and for each
// of them a file of stimuli named for it, `reno_mix.stim.csv`.
//
//   if (const std::optional<scenario> read = read_scenario<scenario>(job)) { ... }
#pragma once

#include <optional>

#include "tb/replay/replay_job.h"

namespace weir::tb {

/// Option `--scenario`.
replay_option scenario_option();
/// Goes to the line of the scenario that `--scenario` names, or else the name of the file of stimuli up to its
/// first point, or to the only line. False, and an error, if there is none.
bool go_to_scenario(csv_file& scenarios, replay_job& job);
/// Reports a later line of the same scenario.
void refuse_repeated_scenario(csv_file& scenarios);

/// The parameters of that scenario; none, and errors, if they have mistakes. `Scenario` has a column
/// `scenario`; check(file, scenario) reports relations between parameters that do not hold.
template <class Scenario, class Check>
std::optional<Scenario> read_scenario(replay_job& job, const Check& check) {
    auto file = job.read<Scenario>("scenarios");
    if (!go_to_scenario(file, job)) {
        return std::nullopt;
    }
    std::optional<Scenario> found;
    if (const Scenario* const read = file.current()) {
        check(file, found.emplace(*read));
    }
    refuse_repeated_scenario(file);
    return job.errors().empty() ? found : std::nullopt;
}
template <class Scenario>
std::optional<Scenario> read_scenario(replay_job& job) {
    return read_scenario<Scenario>(job, [](const csv_file&, const Scenario&) {});
}

}  // namespace weir::tb
