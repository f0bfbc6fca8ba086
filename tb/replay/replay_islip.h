// `weir replay islip`: request matrices in, matchings, pointers, grants and accepts out.
#pragma once

#include "tb/replay/replay_job.h"

namespace weir {

replay_block islip_replay();

}  // namespace weir
