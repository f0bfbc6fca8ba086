// Mistakes in the input of a run, which every rank looks for in its own files: they may differ between
// machines.
//
//   const bool refused = print_errors_of_ranks(team, errors, err);    // rank 0 has said why
#pragma once

#include <ostream>

#include "weir/base/config_error.h"
#include "weir/model/ranks/rank_team.h"

namespace weir::tb {

/// Prints the errors of the first rank that has any, with its number where it is not rank 0. False where no
/// rank has any. Collective; only rank 0's `err` is read by somebody.
bool print_errors_of_ranks(model::rank_team& team, const config_errors& errors, std::ostream& err);

}  // namespace weir::tb
