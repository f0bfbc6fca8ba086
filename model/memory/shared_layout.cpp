#include "weir/model/memory/shared_layout.h"

#include <algorithm>

#include "weir/base/unit_text.h"

namespace weir::model {

shared_buffer_config with_pools(shared_buffer_config config, const pool_profile& pools) {
    const auto take = [](auto& option, const auto& profile) { option = option ? option : profile; };
    take(config.lossless_pool, pools.lossless_pool);
    take(config.lossy_pool, pools.lossy_pool);
    take(config.headroom_pool, pools.headroom_pool);
    take(config.queue_pool, pools.queue_pool);
    take(config.lossless_queue_pool, pools.lossless_queue_pool);
    take(config.common_pool, pools.common_pool);
    take(config.common_queue_pool, pools.common_queue_pool);
    take(config.pools_include_reserved, pools.pools_include_reserved);
    return config;
}

shared_layout::shared_layout(const shared_buffer_config& config, unsigned ports, unsigned classes,
                             class_mask lossless, bytes cell, const std::vector<bytes>& headroom,
                             const shared_profiles& profiles)
    : m_cell(std::max<std::int64_t>(1, cell.count())),
      m_ports(ports),
      m_classes(classes),
      m_group_count(std::size_t{ports} * classes),
      m_slices(config.slices),
      m_lossless(lossless) {
    const shared_buffer_config of_switch = with_pools(config, profiles.pools);
    const bool both_kinds = has_lossless() && has_lossy();
    m_pool_of[0] = both_kinds && of_switch.common_pool.value_or(false) ? 1 : 0;
    m_queue_pool_of[0] = both_kinds && of_switch.common_queue_pool.value_or(false) ? 1 : 0;
    set_limits(of_switch, headroom, profiles);
    set_slices(of_switch, profiles);
    set_pools(of_switch);
}

/// A number or a factor of its own, or that of its kind.
static cell_threshold own_threshold(const std::optional<double>& alpha, const std::optional<bytes>& threshold,
                                    const cell_threshold& common, std::int64_t cell) {
    return threshold ? cell_threshold::of_number(static_cast<std::uint64_t>(threshold->count() / cell))
           : alpha   ? cell_threshold::of_factor(*alpha)
                     : common;
}

void shared_layout::set_limits(const shared_buffer_config& config, const std::vector<bytes>& headroom,
                               const shared_profiles& profiles) {
    const auto whole_cells = [&](bytes size) { return static_cast<std::uint32_t>(size.count() / m_cell); };
    const auto factor = [](double alpha) { return cell_threshold::of_factor(alpha); };
    m_common_threshold = {factor(config.lossy_alpha),
                          own_threshold({}, config.threshold, factor(config.alpha), m_cell)};
    const std::array<cell_threshold, 2> of_queues{
        factor(config.queue_alpha), own_threshold(config.lossless_queue_alpha, config.lossless_queue_threshold,
                                                  cell_threshold::none(), m_cell)};
    m_limits_lossless_queues = config.lossless_queue_pool || has_common_queue_pool() || !of_queues[1].is_none();
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

void shared_layout::set_slices(const shared_buffer_config& config, const shared_profiles& profiles) {
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

/// Cells of a slice that a pool's members share. `reserved`: of these members.
std::uint64_t shared_layout::without_reserved(const shared_buffer_config& config, const char* key, bytes size,
                                              std::uint64_t reserved) {
    const auto cells = static_cast<std::uint64_t>(size.count() / m_cell / m_slices);
    if (!config.pools_include_reserved.value_or(false)) {
        return cells;
    }
    if (cells < reserved) {
        m_errors.push_back(
            option_error(key,
                         "{} is less than what is reserved for the pool's members, {}, which it includes "
                         "({shared.pools_include_reserved}); expected at least that",
                         {to_text(size), to_text(bytes_of(reserved * m_slices))}));
        return 0;
    }
    return cells - reserved;
}

void shared_layout::set_pools(const shared_buffer_config& config) {
    const auto down = [&](bytes size) { return static_cast<std::uint32_t>(size.count() / m_cell / m_slices); };
    // Options for a kind of classes that the switch does not have have no effect.
    const bool any_lossless = has_lossless();
    const bool any_lossy = has_lossy();
    std::array<std::uint64_t, 2> reserved{};
    for (std::size_t g = 0; g < m_group_count; ++g) {
        reserved[pool_of(is_lossless(static_cast<pfc_class>(g % m_classes)))] += m_group_limits[g].minimum;
    }
    if (config.headroom_pool && any_lossless) {
        m_headroom_pool = down(*config.headroom_pool);
    } else {
        reserved[1] += private_headroom();
    }
    const std::uint64_t guaranteed = reserved[0] + reserved[1] + m_headroom_pool.value_or(0);
    const std::uint64_t all = down(config.memory);
    const std::uint64_t left = all > guaranteed ? all - guaranteed : 0;
    std::array<std::optional<std::uint64_t>, 2> set;
    if (config.lossy_pool && any_lossy && !has_common_pool()) {
        set[0] = without_reserved(config, "shared.lossy_pool", *config.lossy_pool, reserved[0]);
    }
    if (config.lossless_pool && any_lossless) {
        set[1] = without_reserved(config, "shared.lossless_pool", *config.lossless_pool, reserved[1]);
    }
    const std::uint64_t lossy = !any_lossy || has_common_pool() ? 0
                                : set[0]                        ? *set[0]
                                : set[1]                        ? left - std::min(left, *set[1])
                                                                : left / (any_lossless ? 2 : 1);
    const std::uint64_t lossless_cells = !any_lossless ? 0 : set[1].value_or(left - std::min(left, lossy));
    m_pool = {static_cast<std::uint32_t>(lossy), static_cast<std::uint32_t>(lossless_cells)};
    set_queue_pools(config, all);
    if (guaranteed + lossy + lossless_cells > all) {
        const auto whole = [&](std::uint64_t cells) { return to_text(bytes_of(cells * m_slices)); };
        m_errors.push_back(option_error(
            "shared.memory",
            std::string(
                "{} is too small for the sum of minima and {headroom}, {}, {shared.lossless_pool}, {}, and "
                "{shared.lossy_pool}, {} (whole cells, {} ") +
                (m_slices == 1 ? "slice" : "{slices}") + "); expected at least {}",
            {to_text(config.memory), whole(guaranteed), whole(lossless_cells), whole(lossy),
             std::to_string(m_slices), whole(guaranteed + lossy + lossless_cells)}));
    }
    m_slice_cells = static_cast<std::uint32_t>(all);
    m_unassigned = static_cast<std::uint32_t>(left - std::min(left, lossy + lossless_cells));
}

// Egress pools may overlap, as SONiC sets them: each only limits what its queues share.
void shared_layout::set_queue_pools(const shared_buffer_config& config, std::uint64_t all) {
    std::array<std::uint64_t, 2> minima{};
    for (std::size_t q = 0; q < m_group_count; ++q) {
        minima[queue_pool_of(is_lossless(static_cast<pfc_class>(q % m_classes)))] += m_queue_limits[q].minimum;
    }
    const auto less = [all](std::uint64_t taken) { return all - std::min(all, taken); };
    const auto size = [&](bool any, const char* key, const std::optional<bytes>& set, unsigned kind,
                          std::uint64_t open) {
        const std::uint64_t pool = !any ? 0 : set ? without_reserved(config, key, *set, minima[kind]) : open;
        // Beside a pool that has its own minima, those of the other one count in the other's size.
        const std::uint64_t beside =
            config.pools_include_reserved.value_or(false) ? minima[kind] : minima[0] + minima[1];
        if (any && (set || kind == 0) && pool + beside > all) {
            m_errors.push_back(option_error(key,
                                            "the minima of the queues, {}, and the pool, {}, exceed "
                                            "{shared.memory} ({}); expected a sum of at most that",
                                            {to_text(bytes_of(beside * m_slices)),
                                             to_text(bytes_of(pool * m_slices)), to_text(config.memory)}));
        }
        return static_cast<std::uint32_t>(pool);
    };
    const bool common = has_common_queue_pool();
    m_queue_pool = {
        size(has_lossy() && !common, "shared.queue_pool", config.queue_pool, 0, less(minima[0] + minima[1])),
        size(has_lossless(), "shared.lossless_queue_pool", config.lossless_queue_pool, 1,
             common ? less(minima[1]) : all)};
}

std::uint64_t shared_layout::private_headroom() const {
    std::uint64_t all = 0;
    for (const group_limits& group : m_group_limits) {
        all += group.headroom;
    }
    return all;
}

// What a class's groups may bring into a slice, by their own limits: minima, headroom, and shared cells up to
// the pool, or up to static thresholds that a last frame may overshoot.
std::uint64_t shared_layout::most_admitted(pfc_class c, std::uint32_t frame) const {
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

// A number does not shrink with the pool, so groups with factors come first.
std::uint64_t shared_layout::most_brought(unsigned slice, unsigned egress_port, pfc_class c,
                                          std::uint32_t frame, bool own) const {
    const std::uint32_t all = pool(is_lossless(c));
    std::uint32_t free = all;
    std::uint64_t minima = 0;
    std::uint64_t headroom = 0;
    for (const bool is_static : {false, true}) {
        for (unsigned port = 0; port < m_ports; ++port) {
            const group_limits& group = limits(port, c);
            if (group.threshold.is_static() != is_static || slice_of({port, c, egress_port}) != slice ||
                (port == egress_port && !own)) {
                continue;
            }
            minima += group.minimum;
            headroom += group.headroom;
            free -= static_cast<std::uint32_t>(group.threshold.most_taken(free, frame));
        }
    }
    return minima + std::min<std::uint64_t>(headroom, m_headroom_pool.value_or(~std::uint32_t{0})) +
           (all - free);
}

bytes shared_layout::most_queued(unsigned egress_port, pfc_class c, std::uint32_t frame, bool own) const {
    const queue_limits& queue = queue_limits_of(egress_port, c);
    const bool is_limited = !is_lossless(c) || m_limits_lossless_queues;
    const std::uint64_t limit =
        is_limited ? queue.minimum + queue.threshold.most_taken(queue_pool(is_lossless(c)), frame)
                   : m_slice_cells;
    std::uint64_t most = 0;
    for (unsigned slice = 0; slice < m_slices; ++slice) {
        most += std::min(most_brought(slice, egress_port, c, frame, own), limit);
    }
    return bytes_of(most);
}

std::optional<queue_risk> shared_layout::queue_at_risk(std::uint32_t frame) const {
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
    // Classes share the pool, and the headroom pool; in a common one lossy queues hold cells, too.
    all = std::min<std::uint64_t>(all, m_slice_cells);
    const std::uint32_t pool = m_queue_pool[1];
    const std::uint64_t in_pool = has_common_queue_pool() ? m_slice_cells : all;
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
            const std::uint64_t others = std::min<std::uint64_t>(in_pool, pool);
            most = queue.minimum + queue.threshold.with(static_cast<std::uint32_t>(pool - others));
        }
        if (brought > most) {
            return queue_risk{port, c, most, brought, false};
        }
        if (in_pool > pool) {
            return queue_risk{port, c, pool, in_pool, true};
        }
    }
    return std::nullopt;
}

}  // namespace weir::model
