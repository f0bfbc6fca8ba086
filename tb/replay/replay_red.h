// `weir replay red`: arrivals and departures of an egress queue in, what its marker says of each arrival out.
#pragma once

#include "tb/replay/replay_job.h"

namespace weir::tb {

replay_block red_replay();

}  // namespace weir::tb
