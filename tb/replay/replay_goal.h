// `weir replay goal`: a GOAL schedule in, the times at which its ranks end on an ideal network out.
#pragma once

#include "tb/replay/replay_job.h"

namespace weir::tb {

replay_block goal_replay();

}  // namespace weir::tb
