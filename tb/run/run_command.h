// `weir run CONFIG.ini [--key=value ...] --out DIR`, and its dry run.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace weir::tb {

/// Returns the exit status: see tb/process/exit_status.h; a run whose traffic does not end is a verdict.
int run_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err);

}  // namespace weir::tb
