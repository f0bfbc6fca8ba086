// `weir replay mac10g`: a 10G MAC whose transmit side feeds its own receive side; requests and data frames in,
// frames on XGMII and what the far end makes of them out.
#pragma once

#include "tb/replay/replay_job.h"

namespace weir::tb {

replay_block mac10g_replay();

}  // namespace weir::tb
