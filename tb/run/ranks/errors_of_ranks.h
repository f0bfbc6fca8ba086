// Mistakes in what the ranks of one command were started with. Every rank looks for them in its own words and
// files: these may differ between machines.
//
//   const bool refused = print_other_command(team, "run", err) ||     // rank 0 has said why
//                        print_errors_of_ranks(team, errors, err);
#pragma once

#include <ostream>
#include <string>

#include "weir/base/config_error.h"
#include "weir/model/ranks/rank_team.h"

namespace weir::tb {

/// Prints the errors of the first rank that has any, with its number where it is not rank 0. False where no
/// rank has any. Collective; only rank 0's `err` is read by somebody.
bool print_errors_of_ranks(model::rank_team& team, const config_errors& errors, std::ostream& err);

/// Prints, on rank 0, which rank was started with another command of weir than rank 0. False where none was.
/// Collective.
bool print_other_command(model::rank_team& team, const std::string& command, std::ostream& err);

}  // namespace weir::tb
