// `weir replay BLOCK ...`: drives one block with a stimulus file and writes what it did, in the formats of
// the golden traces (docs/replay.md).
//
//   std::ostringstream out, err;
//   int status = replay_command({"islip", "--requests", "r.csv", "--iterations", "3", "--out", "o.csv"},
//                               out, err);
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace weir::tb {

/// Returns the exit status: 0; 3 if a result file could not be written; 2 for bad input, in which case
/// nothing is written.
int replay_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err);

}  // namespace weir::tb
