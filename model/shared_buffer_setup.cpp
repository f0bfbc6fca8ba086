// A shared memory's sizes: from bytes of the whole to cells of a slice, and whether they fit.
#include <algorithm>
#include <cmath>

#include "weir/base/unit_text.h"
#include "weir/model/shared_buffer.h"

namespace weir {

/// Whether a factor is a whole number of parts, as exactly as its decimals are read.
static bool is_whole_of(double alpha, double parts) {
    return std::round(alpha * parts) / parts == alpha;
}
static constexpr double binary_parts = 1024;
static constexpr double decimal_parts = 1'000'000;

static bool is_exact(double alpha) {
    return is_whole_of(alpha, binary_parts) || is_whole_of(alpha, decimal_parts);
}

config_errors shared_buffer_config::validate() const {
    range_check check("shared");
    check.within("memory", memory, memory_range);
    check.within("slices", slices, slices_range);
    if (lossless_classes) {
        check.each_within("lossless_classes", *lossless_classes, lossless_class_range);
    }
    check.within("lossless_pool", lossless_pool, pool_range);
    check.within("lossy_pool", lossy_pool, pool_range);
    check.within("minimum", minimum, minimum_range);
    check.within("queue_minimum", queue_minimum, minimum_range);
    const auto check_alpha = [&](const char* field, double value) {
        if (check.within(field, value, alpha_range)) {
            check.require(is_exact(value), field, value, "up to six decimals, or a multiple of 1/1024");
        }
    };
    check_alpha("alpha", alpha);
    check_alpha("lossy_alpha", lossy_alpha);
    check_alpha("queue_alpha", queue_alpha);
    check.within("threshold", threshold, pool_range);
    check.within("headroom", headroom, pool_range);
    check.within("headroom_pool", headroom_pool, pool_range);
    check.within("xon", xon, pool_range);
    check.within("xon_offset", xon_offset, pool_range);
    check.within("queue_pool", queue_pool, pool_range);
    check.within("ecn_threshold", ecn_threshold, pool_range);
    return check.take();
}

bool shared_buffer_config::is_lossless(unsigned c) const {
    return !lossless_classes ||
           std::find(lossless_classes->begin(), lossless_classes->end(), c) != lossless_classes->end();
}

shared_buffer::ratio shared_buffer::ratio_of(double alpha) {
    const double parts = is_whole_of(alpha, binary_parts) ? binary_parts : decimal_parts;
    return {static_cast<std::uint64_t>(std::llround(alpha * parts)), static_cast<std::uint64_t>(parts)};
}

shared_buffer::shared_buffer(const shared_buffer_config& config, unsigned ports, unsigned classes,
                             class_mask lossless, bytes cell, const std::vector<bytes>& headroom)
    : m_cell(std::max<std::int64_t>(1, cell.count())),
      m_ports(ports),
      m_classes(classes),
      m_group_count(std::size_t{ports} * classes),
      m_slices(config.slices),
      m_map(config.map),
      m_lossless(lossless),
      m_alpha{ratio_of(config.lossy_alpha), ratio_of(config.alpha)},
      m_queue_alpha(ratio_of(config.queue_alpha)),
      m_slice(config.slices),
      m_groups(config.slices * m_group_count),
      m_queues(config.slices * m_group_count),
      m_paused(m_group_count),
      m_in_use(m_group_count),
      m_queue_in_use(m_group_count),
      m_marks(m_group_count),
      m_queue_marks(m_group_count) {
    const auto down = [&](bytes size) { return static_cast<std::uint32_t>(size.count() / m_cell / m_slices); };
    m_minimum = cells_of(config.minimum);
    m_queue_minimum = cells_of(config.queue_minimum);
    if (config.threshold) {
        m_threshold = static_cast<std::uint32_t>(config.threshold->count() / m_cell);
    }
    m_xon = static_cast<std::uint32_t>(config.xon.count() / m_cell);
    m_xon_offset = cells_of(config.xon_offset);
    std::uint64_t guaranteed = std::uint64_t{m_minimum} * m_group_count;
    for (unsigned port = 0; port < ports; ++port) {
        m_headroom.push_back(cells_of(headroom[port]));
        m_slice_of_port.push_back(static_cast<std::uint16_t>(std::uint64_t{port} * m_slices / ports));
    }
    const auto lossless_count =
        static_cast<std::uint64_t>(__builtin_popcount(lossless & ((1U << classes) - 1)));
    // What is for classes of a kind that there is none of has no effect.
    const bool any_lossless = lossless_count > 0;
    const bool any_lossy = lossless_count < classes;
    if (config.headroom_pool && any_lossless) {
        m_headroom_pool = down(*config.headroom_pool);
        guaranteed += *m_headroom_pool;
    } else {
        for (const std::uint32_t each : m_headroom) {
            guaranteed += each * lossless_count;
        }
    }
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
    const std::uint64_t queue_minima = std::uint64_t{m_queue_minimum} * ports * (classes - lossless_count);
    const std::uint64_t queue_left = all > queue_minima ? all - queue_minima : 0;
    m_queue_pool =
        config.queue_pool && any_lossy ? down(*config.queue_pool) : static_cast<std::uint32_t>(queue_left);
    if (queue_minima + m_queue_pool > all) {
        m_errors.push_back({{},
                            0,
                            "shared.queue_pool",
                            "minima of the lossy queues of " + to_text(bytes_of(queue_minima * m_slices)) +
                                " and a pool of " + to_text(bytes_of(std::uint64_t{m_queue_pool} * m_slices)) +
                                " are more than shared.memory (" + to_text(config.memory) +
                                "); allowed: at most that in all"});
    }
    if (guaranteed + lossy + lossless_cells > all) {
        const auto whole = [&](std::uint64_t cells) { return to_text(bytes_of(cells * m_slices)); };
        m_errors.push_back({{},
                            0,
                            "shared.memory",
                            to_text(config.memory) + " is too small for minima and headroom of " +
                                whole(guaranteed) + ", a lossless pool of " + whole(lossless_cells) +
                                " and a lossy pool of " + whole(lossy) + " (whole cells, " +
                                std::to_string(m_slices) + (m_slices == 1 ? " slice" : " slices") +
                                "); allowed: at least " + whole(guaranteed + lossy + lossless_cells)});
    }
    m_slice_cells = static_cast<std::uint32_t>(all);
    m_unassigned = static_cast<std::uint32_t>(left - std::min(left, lossy + lossless_cells));
    for (slice_state& s : m_slice) {
        s.free = m_pool;
        s.queue_free = m_queue_pool;
    }
    m_changes.reserve(m_group_count);
}

std::uint64_t shared_buffer::private_headroom() const {
    std::uint64_t all = 0;
    for (const std::uint32_t each : m_headroom) {
        all += std::uint64_t{each} * static_cast<unsigned>(__builtin_popcount(m_lossless));
    }
    return all;
}

void shared_buffer::restart_statistics() {
    m_marks = m_in_use;
    m_queue_marks = m_queue_in_use;
    for (slice_state& s : m_slice) {
        s.pool_mark = {m_pool[0] - s.free[0], m_pool[1] - s.free[1]};
        s.headroom_mark = s.headroom_used;
        s.queue_mark = m_queue_pool - s.queue_free;
    }
    m_pool_marks = m_in_pools;
}

std::string shared_buffer::check() const {
    pool_sums sums_of_slices;
    for (const slice_state& s : m_slice) {
        sums_of_slices.shared[0] += m_pool[0] - s.free[0];
        sums_of_slices.shared[1] += m_pool[1] - s.free[1];
        sums_of_slices.headroom += s.headroom_used;
        sums_of_slices.queue += m_queue_pool - s.queue_free;
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
        std::uint64_t queue_shared = 0;
        for (std::size_t g = 0; g < m_group_count; ++g) {
            const auto c = static_cast<pfc_class>(g % m_classes);
            const usage& u = m_groups[slice * m_group_count + g];
            minimum += u.minimum;
            shared[is_lossless(c) ? 1 : 0] += u.shared;
            headroom += u.headroom;
            const std::uint32_t queue = m_queues[slice * m_group_count + g];
            queued += queue;
            queue_shared += !is_lossless(c) && queue > m_queue_minimum ? queue - m_queue_minimum : 0;
            if (u.minimum > m_minimum || u.headroom > m_headroom[g / m_classes]) {
                return "a group holds more than its minimum or its headroom";
            }
        }
        const bool pools = shared[0] + s.free[0] == m_pool[0] && shared[1] + s.free[1] == m_pool[1] &&
                           queue_shared + s.queue_free == m_queue_pool;
        const bool sums = minimum == s.minimum_used && headroom == s.headroom_used &&
                          minimum + shared[0] + shared[1] + headroom == s.stored && queued == s.stored;
        if (!pools || !sums || (m_headroom_pool && headroom > *m_headroom_pool)) {
            return "cells of slice " + std::to_string(slice) + " do not add up: " + std::to_string(s.stored) +
                   " stored, " + std::to_string(minimum) + " in minima, " + std::to_string(shared[0]) +
                   " and " + std::to_string(shared[1]) + " shared, " + std::to_string(headroom) +
                   " in headroom, " + std::to_string(queued) + " queued";
        }
    }
    return {};
}

}  // namespace weir
