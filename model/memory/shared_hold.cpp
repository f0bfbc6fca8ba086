#include "weir/model/memory/shared_hold.h"

#include <algorithm>

namespace weir::model {

// A group gives shared cells back only when its headroom is empty, and all that it has beyond the minimum is
// shared by then. So of what never leaves, what is beyond the minimum and shared now stays shared.
static std::uint32_t most_free(const shared_buffer& memory, unsigned slice,
                               const std::vector<std::uint32_t>& held) {
    std::uint32_t taken = 0;
    for (unsigned port = 0; port < memory.ports(); ++port) {
        for (unsigned each = 0; each < memory.classes(); ++each) {
            const auto c = static_cast<pfc_class>(each);
            const std::uint32_t stays = held[memory.place(slice, port, c)];
            const std::uint32_t minimum = memory.limits(port, c).minimum;
            if (stays > minimum && (memory.is_lossless(c) || memory.has_common_pool())) {
                taken += std::min(memory.group_usage(slice, port, c).shared, stays - minimum);
            }
        }
    }
    return memory.pool(true) - taken;
}

// For each slice the most favourable end: all that may leave has left, headroom first, and the pool has as many
// free cells as it ever will.
std::optional<shared_hold> hold_of(const shared_buffer& memory, unsigned ingress_port, pfc_class c,
                                   const std::vector<std::uint32_t>& held) {
    if (!memory.paused(ingress_port, c)) {
        return std::nullopt;
    }
    for (unsigned slice = 0; slice < memory.slices(); ++slice) {
        const group_cells& now = memory.group_usage(slice, ingress_port, c);
        const std::uint32_t stays = held[memory.place(slice, ingress_port, c)];
        if (stays == 0) {
            continue;
        }
        const std::uint32_t leaves = now.total() - stays;
        const std::uint32_t headroom = now.headroom - std::min(now.headroom, leaves);
        const std::uint32_t free = most_free(memory, slice, held);
        const group_limits& may_have = memory.limits(ingress_port, c);
        if (!may_go_on(may_have, {0, stays - headroom, headroom}, free)) {
            return shared_hold{slice, stays, headroom, free, may_have.threshold.with(free)};
        }
    }
    return std::nullopt;
}

}  // namespace weir::model
