// When a lossless group of a shared memory is paused, and when it goes on (shared_buffer.h has the rules in
// words): by what it holds of one slice, what it may have, and the free cells of its pool there.
//
// The free cells change with every frame of every group. So each answer comes with the number of them from
// which on it turns, and a memory looks at a group only when its pool has passed that.
//
//   must_wait(limits, held, free);    // a group that is not paused is to be
//   pause_below(limits, held);        // and so it is with fewer free cells than this
//   may_go_on(limits, held, free);    // a paused group may go on
//   resume_from(limits, held);        // and so it may with this many
#pragma once

#include <algorithm>
#include <cstdint>

#include "weir/model/memory/shared_limits.h"

namespace weir::model {

/// What a group holds of one slice. Unit: cells.
struct group_cells {
    std::uint32_t minimum = 0;
    std::uint32_t shared = 0;
    std::uint32_t headroom = 0;
    std::uint32_t total() const { return minimum + shared + headroom; }
};

inline bool must_wait(const group_limits& limits, const group_cells& held, std::uint32_t free) {
    return held.headroom > 0 || (held.total() > limits.xon && held.minimum == limits.minimum &&
                                 held.shared >= limits.threshold.with(free));
}

/// Fewest free cells with which the group need not wait; 0 where other groups do not move it.
inline std::uint32_t pause_below(const group_limits& limits, const group_cells& held) {
    if (limits.threshold.is_static() || held.total() <= limits.xon || held.minimum < limits.minimum) {
        return 0;
    }
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(limits.threshold.free_for(std::uint64_t{held.shared} + 1), ~std::uint32_t{0}));
}

inline bool may_go_on(const group_limits& limits, const group_cells& held, std::uint32_t free) {
    if (held.headroom > 0) {
        return false;
    }
    if (held.total() <= limits.xon) {
        return true;
    }
    return std::uint64_t{held.total()} + limits.xon_offset < limits.minimum + limits.threshold.with(free);
}

/// Fewest free cells with which the group might go on; more than there can be where only its own frames count.
inline std::uint32_t resume_from(const group_limits& limits, const group_cells& held) {
    if (held.headroom > 0 || limits.threshold.is_static()) {
        return ~std::uint32_t{0};
    }
    const std::uint64_t above = std::uint64_t{held.total()} + limits.xon_offset + 1;
    const std::uint64_t needed = above > limits.minimum ? above - limits.minimum : 0;
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(limits.threshold.free_for(needed), ~std::uint32_t{0}));
}

}  // namespace weir::model
