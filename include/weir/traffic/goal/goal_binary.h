// GOAL's binary format, as LogGOPSim's txt2bin writes it; goal_file.h says what is where.
//
// It is read rank by rank, so the parts have to stand in the order of the ranks, each behind the one before.
#pragma once

#include "weir/traffic/goal/goal_file.h"

namespace weir::traffic {

/// The first octet of such a file; no text begins with it.
inline constexpr int first_octet_of_goal_binary = 4223 & 0xFF;

goal_file read_goal_binary(std::istream& in, const std::string& file);

}  // namespace weir::traffic
