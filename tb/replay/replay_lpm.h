// `weir replay lpm`: prefixes written over time and keys in, the longest matching prefix of every lookup out.
#pragma once

#include "tb/replay/replay_job.h"

namespace weir::tb {

replay_block lpm_replay();

}  // namespace weir::tb
