// The versions of a frame's path through a switch: what each may leave out. The stages are instantiated for
// each; `switch_node` chooses one when elaboration ends, and results do not depend on the choice.
#pragma once

#include "weir/base/namespaces.h"

namespace weir::model {

/// Frames cross between memories of ports that are as fast as they have to be, no rule depends on what queues
/// hold, and all blocks are the project's own.
struct direct_path {
    /// Blocks are the project's own: calls to them are inlined. Else calls go through their interfaces.
    static constexpr bool has_own_blocks = true;
    /// Each arrival and each end of a transmission is an event. Else only those with an observable effect are:
    /// an arrival below all thresholds has none, nor has the end of a transmission with nothing queued behind.
    static constexpr bool all_are_events = false;
    /// The organisation of the memory (`memory_path`) is asked on the frame's way.
    static constexpr bool asks_memory = false;
    /// There may be a queue manager, and frames may have annexes.
    static constexpr bool has_queue_rules = false;
    /// There may be a probe, and an arbiter that takes time.
    static constexpr bool is_observed = false;
};

/// All blocks are the project's own.
struct own_path : direct_path {
    static constexpr bool all_are_events = true;
    static constexpr bool asks_memory = true;
    static constexpr bool has_queue_rules = true;
};

/// Any switch.
struct general_path : own_path {
    static constexpr bool has_own_blocks = false;
    static constexpr bool is_observed = true;
};

}  // namespace weir::model
