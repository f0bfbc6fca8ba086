// All ranks of a run compute their part of one simulation, so they need the same program, options and files. On
// several machines they may have others: a copy that was not renewed, a directory that is not shared.
//
//   const auto difference = difference_between_ranks(team, facts_of_rank(config));
//   if (difference) {
//       errors.push_back(*difference);
//   }
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tb/run/options/run_config.h"
#include "weir/base/config_error.h"
#include "weir/model/ranks/rank_team.h"

namespace weir::tb {

/// A fact that has to be the same on all ranks, by its name.
using rank_fact = std::pair<std::string, std::string>;

/// The program, all options, and the checksums of the files that they name.
std::vector<rank_fact> facts_of_rank(const run_config& config);

/// The first fact that a rank has otherwise than rank 0, as an error of the "file" `ranks`: on rank 0;
/// elsewhere nothing. Collective.
std::optional<config_error> difference_between_ranks(model::rank_team& team, std::vector<rank_fact> own);

}  // namespace weir::tb
