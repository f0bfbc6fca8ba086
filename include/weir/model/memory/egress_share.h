// How far one class fills an egress port's memory while all others are empty, by the sharing rule. A threshold
// on egress occupancy above that (DeTail's for favoured ports) is never reached.
//
//   switch_config device;                // 128 KiB, frames of 1,530 B, dynamic share with alpha = 8
//   lone_class_fill(device).most;        // 117,868 B
//   device.share_alpha = 1;
//   lone_class_fill(device).most;        // 66,301 B: hardly above 64 KiB
#pragma once

#include "weir/base/units.h"
#include "weir/model/config/switch_config.h"

namespace weir::model {

struct egress_fill {
    /// What is held and charged at least while the class has a backlog: the last occupancy with room for one
    /// more frame, less a frame on its way through the crossbar. Not below 0. Unit: bytes.
    bytes sustained{0};
    /// No more is ever held. Unit: bytes.
    bytes most{0};
};

/// `device` is valid. A class holds one frame in any case.
egress_fill lone_class_fill(const switch_config& device);

}  // namespace weir::model
