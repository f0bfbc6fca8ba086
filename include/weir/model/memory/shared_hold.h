// What holds a paused group of a shared memory back for good, for the proof of a deadlock.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weir/model/memory/shared_buffer.h"

namespace weir::model {

/// What holds a paused group back for good in one slice, where some of its frames never leave. Unit: cells.
struct shared_hold {
    unsigned slice = 0;
    /// What stays of the group, and how much of that in headroom; nothing of which must be in use to go on.
    std::uint32_t stays = 0;
    std::uint32_t headroom = 0;
    /// Most free cells that the pool ever has, and the threshold by then.
    std::uint32_t most_free = 0;
    std::uint64_t threshold = 0;
};

/// Whether the group stays paused whatever else leaves, if of each place `held[place]` cells never do and
/// nothing more comes for the group itself; for others frames may come. Nothing: it is not paused, or may go on
/// some day.
std::optional<shared_hold> hold_of(const shared_buffer& memory, unsigned ingress_port, pfc_class c,
                                   const std::vector<std::uint32_t>& held);

}  // namespace weir::model
