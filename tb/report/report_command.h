// `weir report DIR [DIR ...] --out FILE.html`: one page of a run, or of several compared.
//
//   std::ostringstream out, err;
//   int status = report_command({"run_fc", "run_detail", "--out", "report.html"}, out, err);
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace weir::tb {

/// Writes the page's name on `out`, warnings and errors on `err`. Returns the exit status: 0; 2 for bad input,
/// in which case nothing is written. Throws output_error where the file cannot be written.
int report_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err);

}  // namespace weir::tb
