// `weir replay pfc-tx`: requests and data frames in, frames and statistics of the transmitter out.
#pragma once

#include "tb/replay/replay_job.h"

namespace weir::tb {

replay_block pfc_tx_replay();

}  // namespace weir::tb
