// `weir replay pfc-rx`: control frames in, pauses and every pulse of the receiver out.
#pragma once

#include "tb/replay/replay_job.h"

namespace weir::tb {

replay_block pfc_rx_replay();

}  // namespace weir::tb
