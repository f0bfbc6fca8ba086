// The versions of a switch's frame path; each is an instance of the same code (a template parameter).
// The choice is made once, at the end of elaboration; results do not depend on it.
#pragma once

#include <cstdint>

#include "weir/base/namespaces.h"

namespace weir::model {

enum class frame_path : std::uint8_t {
    /// All blocks are the default ones, memory is partitioned and as fast as it has to be, and no probe is set.
    /// Calls to blocks are inlined. What has no observable effect is not an event: an arrival below all
    /// thresholds, the end of a transmission with nothing queued behind it.
    direct,
    /// All blocks are the default ones, and calls to them inlined. Memory is of another organisation
    /// (`memory_path`), and each change is an event.
    inlined,
    /// As `inlined`, and rules depend on what egress queues hold (`queue_manager`).
    managed,
    /// Blocks are called through their interfaces, memory through `memory_path`, and each change is an event.
    general
};

/// Whether there may be a queue manager.
constexpr bool may_manage_queues(frame_path path) {
    return path == frame_path::managed || path == frame_path::general;
}

}  // namespace weir::model
