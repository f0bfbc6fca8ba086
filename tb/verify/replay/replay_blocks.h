// The blocks that `weir replay` knows, in the order of its help.
#pragma once

#include <vector>

#include "tb/verify/replay/replay_job.h"

namespace weir::tb {

replay_block islip_replay();
replay_block tcam_replay();
replay_block lpm_replay();
replay_block cam_replay();
replay_block pfc_rx_replay();
replay_block pfc_tx_replay();
replay_block mac10g_replay();
replay_block tcp_cc_replay();
replay_block red_replay();
replay_block qcn_replay();
replay_block dcqcn_replay();
replay_block goal_replay();

inline std::vector<replay_block> replay_blocks() {
    return {islip_replay(),  tcam_replay(),   lpm_replay(), cam_replay(), pfc_rx_replay(), pfc_tx_replay(),
            mac10g_replay(), tcp_cc_replay(), red_replay(), qcn_replay(), dcqcn_replay(),  goal_replay()};
}

}  // namespace weir::tb
