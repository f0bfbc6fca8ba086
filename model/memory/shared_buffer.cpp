#include "weir/model/memory/shared_buffer.h"

#include <algorithm>

namespace weir::model {

shared_buffer::shared_buffer(const shared_buffer_config& config, unsigned ports, unsigned classes,
                             class_mask lossless, bytes cell, const std::vector<bytes>& headroom,
                             const shared_profiles& profiles)
    : shared_layout(config, ports, classes, lossless, cell, headroom, profiles),
      m_slice(m_slices),
      m_groups(places()),
      m_queues(places()),
      m_paused(m_group_count),
      m_in_use(m_group_count),
      m_queue_in_use(m_group_count),
      m_marks(m_group_count),
      m_queue_marks(m_group_count) {
    for (slice_state& s : m_slice) {
        s.free = m_pool;
        s.queue_free = m_queue_pool;
    }
    m_changes.reserve(m_group_count);
}

// Order: the queue's limit at egress, then the group's minimum, then the pool, then headroom. What is beyond
// the minimum goes to the pool or to headroom as a whole, never to both.
[[gnu::always_inline]] inline shared_buffer::decision shared_buffer::decide(const slice_state& s,
                                                                            unsigned slice,
                                                                            const buffer_flow& flow,
                                                                            std::uint32_t cells) const {
    const std::size_t g = group(flow.ingress_port, flow.frame_class);
    const bool lossless = is_lossless(flow.frame_class);
    const group_cells& u = m_groups[slice * m_group_count + g];
    const std::size_t q = group(flow.egress_port, flow.frame_class);
    if (!queue_admits(s, q, m_queues[slice * m_group_count + q], cells, lossless)) {
        return {admission::egress_full};
    }
    const group_limits& limits = m_group_limits[g];
    const std::uint32_t from_minimum = std::min(cells, limits.minimum - u.minimum);
    const std::uint32_t rest = cells - from_minimum;
    const std::uint32_t free = s.free[pool_of(lossless)];
    const bool to_headroom = rest > 0 && (u.shared >= limits.threshold.with(free) || rest > free);
    const bool has_room = !to_headroom || (u.headroom + rest <= limits.headroom &&
                                           (!m_headroom_pool || rest <= *m_headroom_pool - s.headroom_used));
    return {has_room ? admission::stored : admission::ingress_full, from_minimum, to_headroom};
}

admission shared_buffer::would_admit(const buffer_flow& flow, std::uint32_t cells) const {
    const unsigned slice = slice_of(flow);
    return decide(m_slice[slice], slice, flow, cells).answer;
}

admission shared_buffer::admit(const buffer_flow& flow, std::uint32_t cells) {
    m_changes.clear();
    const unsigned slice = m_last_slice = slice_of(flow);
    slice_state& s = m_slice[slice];
    const std::size_t g = group(flow.ingress_port, flow.frame_class);
    const decision decided = decide(s, slice, flow, cells);
    if (decided.answer == admission::stored) {
        store(s, m_groups[slice * m_group_count + g], slice, flow, cells, decided.from_minimum,
              decided.to_headroom);
    } else if (decided.answer == admission::ingress_full && is_lossless(flow.frame_class)) {
        // A refused frame changes nothing else: the group has reached the end of its memory.
        set_paused(g, true);
        watch(slice, g);
    }
    return decided.answer;
}

bool shared_buffer::queue_admits(const slice_state& s, std::size_t queue, std::uint32_t used,
                                 std::uint32_t cells, bool lossless) const {
    // Lossless frames are held back at ingress; without a limit they are never refused at egress.
    if (lossless && !m_limits_lossless_queues) {
        return true;
    }
    const queue_limits& limits = m_queue_limits[queue];
    const std::uint32_t free = s.queue_free[queue_pool_of(lossless)];
    const std::uint32_t shared = beyond(used, limits.minimum);
    const std::uint32_t more = beyond(used + cells, limits.minimum) - shared;
    return more == 0 || (more <= free && shared < limits.threshold.with(free));
}

std::uint32_t shared_buffer::queue_room(unsigned slice, unsigned egress_port, pfc_class c) const {
    const queue_limits& limits = m_queue_limits[group(egress_port, c)];
    const std::uint32_t used = queue_usage(slice, egress_port, c);
    const std::uint32_t shared = beyond(used, limits.minimum);
    const std::uint32_t free = free_of_queues(slice, is_lossless(c));
    const std::uint64_t threshold = limits.threshold.with(free);
    const std::uint64_t more = threshold > shared ? std::min<std::uint64_t>(threshold - shared, free) : 0;
    return beyond(limits.minimum, used) + static_cast<std::uint32_t>(more);
}

void shared_buffer::store(slice_state& s, group_cells& u, unsigned slice, const buffer_flow& flow,
                          std::uint32_t cells, std::uint32_t from_minimum, bool to_headroom) {
    const bool lossless = is_lossless(flow.frame_class);
    const unsigned pool = pool_of(lossless);
    const std::size_t g = group(flow.ingress_port, flow.frame_class);
    const std::uint32_t rest = cells - from_minimum;
    u.minimum += from_minimum;
    s.minimum_used += from_minimum;
    s.stored += cells;
    if (to_headroom) {
        u.headroom += rest;
        s.headroom_used += rest;
        m_in_pools.headroom += rest;
    } else {
        u.shared += rest;
        s.free[pool] -= rest;
        m_in_pools.shared[pool] += rest;
    }
    const std::size_t q = group(flow.egress_port, flow.frame_class);
    std::uint32_t& queue = m_queues[slice * m_group_count + q];
    const std::uint32_t minimum = m_queue_limits[q].minimum;
    const std::uint32_t more = beyond(queue + cells, minimum) - beyond(queue, minimum);
    s.queue_free[queue_pool_of(lossless)] -= more;
    s.queue_minimum_used += cells - more;
    m_in_pools.queue[queue_pool_of(lossless)] += more;
    queue += cells;
    (to_headroom ? m_in_use[g].headroom : m_in_use[g].shared) += rest;
    m_queue_in_use[q] += more;
    note_marks(s, lossless, g, q);
    if (lossless) {
        if (m_paused[g] == 0 && must_wait(m_group_limits[g], u, s.free[1])) {
            set_paused(g, true);
        }
        watch(slice, g);
    }
    // A lossy frame brings thresholds down where the pool is common.
    if (pool == 1 && s.free[1] < s.pause_below) {
        pause_all_beyond(slice);
    }
}

// Headroom is given back first, the minimum last, whichever the frame took: cells carry no owner, as in
// hardware.
void shared_buffer::release(const buffer_flow& flow, std::uint32_t cells) {
    m_changes.clear();
    const unsigned slice = m_last_slice = slice_of(flow);
    slice_state& s = m_slice[slice];
    const std::size_t g = group(flow.ingress_port, flow.frame_class);
    const bool lossless = is_lossless(flow.frame_class);
    const unsigned pool = pool_of(lossless);
    group_cells& u = m_groups[slice * m_group_count + g];
    const std::uint32_t from_headroom = std::min(cells, u.headroom);
    const std::uint32_t from_shared = std::min(cells - from_headroom, u.shared);
    const std::uint32_t from_minimum = cells - from_headroom - from_shared;
    u.headroom -= from_headroom;
    s.headroom_used -= from_headroom;
    u.shared -= from_shared;
    s.free[pool] += from_shared;
    m_in_pools.headroom -= from_headroom;
    m_in_pools.shared[pool] -= from_shared;
    u.minimum -= from_minimum;
    s.minimum_used -= from_minimum;
    s.stored -= cells;
    const std::size_t q = group(flow.egress_port, flow.frame_class);
    std::uint32_t& queue = m_queues[slice * m_group_count + q];
    const std::uint32_t minimum = m_queue_limits[q].minimum;
    const std::uint32_t less = beyond(queue, minimum) - beyond(queue - cells, minimum);
    s.queue_free[queue_pool_of(lossless)] += less;
    s.queue_minimum_used -= cells - less;
    m_in_pools.queue[queue_pool_of(lossless)] -= less;
    queue -= cells;
    m_in_use[g].headroom -= from_headroom;
    m_in_use[g].shared -= from_shared;
    m_queue_in_use[q] -= less;
    if (pool != 1) {
        return;
    }
    if (lossless) {
        if (m_paused[g] != 0 && may_go_on_everywhere(g)) {
            resume(g);
        } else {
            watch(slice, g);
        }
    }
    if (s.free[1] >= s.resume_from) {
        resume_all_below(slice);
    }
}

bool shared_buffer::may_go_on_everywhere(std::size_t g) const {
    for (unsigned slice = 0; slice < m_slices; ++slice) {
        if (!may_go_on(m_group_limits[g], m_groups[slice * m_group_count + g], m_slice[slice].free[1])) {
            return false;
        }
    }
    return true;
}

// The group's own numbers have changed: from when on others may change its state. A paused group is watched in
// every slice that holds it back, so the last of them to give way finds it.
void shared_buffer::watch(unsigned slice, std::size_t g) {
    if (__builtin_expect(m_paused[g] == 0, 1)) {
        std::uint32_t& below = m_slice[slice].pause_below;
        below = std::max(below, pause_below(m_group_limits[g], m_groups[slice * m_group_count + g]));
        return;
    }
    // A function of its own keeps the path of most frames short.
    const auto watch_paused = [&]() __attribute__((noinline)) {
        bool held_back = false;
        for (unsigned k = 0; k < m_slices; ++k) {
            const group_cells& u = m_groups[k * m_group_count + g];
            if (!may_go_on(m_group_limits[g], u, m_slice[k].free[1])) {
                m_slice[k].resume_from = std::min(m_slice[k].resume_from, resume_from(m_group_limits[g], u));
                held_back = true;
            }
        }
        for (slice_state& each : m_slice) {
            each.resume_from = held_back ? each.resume_from : 0;
        }
    };
    watch_paused();
}

void shared_buffer::resume(std::size_t g) {
    set_paused(g, false);
    for (unsigned k = 0; k < m_slices; ++k) {
        watch(k, g);
    }
}

// Thresholds have come down to some group. Goes through all of them, which sets the watch anew.
void shared_buffer::pause_all_beyond(unsigned slice) {
    slice_state& s = m_slice[slice];
    s.pause_below = 0;
    for (std::size_t g = 0; g < m_group_count; ++g) {
        if (!is_lossless(static_cast<pfc_class>(g % m_classes)) || m_paused[g] != 0) {
            continue;
        }
        const group_cells& u = m_groups[slice * m_group_count + g];
        if (must_wait(m_group_limits[g], u, s.free[1])) {
            set_paused(g, true);
        }
        watch(slice, g);
    }
}

void shared_buffer::resume_all_below(unsigned slice) {
    m_slice[slice].resume_from = ~std::uint32_t{0};
    for (std::size_t g = 0; g < m_group_count; ++g) {
        if (m_paused[g] == 0) {
            continue;
        }
        if (may_go_on_everywhere(g)) {
            resume(g);
        } else {
            watch(slice, g);
        }
    }
}

void shared_buffer::set_paused(std::size_t g, bool paused) {
    if ((m_paused[g] != 0) == paused) {
        return;
    }
    m_paused[g] = paused ? 1 : 0;
    m_changes.push_back(
        {static_cast<std::uint16_t>(g / m_classes), static_cast<pfc_class>(g % m_classes), paused});
}

// Of pools only those of the frame's kind have grown.
void shared_buffer::note_marks(slice_state& s, bool lossless, std::size_t g, std::size_t queue) {
    const unsigned pool = pool_of(lossless);
    const unsigned queues = queue_pool_of(lossless);
    const auto raise = [](auto& mark, auto now) { mark = std::max(mark, now); };
    raise(m_marks[g].shared, m_in_use[g].shared);
    raise(m_marks[g].headroom, m_in_use[g].headroom);
    raise(m_queue_marks[queue], m_queue_in_use[queue]);
    raise(s.pool_mark[pool], m_pool[pool] - s.free[pool]);
    raise(s.queue_mark[queues], m_queue_pool[queues] - s.queue_free[queues]);
    raise(s.headroom_mark, s.headroom_used);
    raise(m_pool_marks.shared[pool], m_in_pools.shared[pool]);
    raise(m_pool_marks.queue[queues], m_in_pools.queue[queues]);
    raise(m_pool_marks.headroom, m_in_pools.headroom);
}

shared_refusal shared_buffer::refusal(const buffer_flow& flow, std::uint32_t cells) const {
    using limits = shared_refusal::limits;
    const unsigned slice = slice_of(flow);
    const slice_state& s = m_slice[slice];
    const bool lossless = is_lossless(flow.frame_class);
    const std::uint32_t queued = queue_usage(slice, flow.egress_port, flow.frame_class);
    if (!queue_admits(s, group(flow.egress_port, flow.frame_class), queued, cells, lossless)) {
        const queue_limits& queue = queue_limits_of(flow.egress_port, flow.frame_class);
        const std::uint32_t shared = beyond(queued, queue.minimum);
        const std::uint32_t free = free_of_queues(slice, lossless);
        const std::uint64_t most = queue.threshold.with(free);
        return shared >= most
                   ? shared_refusal{limits::queue_threshold, most, shared}
                   : shared_refusal{limits::queue_pool, queue_pool(lossless), queue_pool(lossless) - free};
    }
    const group_cells& u = group_usage(slice, flow.ingress_port, flow.frame_class);
    const group_limits& may_have = this->limits(flow.ingress_port, flow.frame_class);
    if (lossless) {
        const std::uint32_t rest = cells - std::min(cells, may_have.minimum - u.minimum);
        const std::uint32_t own = may_have.headroom;
        return u.headroom + rest > own || !m_headroom_pool
                   ? shared_refusal{limits::headroom, own, u.headroom}
                   : shared_refusal{limits::headroom_pool, *m_headroom_pool, s.headroom_used};
    }
    const std::uint32_t free = free_shared(slice, false);
    const std::uint64_t most = may_have.threshold.with(free);
    return u.shared >= most ? shared_refusal{limits::group_threshold, most, u.shared}
                            : shared_refusal{limits::pool, pool(false), pool(false) - free};
}

void shared_buffer::restart_statistics() {
    m_marks = m_in_use;
    m_queue_marks = m_queue_in_use;
    for (slice_state& s : m_slice) {
        s.pool_mark = {m_pool[0] - s.free[0], m_pool[1] - s.free[1]};
        s.headroom_mark = s.headroom_used;
        s.queue_mark = {m_queue_pool[0] - s.queue_free[0], m_queue_pool[1] - s.queue_free[1]};
    }
    m_pool_marks = m_in_pools;
}

std::string shared_buffer::check() const {
    pool_sums sums_of_slices;
    for (const slice_state& s : m_slice) {
        sums_of_slices.shared[0] += m_pool[0] - s.free[0];
        sums_of_slices.shared[1] += m_pool[1] - s.free[1];
        sums_of_slices.headroom += s.headroom_used;
        sums_of_slices.queue[0] += m_queue_pool[0] - s.queue_free[0];
        sums_of_slices.queue[1] += m_queue_pool[1] - s.queue_free[1];
    }
    if (sums_of_slices.shared != m_in_pools.shared || sums_of_slices.headroom != m_in_pools.headroom ||
        sums_of_slices.queue != m_in_pools.queue) {
        return "the slices' pools do not add up to those of the memory";
    }
    for (unsigned slice = 0; slice < m_slices; ++slice) {
        const slice_state& s = m_slice[slice];
        std::uint64_t minimum = 0;
        std::array<std::uint64_t, 2> shared{};
        std::uint64_t headroom = 0;
        std::uint64_t queued = 0;
        std::uint64_t queue_minimum = 0;
        std::array<std::uint64_t, 2> queue_shared{};
        for (std::size_t g = 0; g < m_group_count; ++g) {
            const auto c = static_cast<pfc_class>(g % m_classes);
            const group_cells& u = m_groups[slice * m_group_count + g];
            minimum += u.minimum;
            shared[pool_of(is_lossless(c))] += u.shared;
            headroom += u.headroom;
            const std::uint32_t queue = m_queues[slice * m_group_count + g];
            queued += queue;
            const std::uint32_t beyond_minimum = beyond(queue, m_queue_limits[g].minimum);
            queue_minimum += queue - beyond_minimum;
            queue_shared[queue_pool_of(is_lossless(c))] += beyond_minimum;
            if (u.minimum > m_group_limits[g].minimum || u.headroom > m_group_limits[g].headroom) {
                return "a group holds more than its minimum or its headroom";
            }
        }
        const bool pools = shared[0] + s.free[0] == m_pool[0] && shared[1] + s.free[1] == m_pool[1] &&
                           queue_shared[0] + s.queue_free[0] == m_queue_pool[0] &&
                           queue_shared[1] + s.queue_free[1] == m_queue_pool[1];
        const bool sums = minimum == s.minimum_used && headroom == s.headroom_used &&
                          minimum + shared[0] + shared[1] + headroom == s.stored && queued == s.stored &&
                          queue_minimum == s.queue_minimum_used &&
                          queue_minimum + queue_shared[0] + queue_shared[1] == s.stored;
        if (!pools || !sums || (m_headroom_pool && headroom > *m_headroom_pool)) {
            return "cells of slice " + std::to_string(slice) + " do not add up: " + std::to_string(s.stored) +
                   " stored, " + std::to_string(minimum) + " in minima, " + std::to_string(shared[0]) +
                   " and " + std::to_string(shared[1]) + " shared, " + std::to_string(headroom) +
                   " in headroom, " + std::to_string(queued) + " queued";
        }
    }
    return {};
}

}  // namespace weir::model
