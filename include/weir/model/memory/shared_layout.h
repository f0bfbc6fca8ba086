// How a memory that all ports share is cut: slices, pools, and what each group and queue may have of them, from
// bytes of the whole to cells of a slice. It stays as it is made; shared_buffer.h says what the parts are for,
// and counts what is in use of them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/base/units.h"
#include "weir/model/memory/shared_buffer_config.h"
#include "weir/model/memory/shared_limits.h"
#include "weir/protocol/frame.h"

namespace weir::model {

/// A frame's two ends.
struct buffer_flow {
    unsigned ingress_port;
    pfc_class frame_class;
    unsigned egress_port;
};

/// A lossless queue whose limit ingress may exceed, in one slice. Unit: cells.
struct queue_risk {
    unsigned egress_port = 0;
    pfc_class frame_class = 0;
    /// It may hold so many; of the pool, all lossless queues together.
    std::uint64_t limit = 0;
    /// What the groups of its class, or all lossless groups, may bring there.
    std::uint64_t admitted = 0;
    bool of_pool = false;
};

class shared_layout {
 public:
    /// `config` and `profiles` are valid. `headroom`: of each port's groups that `profiles` gives none. Sizes
    /// are rounded to cells: pools and thresholds down, guarantees up. `cell` of 0 counts single bytes.
    /// `errors` says whether it all fits.
    shared_layout(const shared_buffer_config& config, unsigned ports, unsigned classes, class_mask lossless,
                  bytes cell, const std::vector<bytes>& headroom, const shared_profiles& profiles = {});

    /// What is wrong with the sizes; empty if nothing.
    const config_errors& errors() const { return m_errors; }

    std::uint32_t cells_of(bytes length) const {
        return static_cast<std::uint32_t>((length.count() + m_cell - 1) / m_cell);
    }
    bytes bytes_of(std::uint64_t cells) const { return bytes{static_cast<std::int64_t>(cells) * m_cell}; }
    std::uint32_t slices() const { return m_slices; }
    unsigned slice_of(const buffer_flow& flow) const {
        return m_slice_of[flow.ingress_port * m_ingress_step + flow.egress_port * m_egress_step];
    }
    bool is_lossless(pfc_class c) const { return (m_lossless >> c & 1) != 0; }
    /// By slice, ingress port and class.
    std::size_t place(unsigned slice, unsigned ingress_port, pfc_class c) const {
        return slice * m_group_count + group(ingress_port, c);
    }
    std::size_t places() const { return m_slices * m_group_count; }
    /// T of a group with so many cells of its pool free.
    std::uint64_t threshold_with(unsigned ingress_port, pfc_class c, std::uint32_t free) const {
        return limits(ingress_port, c).threshold.with(free);
    }
    /// Cells of each slice's pool, and of all headroom where it is a pool.
    std::uint32_t pool(bool lossless) const { return m_pool[pool_of(lossless)]; }
    /// Whether groups, or queues, of both kinds draw from the lossless pool. Then there is no lossy one.
    bool has_common_pool() const { return m_pool_of[0] == 1; }
    bool has_common_queue_pool() const { return m_queue_pool_of[0] == 1; }
    /// As `pool` and `queue_pool`, but each pool once: 0 of the lossy ones where they share the lossless pool.
    std::uint32_t own_pool(bool lossless) const { return lossless || !has_common_pool() ? pool(lossless) : 0; }
    std::uint32_t own_queue_pool(bool lossless) const {
        return lossless || !has_common_queue_pool() ? queue_pool(lossless) : 0;
    }
    std::optional<std::uint32_t> headroom_pool() const { return m_headroom_pool; }
    /// Headroom of all lossless groups of a slice together.
    std::uint64_t private_headroom() const;
    /// What a group, and a queue, may have in each slice.
    const group_limits& limits(unsigned ingress_port, pfc_class c) const {
        return m_group_limits[group(ingress_port, c)];
    }
    const queue_limits& queue_limits_of(unsigned egress_port, pfc_class c) const {
        return m_queue_limits[group(egress_port, c)];
    }
    /// Cells of a slice, and those that neither a minimum, headroom nor a pool has.
    std::uint32_t slice_cells() const { return m_slice_cells; }
    std::uint32_t unassigned() const { return m_unassigned; }
    /// Cells that the lossy, or the lossless, queues of a slice share; 0 where there are none. That of the
    /// lossless ones is all of the slice where nothing limits it.
    std::uint32_t queue_pool(bool lossless) const { return m_queue_pool[queue_pool_of(lossless)]; }
    /// The first lossless queue at which frames can be lost for a limit of the queues' side. `frame`: cells of
    /// the longest one.
    std::optional<queue_risk> queue_at_risk(std::uint32_t frame) const;
    /// Most bytes that a queue can hold in all slices while all other queues are empty: what the groups of its
    /// class bring, less what its own limit refuses. Groups fill the pool one after another, which gives more
    /// than if they fill it together. `frame`: cells of the longest frame. `own`: frames of its port's own
    /// group come back to it.
    bytes most_queued(unsigned egress_port, pfc_class c, std::uint32_t frame, bool own) const;
    bool has_lossy() const { return (m_lossless & ((1U << m_classes) - 1)) != (1U << m_classes) - 1; }
    bool has_lossless() const { return (m_lossless & ((1U << m_classes) - 1)) != 0; }
    unsigned classes() const { return m_classes; }
    unsigned ports() const { return m_ports; }

 protected:
    ~shared_layout() = default;
    std::size_t group(unsigned port, pfc_class c) const { return port * m_classes + c; }
    /// Where the pool of a kind's groups, and of its queues, is counted.
    unsigned pool_of(bool lossless) const { return m_pool_of[lossless ? 1 : 0]; }
    unsigned queue_pool_of(bool lossless) const { return m_queue_pool_of[lossless ? 1 : 0]; }

    std::int64_t m_cell;
    unsigned m_ports;
    unsigned m_classes;
    std::size_t m_group_count;
    std::uint32_t m_slices;
    class_mask m_lossless;
    // Of the lossy kind, of the lossless one; a common pool is the lossless one.
    std::array<std::uint32_t, 2> m_pool{};
    std::array<std::uint32_t, 2> m_queue_pool{};
    std::array<std::uint8_t, 2> m_pool_of{0, 1};
    std::array<std::uint8_t, 2> m_queue_pool_of{0, 1};
    bool m_limits_lossless_queues = false;
    std::uint32_t m_slice_cells = 0;
    std::uint32_t m_unassigned = 0;
    std::optional<std::uint32_t> m_headroom_pool;
    std::array<cell_threshold, 2> m_common_threshold{};
    // By port and class.
    std::vector<group_limits> m_group_limits;
    std::vector<queue_limits> m_queue_limits;
    // By port, or by both ports: places of an ingress and of an egress port are so far apart.
    std::vector<std::uint8_t> m_slice_of;
    unsigned m_ingress_step = 0;
    unsigned m_egress_step = 0;

 private:
    std::uint64_t most_brought(unsigned slice, unsigned egress_port, pfc_class c, std::uint32_t frame,
                               bool own) const;
    std::uint64_t most_admitted(pfc_class c, std::uint32_t frame) const;
    void set_limits(const shared_buffer_config& config, const std::vector<bytes>& headroom,
                    const shared_profiles& profiles);
    void set_slices(const shared_buffer_config& config, const shared_profiles& profiles);
    void set_pools(const shared_buffer_config& config);
    void set_queue_pools(const shared_buffer_config& config, std::uint64_t all);
    std::uint64_t without_reserved(const shared_buffer_config& config, const char* key, bytes size,
                                   std::uint64_t reserved);

    config_errors m_errors;
};

}  // namespace weir::model
