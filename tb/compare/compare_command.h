// `weir compare EXPECTED ACTUAL ...`: two files of events, stream by stream, with tolerances and waivers.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace weir::tb {

/// Returns the exit status: 0 no mismatch; 1 mismatches that are not waived, or no event at all; 2 bad input.
int compare_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err);

}  // namespace weir::tb
