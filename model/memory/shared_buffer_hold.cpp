// What a shared memory's answers rest on: why it refuses a frame, what holds a paused group back for good, and
// where a lossless queue's limit can cost frames.
#include <algorithm>

#include "weir/model/memory/shared_buffer.h"

namespace weir::model {

shared_refusal shared_buffer::refusal(const buffer_flow& flow, std::uint32_t cells) const {
    using limits = shared_refusal::limits;
    const unsigned slice = slice_of(flow);
    const slice_state& s = m_slice[slice];
    const bool lossless = is_lossless(flow.frame_class);
    const unsigned kind = lossless ? 1 : 0;
    const std::uint32_t queued = queue_usage(slice, flow.egress_port, flow.frame_class);
    if (!queue_admits(s, group(flow.egress_port, flow.frame_class), queued, cells, lossless)) {
        const queue_limits& queue = queue_limits_of(flow.egress_port, flow.frame_class);
        const std::uint32_t shared = beyond(queued, queue.minimum);
        const std::uint64_t most = queue.threshold.with(s.queue_free[kind]);
        return shared >= most ? shared_refusal{limits::queue_threshold, most, shared}
                              : shared_refusal{limits::queue_pool, m_queue_pool[kind],
                                               m_queue_pool[kind] - s.queue_free[kind]};
    }
    const usage& u = group_usage(slice, flow.ingress_port, flow.frame_class);
    const group_limits& may_have = this->limits(flow.ingress_port, flow.frame_class);
    if (lossless) {
        const std::uint32_t rest = cells - std::min(cells, may_have.minimum - u.minimum);
        const std::uint32_t own = may_have.headroom;
        return u.headroom + rest > own || !m_headroom_pool
                   ? shared_refusal{limits::headroom, own, u.headroom}
                   : shared_refusal{limits::headroom_pool, *m_headroom_pool, s.headroom_used};
    }
    const std::uint64_t most = may_have.threshold.with(s.free[0]);
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
        const group_limits& may_have = limits(ingress_port, c);
        if (!may_go_on(may_have, usage{0, stays - headroom, headroom}, free)) {
            return shared_hold{slice, stays, headroom, free, may_have.threshold.with(free)};
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
        const std::uint32_t minimum = m_group_limits[g].minimum;
        if (stays > minimum && is_lossless(static_cast<pfc_class>(g % m_classes))) {
            taken += std::min(m_groups[slice * m_group_count + g].shared, stays - minimum);
        }
    }
    return m_pool[1] - taken;
}

// What a class's groups may bring into a slice, by their own limits: minima, headroom, and shared cells up to
// the pool, or up to static thresholds that a last frame may overshoot.
std::uint64_t shared_buffer::most_admitted(pfc_class c, std::uint32_t frame) const {
    std::uint64_t minima = 0;
    std::uint64_t headroom = 0;
    std::uint64_t shared = 0;
    for (unsigned port = 0; port < m_ports; ++port) {
        const group_limits& group = limits(port, c);
        minima += group.minimum;
        headroom += group.headroom;
        shared += group.threshold.is_static()
                      ? std::min<std::uint64_t>(group.threshold.fixed + frame, m_pool[1])
                      : m_pool[1];
    }
    return minima + std::min<std::uint64_t>(headroom, m_headroom_pool.value_or(~std::uint32_t{0})) +
           std::min<std::uint64_t>(shared, m_pool[1]);
}

std::optional<queue_risk> shared_buffer::queue_at_risk(std::uint32_t frame) const {
    if (!m_limits_lossless_queues) {
        return std::nullopt;
    }
    std::array<std::uint64_t, pfc_classes> by_class{};
    std::uint64_t all = 0;
    for (unsigned c = 0; c < m_classes; ++c) {
        if (is_lossless(static_cast<pfc_class>(c))) {
            by_class[c] = most_admitted(static_cast<pfc_class>(c), frame);
            all += by_class[c];
        }
    }
    // Classes share the pool, and the headroom pool.
    all = std::min<std::uint64_t>(all, m_slice_cells);
    const std::uint32_t pool = m_queue_pool[1];
    for (std::size_t q = 0; q < m_group_count; ++q) {
        const auto c = static_cast<pfc_class>(q % m_classes);
        if (!is_lossless(c)) {
            continue;
        }
        const queue_limits& queue = m_queue_limits[q];
        const auto port = static_cast<unsigned>(q / m_classes);
        const std::uint64_t brought = std::min(by_class[c], all);
        // With a factor: when others have taken as much of the pool as they can.
        std::uint64_t most = ~std::uint64_t{0};
        if (!queue.threshold.is_none()) {
            const std::uint64_t others = std::min<std::uint64_t>(all, pool);
            most = queue.minimum + queue.threshold.with(static_cast<std::uint32_t>(pool - others));
        }
        if (brought > most) {
            return queue_risk{port, c, most, brought, false};
        }
        if (all > pool) {
            return queue_risk{port, c, pool, all, true};
        }
    }
    return std::nullopt;
}

}  // namespace weir::model
