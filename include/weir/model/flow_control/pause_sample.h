// What samples keep of pauses.
#pragma once

#include <array>
#include <cstdint>

#include "weir/base/time.h"
#include "weir/protocol/frame.h"

namespace weir::model {

/// Pauses of one node up to one time, summed over its ports since the start.
struct pause_sample {
    /// By class: time that this node's transmitters were paused.
    std::array<picoseconds, pfc_classes> paused_time{};
    /// By class: XOFF announcements sent so far.
    std::array<std::uint64_t, pfc_classes> xoff_sent{};
    /// PFC and PAUSE frames sent so far.
    std::uint64_t pfc_frames_sent = 0;
};

}  // namespace weir::model
