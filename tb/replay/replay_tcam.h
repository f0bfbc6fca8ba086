// `weir replay tcam`: ternary tables and keys in, the winner and all matches of every lookup out.
#pragma once

#include "tb/replay/replay_job.h"

namespace weir::tb {

replay_block tcam_replay();

}  // namespace weir::tb
