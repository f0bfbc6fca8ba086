// `weir sweep CONFIG.ini --vary KEY=VALUES ... --out DIR`: many runs, one table.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace weir::tb {

/// Exit status: 0 success; 1 a run failed; 2 bad input (nothing was written); 3 a file could not be written, or
/// gnuplot failed; 129, 130 and 143 interrupted, to be gone on with by the same command.
int sweep_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err);

}  // namespace weir::tb
