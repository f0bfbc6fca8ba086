// `weir replay tcp_cc`: a script of ACKs, losses and marks in, a congestion control's window after each event
// out.
#pragma once

#include "tb/replay/replay_job.h"

namespace weir::tb {

replay_block tcp_cc_replay();

}  // namespace weir::tb
