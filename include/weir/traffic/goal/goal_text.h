// GOAL's text format; goal_file.h has an example.
//
// One statement a line. Ranks stand in the order of their numbers, each once. A label is a letter, then
// letters, digits and `_`; it belongs to its rank, and may be required before the line that it labels. `tag`,
// `cpu` and `nic` are 0 where they are missing.
#pragma once

#include "weir/traffic/goal/goal_file.h"

namespace weir::traffic {

goal_file read_goal_text(std::istream& in, const std::string& file);

}  // namespace weir::traffic
