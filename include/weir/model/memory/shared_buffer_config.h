// What a shared memory is configured by: one value for all groups or queues of a kind, and profiles of those
// that differ.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/base/field_range.h"
#include "weir/base/units.h"

namespace weir {

/// How a switch's memory is organised.
enum class buffer_kind : std::uint8_t {
    partitioned,  ///< each ingress and each egress port has its own (CIOQ)
    shared        ///< all ports share one
};
enum class slice_map : std::uint8_t {
    egress,   ///< by egress port: blocks of neighbouring ports, as equal as possible
    ingress,  ///< by ingress port, the same
};

/// Keys: [shared]. Pools are those of the whole memory; a slice has its part, rounded down to cells.
struct shared_buffer_config {
    buffer_kind kind = buffer_kind::partitioned;
    /// All of it. 12 MB: a Trident2.
    bytes memory{12'582'912};
    static constexpr field_range memory_range{1_KiB, 1_MiB * 1024};
    std::uint32_t slices = 1;
    static constexpr field_range slices_range{1U, 64U};
    slice_map map = slice_map::egress;
    /// Classes that flow control holds back. Not set: all. Without flow control none is.
    std::optional<std::vector<std::uint32_t>> lossless_classes;
    static constexpr field_range lossless_class_range{0U, 7U};
    /// Shared pool of the lossless groups. Not set: what minima, headroom and the lossy pool leave. Where both
    /// are open, and there are classes of both kinds, each gets half of it.
    std::optional<bytes> lossless_pool;
    /// Shared pool of the lossy groups. Not set: the same.
    std::optional<bytes> lossy_pool;
    static constexpr field_range pool_range{0_B, 1_MiB * 1024};
    /// Guaranteed to each group, in each slice.
    bytes minimum{0};
    /// Guaranteed to each queue, in each slice.
    bytes queue_minimum{0};
    static constexpr field_range minimum_range{0_B, 1_MiB * 64};
    /// Of a lossless group.
    double alpha = 1.0;
    /// Of a lossy group. Default: SONiC's ingress_lossy_profile of Trident2, 2^3.
    double lossy_alpha = 8.0;
    /// Of a lossy queue. Default: SONiC's egress_lossy_profile, 2^3.
    double queue_alpha = 8.0;
    /// Factors are kept exactly: up to six decimals, or a multiple of 1/1024.
    static constexpr field_range alpha_range{0.001, 1024.0};
    /// Static threshold of every lossless group, in place of alpha.
    std::optional<bytes> threshold;
    /// Headroom of each lossless group, in each slice. Not set: the closed form for its port's link.
    std::optional<bytes> headroom;
    /// Headroom that all groups share, of which one may take up to `headroom`. Not set: each has its own.
    std::optional<bytes> headroom_pool;
    /// A group with so little may always go on.
    bytes xon{0};
    /// How far below its threshold a group has to be to go on.
    bytes xon_offset{0};
    /// Pool of the lossy queues. Not set: all memory but the queues' minima.
    std::optional<bytes> queue_pool;
    /// Pool of the lossless queues. Not set: all memory, and no limit. SONiC: egress_lossless_pool, all memory.
    std::optional<bytes> lossless_queue_pool;
    /// Of a lossless queue, of the pool's free cells. Not set: no limit.
    std::optional<double> lossless_queue_alpha;
    /// Static threshold of every lossless queue, in place of the factor.
    std::optional<bytes> lossless_queue_threshold;
    /// Frames that may be marked are marked (ECN CE) where their queue holds as much when they come. Not set:
    /// none is.
    std::optional<bytes> ecn_threshold;

    config_errors validate() const;
    /// Where there is flow control.
    bool is_lossless(unsigned c) const;
};

/// Whether a factor can be kept exactly.
bool is_exact_alpha(double alpha);

/// Of one group (ingress port and class). What is not set is as `shared_buffer_config` has it.
struct group_profile {
    std::optional<bytes> minimum;
    /// One of the two at most.
    std::optional<double> alpha;
    std::optional<bytes> threshold;
    std::optional<bytes> xon;
    std::optional<bytes> xon_offset;
    std::optional<bytes> headroom;
};

/// Of one queue (egress port and class); the same.
struct queue_profile {
    std::optional<bytes> minimum;
    std::optional<double> alpha;
    std::optional<bytes> threshold;
    std::optional<bytes> ecn_threshold;
};

/// What is said of single groups, queues and pairs of ports of one switch.
struct shared_profiles {
    /// By port * classes + class; empty: of none.
    std::vector<group_profile> groups;
    std::vector<queue_profile> queues;
    /// By ingress port * ports + egress port; empty: `shared_buffer_config::map`.
    std::vector<std::uint8_t> slices;
};

}  // namespace weir
