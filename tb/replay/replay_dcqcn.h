// `weir replay dcqcn`: times of CNPs and of byte-counter expiries in, a queue pair's rate after each event out.
#pragma once

#include "tb/replay/replay_job.h"

namespace weir::tb {

replay_block dcqcn_replay();

}  // namespace weir::tb
