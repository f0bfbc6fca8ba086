// The help of `weir replay` and of its blocks, from their option lists.
#pragma once

#include <ostream>
#include <vector>

#include "tb/replay/replay_job.h"

namespace weir::tb {

void write_replay_help(std::ostream& out, const std::vector<replay_block>& blocks);
void write_replay_help(std::ostream& out, const replay_block& block);

}  // namespace weir::tb
