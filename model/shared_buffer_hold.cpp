// What a shared memory's answers rest on: why it refuses a frame, and what holds a paused group back for good.
#include <algorithm>

#include "weir/model/shared_buffer.h"

namespace weir {

shared_refusal shared_buffer::refusal(const buffer_flow& flow, std::uint32_t cells) const {
    using limits = shared_refusal::limits;
    const unsigned slice = slice_of(flow);
    const slice_state& s = m_slice[slice];
    const bool lossless = is_lossless(flow.frame_class);
    const std::uint32_t queued = queue_usage(slice, flow.egress_port, flow.frame_class);
    if (!queue_admits(s, queued, cells, lossless)) {
        const std::uint32_t shared = shared_queue(queued, lossless);
        const std::uint64_t most = m_queue_alpha.times(s.queue_free);
        return shared >= most ? shared_refusal{limits::queue_threshold, most, shared}
                              : shared_refusal{limits::queue_pool, m_queue_pool, m_queue_pool - s.queue_free};
    }
    const usage& u = group_usage(slice, flow.ingress_port, flow.frame_class);
    if (lossless) {
        const std::uint32_t rest = cells - std::min(cells, m_minimum - u.minimum);
        const std::uint32_t own = m_headroom[flow.ingress_port];
        return u.headroom + rest > own || !m_headroom_pool
                   ? shared_refusal{limits::headroom, own, u.headroom}
                   : shared_refusal{limits::headroom_pool, *m_headroom_pool, s.headroom_used};
    }
    const std::uint64_t most = threshold(s.free[0], false);
    return u.shared >= most ? shared_refusal{limits::group_threshold, most, u.shared}
                            : shared_refusal{limits::pool, m_pool[0], m_pool[0] - s.free[0]};
}

// For each slice the most favourable end: all that may leave has left, headroom first, and the pool has as many
// free cells as it ever will.
std::optional<shared_hold> shared_buffer::hold_of(unsigned ingress_port, pfc_class c,
                                                  const std::vector<std::uint32_t>& held) const {
    if (!paused(ingress_port, c)) {
        return std::nullopt;
    }
    for (unsigned slice = 0; slice < m_slices; ++slice) {
        const usage& now = group_usage(slice, ingress_port, c);
        const std::uint32_t stays = held[place(slice, ingress_port, c)];
        if (stays == 0) {
            continue;
        }
        const std::uint32_t leaves = now.total() - stays;
        const std::uint32_t headroom = now.headroom - std::min(now.headroom, leaves);
        const std::uint32_t free = most_free(slice, held);
        if (!may_go_on(usage{0, stays - headroom, headroom}, free)) {
            return shared_hold{slice, stays, headroom, free, threshold(free, true)};
        }
    }
    return std::nullopt;
}

// A group gives shared cells back only when its headroom is empty, and all that it has beyond the minimum is
// shared by then. So of what never leaves, what is beyond the minimum and shared now stays shared.
std::uint32_t shared_buffer::most_free(unsigned slice, const std::vector<std::uint32_t>& held) const {
    std::uint32_t taken = 0;
    for (std::size_t g = 0; g < m_group_count; ++g) {
        const std::uint32_t stays = held[slice * m_group_count + g];
        if (stays > m_minimum && is_lossless(static_cast<pfc_class>(g % m_classes))) {
            taken += std::min(m_groups[slice * m_group_count + g].shared, stays - m_minimum);
        }
    }
    return m_pool[1] - taken;
}

}  // namespace weir
