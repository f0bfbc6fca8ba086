// A scheduler chooses the class that an egress port sends next. All schedulers have these calls; one instance
// serves all ports of a switch.
//
//     `eligible`       classes that have a frame and are not paused
//     `head_bytes[c]`  length of the class's first frame, on the wire if shares of the link are meant; 0 where
//                      the class has none. A class that has a frame and is not eligible is paused: it keeps
//                      its deficit and earns nothing; one that has none loses it.
//     `select`         returns the class, or `no_class`. Asked again with the same arguments, it answers the
//                      same.
//     `sent`           tells that the class's first frame, of `length` bytes, is on its way.
//     `drained`        tells that these classes' queues have run empty.
#pragma once

#include "weir/base/registry.h"

namespace weir::model {

/// `select` returns this when nothing is eligible.
inline constexpr int no_class = -1;

/// Facts that other code asks about a scheduler.
struct scheduler_facts {
    /// It reads `switch_config::weights`.
    bool reads_weights = false;
    /// It reads `head_bytes`, and is told of frames that are sent and of queues that run empty.
    bool reads_lengths = true;
};

}  // namespace weir::model
