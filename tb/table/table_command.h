// `weir table DIR [DIR ...]`: runs side by side, or the points of sweeps, in a format for people or programs.
//
//   std::ostringstream out, err;
//   int status = table_command({"out/baseline", "out/detail", "--format=csv"}, out, err);
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace weir::tb {

/// Prints the table on `out`, notes and errors on `err`. Returns the exit status: 0; 2 for bad input, in which
/// case nothing is printed on `out`.
int table_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err);

}  // namespace weir::tb
