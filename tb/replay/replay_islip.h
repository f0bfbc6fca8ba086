// `weir replay islip`: request matrices in, matchings, pointers, grants and accepts out.
#pragma once

#include "tb/replay/replay_job.h"

namespace weir::tb {

replay_block islip_replay();

}  // namespace weir::tb
