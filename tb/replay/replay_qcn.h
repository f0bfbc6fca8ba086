// `weir replay qcn`: QCN's congestion point, frame by frame, or its reaction point, message by message.
#pragma once

#include "tb/replay/replay_job.h"

namespace weir::tb {

replay_block qcn_replay();

}  // namespace weir::tb
