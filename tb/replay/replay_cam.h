// `weir replay cam`: writes, deletions and lookups of an exact-match memory in order, answers and cycles out.
#pragma once

#include "tb/replay/replay_job.h"

namespace weir::tb {

replay_block cam_replay();

}  // namespace weir::tb
