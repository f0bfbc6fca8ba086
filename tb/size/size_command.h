// `weir size CONFIG.ini --goal GOAL --smallest KEY=VALUES --out DIR`: the value of an option that meets a goal.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace weir::tb {

/// Exit status: 0 met; 1 not met or not decided, or a run failed; 2 bad input (nothing was written); 3 a file
/// could not be written, or gnuplot failed; 129, 130 and 143 interrupted, to be gone on with by the same
/// command.
int size_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err);

}  // namespace weir::tb
