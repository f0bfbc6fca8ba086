#pragma once

#include "weir/protocol/frame.h"

namespace weir::model {

/// What becomes of a frame that is charged to ingress memory.
struct charge_result {
    /// False: the frame does not fit, and nothing was charged.
    bool admitted;
    /// Classes that are to be paused and were not before.
    class_mask xoff;
};

}  // namespace weir::model
