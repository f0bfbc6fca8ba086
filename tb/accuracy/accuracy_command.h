// `weir accuracy SWEEP_DIR --pair KEY=MODEL,REFERENCE --out DIR`: how far one model is from another.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace weir::tb {

/// Exit status: 0, 3 where gnuplot failed or a file could not be written, 2 for bad input; nothing is written
/// then.
int accuracy_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err);

}  // namespace weir::tb
