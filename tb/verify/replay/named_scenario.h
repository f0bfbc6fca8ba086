// The replays of transports' references: one file of scenarios, whose lines have the parameters, and for each
// of them a file of stimuli named for it, `reno_mix.stim.csv`.
//
//   if (const std::optional<scenario> read = read_scenario<scenario>(job)) { ... }
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "tb/verify/replay/replay_job.h"

namespace weir::tb {

/// Option `--scenario`.
replay_option scenario_option();
/// The name that `--scenario` says, or else the name of the file of stimuli up to its first point.
std::string wanted_scenario(const replay_job& job);
/// Reports that no line has this name.
void refuse_missing_scenario(replay_job& job, const std::string& wanted);

/// The parameters of the wanted scenario, or of the only one if no name is given; none, and errors, if they
/// have mistakes. `Scenario` has a column `scenario`; check(file, scenario) reports relations between good
/// parameters that do not hold.
template <class Scenario, class Check>
std::optional<Scenario> read_scenario(replay_job& job, const Check& check) {
    auto file = job.read<Scenario>("scenarios");
    const std::string wanted = wanted_scenario(job);
    // A missing column has been reported.
    const std::optional<std::size_t> name = file.optional_column("scenario");
    std::optional<Scenario> found;
    for (bool may_be_lone = !job.given("scenario"); name && file.csv_file::next(); may_be_lone = false) {
        if (file.text(*name) != wanted && !(may_be_lone && file.is_at_end())) {
            continue;
        }
        if (found) {
            file.refuse_text("scenario", "is in an earlier line, too; expected each scenario once");
        } else {
            check(file, found.emplace(file.current()));
        }
    }
    if (!found && job.errors().empty()) {
        refuse_missing_scenario(job, wanted);
    }
    return job.errors().empty() ? found : std::nullopt;
}
template <class Scenario>
std::optional<Scenario> read_scenario(replay_job& job) {
    return read_scenario<Scenario>(job, [](const auto&, const Scenario&) {});
}

}  // namespace weir::tb
