// The blocks that `weir replay` knows, in the order of its help.
#pragma once

#include <cstdint>
#include <vector>

#include "tb/replay/replay_job.h"

namespace weir {

/// Of a table that a trace is replayed against, be it TCAM, LPM or CAM.
inline constexpr std::uint32_t most_entries = 1U << 20;

replay_block islip_replay();
replay_block tcam_replay();
replay_block lpm_replay();
replay_block cam_replay();
replay_block pfc_rx_replay();
replay_block pfc_tx_replay();
replay_block mac10g_replay();

inline std::vector<replay_block> replay_blocks() {
    return {islip_replay(),  tcam_replay(),   lpm_replay(),   cam_replay(),
            pfc_rx_replay(), pfc_tx_replay(), mac10g_replay()};
}

}  // namespace weir
