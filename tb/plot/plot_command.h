// `weir plot DIR [DIR ...] --out DIR`: pictures of one run, or of several overlaid.
//
//   std::ostringstream out, err;
//   int status = plot_command({"run_fc", "run_detail", "--size", "8192", "--out", "plots"}, out, err);
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace weir::tb {

/// Writes the pictures' names on `out`, notes and errors on `err`. Returns the exit status: 0; 3 if gnuplot
/// failed or a file could not be written; 2 for bad input, in which case nothing is written.
int plot_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err);

}  // namespace weir::tb
