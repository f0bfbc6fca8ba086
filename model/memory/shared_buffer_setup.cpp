// A shared memory's sizes: from bytes of the whole to cells of a slice, and whether they fit.
#include <algorithm>

#include "weir/base/unit_text.h"
#include "weir/model/memory/shared_buffer.h"

namespace weir::model {

shared_buffer::shared_buffer(const shared_buffer_config& config, unsigned ports, unsigned classes,
                             class_mask lossless, bytes cell, const std::vector<bytes>& headroom,
                             const shared_profiles& profiles)
    : m_cell(std::max<std::int64_t>(1, cell.count())),
      m_ports(ports),
      m_classes(classes),
      m_group_count(std::size_t{ports} * classes),
      m_slices(config.slices),
      m_lossless(lossless),
      m_slice(config.slices),
      m_groups(config.slices * m_group_count),
      m_queues(config.slices * m_group_count),
      m_paused(m_group_count),
      m_in_use(m_group_count),
      m_queue_in_use(m_group_count),
      m_marks(m_group_count),
      m_queue_marks(m_group_count) {
    set_limits(config, headroom, profiles);
    set_slices(config, profiles);
    set_pools(config);
    for (slice_state& s : m_slice) {
        s.free = m_pool;
        s.queue_free = m_queue_pool;
    }
    m_changes.reserve(m_group_count);
}

/// A number or a factor of its own, or that of its kind.
static cell_threshold own_threshold(const std::optional<double>& alpha, const std::optional<bytes>& threshold,
                                    const cell_threshold& common, std::int64_t cell) {
    return threshold ? cell_threshold::of_number(static_cast<std::uint64_t>(threshold->count() / cell))
           : alpha   ? cell_threshold::of_factor(*alpha)
                     : common;
}

void shared_buffer::set_limits(const shared_buffer_config& config, const std::vector<bytes>& headroom,
                               const shared_profiles& profiles) {
    const auto whole_cells = [&](bytes size) { return static_cast<std::uint32_t>(size.count() / m_cell); };
    const auto factor = [](double alpha) { return cell_threshold::of_factor(alpha); };
    m_common_threshold = {factor(config.lossy_alpha),
                          own_threshold({}, config.threshold, factor(config.alpha), m_cell)};
    const std::array<cell_threshold, 2> of_queues{
        factor(config.queue_alpha), own_threshold(config.lossless_queue_alpha, config.lossless_queue_threshold,
                                                  cell_threshold::none(), m_cell)};
    m_limits_lossless_queues = config.lossless_queue_pool || !of_queues[1].is_none();
    for (std::size_t g = 0; g < m_group_count; ++g) {
        const bool lossless = is_lossless(static_cast<pfc_class>(g % m_classes));
        const unsigned kind = lossless ? 1 : 0;
        const group_profile group = profiles.groups.empty() ? group_profile{} : profiles.groups[g];
        group_limits limits;
        limits.minimum = cells_of(group.minimum.value_or(config.minimum));
        limits.headroom = lossless ? cells_of(group.headroom.value_or(headroom[g / m_classes])) : 0;
        limits.xon = whole_cells(group.xon.value_or(config.xon));
        limits.xon_offset = cells_of(group.xon_offset.value_or(config.xon_offset));
        limits.threshold = own_threshold(group.alpha, group.threshold, m_common_threshold[kind], m_cell);
        m_group_limits.push_back(limits);

        const queue_profile queue = profiles.queues.empty() ? queue_profile{} : profiles.queues[g];
        const std::optional<bytes> marked_from =
            queue.ecn_threshold ? queue.ecn_threshold : config.ecn_threshold;
        queue_limits q;
        q.minimum = cells_of(queue.minimum.value_or(lossless ? 0_B : config.queue_minimum));
        q.marked_from = marked_from ? cells_of(*marked_from) : queue_limits::never_marks;
        q.threshold = own_threshold(queue.alpha, queue.threshold, of_queues[kind], m_cell);
        m_limits_lossless_queues = m_limits_lossless_queues || (lossless && !q.threshold.is_none());
        m_queue_limits.push_back(q);
    }
}

void shared_buffer::set_slices(const shared_buffer_config& config, const shared_profiles& profiles) {
    if (!profiles.slices.empty()) {
        m_slice_of = profiles.slices;
        m_ingress_step = m_ports;
        m_egress_step = 1;
        return;
    }
    for (unsigned port = 0; port < m_ports; ++port) {
        m_slice_of.push_back(static_cast<std::uint8_t>(std::uint64_t{port} * m_slices / m_ports));
    }
    (config.map == slice_map::egress ? m_egress_step : m_ingress_step) = 1;
}

void shared_buffer::set_pools(const shared_buffer_config& config) {
    const auto down = [&](bytes size) { return static_cast<std::uint32_t>(size.count() / m_cell / m_slices); };
    // What is for classes of a kind that there is none of has no effect.
    const bool any_lossless = has_lossless();
    const bool any_lossy = has_lossy();
    std::uint64_t guaranteed = 0;
    for (const group_limits& group : m_group_limits) {
        guaranteed += group.minimum;
    }
    if (config.headroom_pool && any_lossless) {
        m_headroom_pool = down(*config.headroom_pool);
    }
    guaranteed += m_headroom_pool ? *m_headroom_pool : private_headroom();
    const std::uint64_t all = down(config.memory);
    const std::uint64_t left = all > guaranteed ? all - guaranteed : 0;
    const auto beside = [&](bytes other) { return left - std::min<std::uint64_t>(left, down(other)); };
    const std::uint64_t lossy = !any_lossy                             ? 0
                                : config.lossy_pool                    ? down(*config.lossy_pool)
                                : config.lossless_pool && any_lossless ? beside(*config.lossless_pool)
                                                                       : left / (any_lossless ? 2 : 1);
    const std::uint64_t lossless_cells = !any_lossless          ? 0
                                         : config.lossless_pool ? down(*config.lossless_pool)
                                                                : left - std::min(left, lossy);
    m_pool = {static_cast<std::uint32_t>(lossy), static_cast<std::uint32_t>(lossless_cells)};
    set_queue_pools(config, all);
    if (guaranteed + lossy + lossless_cells > all) {
        const auto whole = [&](std::uint64_t cells) { return to_text(bytes_of(cells * m_slices)); };
        m_errors.push_back({{},
                            0,
                            "shared.memory",
                            to_text(config.memory) + " is too small for the sum of minima and headroom, " +
                                whole(guaranteed) + ", shared.lossless_pool, " + whole(lossless_cells) +
                                ", and shared.lossy_pool, " + whole(lossy) + " (whole cells, " +
                                std::to_string(m_slices) + (m_slices == 1 ? " slice" : " slices") +
                                "); expected at least " + whole(guaranteed + lossy + lossless_cells)});
    }
    m_slice_cells = static_cast<std::uint32_t>(all);
    m_unassigned = static_cast<std::uint32_t>(left - std::min(left, lossy + lossless_cells));
}

// Egress pools may lie over each other, as SONiC sets them: each is only a limit to what its queues share.
void shared_buffer::set_queue_pools(const shared_buffer_config& config, std::uint64_t all) {
    const auto down = [&](bytes size) { return static_cast<std::uint32_t>(size.count() / m_cell / m_slices); };
    std::uint64_t minima = 0;
    for (const queue_limits& queue : m_queue_limits) {
        minima += queue.minimum;
    }
    const std::uint64_t left = all > minima ? all - minima : 0;
    const auto size = [&](bool any, const std::optional<bytes>& set, std::uint64_t open) {
        return static_cast<std::uint32_t>(!any ? 0 : set ? down(*set) : open);
    };
    m_queue_pool = {size(has_lossy(), config.queue_pool, left),
                    size(has_lossless(), config.lossless_queue_pool, all)};
    const auto check = [&](bool lossless, const char* key) {
        const std::uint64_t pool = queue_pool(lossless);
        if (minima + pool > all) {
            m_errors.push_back({{},
                                0,
                                key,
                                "the minima of the queues, " + to_text(bytes_of(minima * m_slices)) +
                                    ", and the pool, " + to_text(bytes_of(pool * m_slices)) +
                                    ", exceed shared.memory (" + to_text(config.memory) +
                                    "); expected a sum of at most that"});
        }
    };
    check(false, "shared.queue_pool");
    if (config.lossless_queue_pool) {
        check(true, "shared.lossless_queue_pool");
    }
}

std::uint64_t shared_buffer::private_headroom() const {
    std::uint64_t all = 0;
    for (const group_limits& group : m_group_limits) {
        all += group.headroom;
    }
    return all;
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
            const usage& u = m_groups[slice * m_group_count + g];
            minimum += u.minimum;
            shared[is_lossless(c) ? 1 : 0] += u.shared;
            headroom += u.headroom;
            const std::uint32_t queue = m_queues[slice * m_group_count + g];
            queued += queue;
            const std::uint32_t beyond_minimum = beyond(queue, m_queue_limits[g].minimum);
            queue_minimum += queue - beyond_minimum;
            queue_shared[is_lossless(c) ? 1 : 0] += beyond_minimum;
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
