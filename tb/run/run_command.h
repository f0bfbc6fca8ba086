// `weir run CONFIG.ini [--key=value ...] --out DIR`, and its dry run.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace weir {

/// Exit status: 0 success, 1 the run failed, 2 bad input (nothing was written), 130 and 143 interrupted.
int run_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err);

}  // namespace weir
