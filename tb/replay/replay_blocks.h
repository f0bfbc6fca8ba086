// The blocks that `weir replay` knows, in the order of its help.
#pragma once

#include <vector>

#include "tb/replay/replay_cam.h"
#include "tb/replay/replay_dcqcn.h"
#include "tb/replay/replay_goal.h"
#include "tb/replay/replay_islip.h"
#include "tb/replay/replay_job.h"
#include "tb/replay/replay_lpm.h"
#include "tb/replay/replay_mac10g.h"
#include "tb/replay/replay_pfc_rx.h"
#include "tb/replay/replay_pfc_tx.h"
#include "tb/replay/replay_qcn.h"
#include "tb/replay/replay_red.h"
#include "tb/replay/replay_tcam.h"
#include "tb/replay/replay_tcp_cc.h"

namespace weir::tb {

inline std::vector<replay_block> replay_blocks() {
    return {islip_replay(),  tcam_replay(),   lpm_replay(), cam_replay(), pfc_rx_replay(), pfc_tx_replay(),
            mac10g_replay(), tcp_cc_replay(), red_replay(), qcn_replay(), dcqcn_replay(),  goal_replay()};
}

}  // namespace weir::tb
