// What a shared memory is configured by: one value for all groups or queues of a kind, and profiles of those
// that differ.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/base/config_field.h"
#include "weir/base/enum_names.h"
#include "weir/base/units.h"

namespace weir::model {

enum class slice_map : std::uint8_t {
    egress,   ///< by egress port: blocks of neighbouring ports, as equal as possible
    ingress,  ///< by ingress port, the same
};
constexpr auto names_of(slice_map) {
    return enum_names<slice_map>({
        {slice_map::egress, "egress", "by egress port; consecutive ports share a slice"},
        {slice_map::ingress, "ingress", "by ingress port; consecutive ports share a slice"},
    });
}

/// Keys: [shared]. Pools are those of the whole memory; a slice has its part, rounded down to cells.
struct shared_buffer_config {
    bytes memory{12'582'912};
    std::uint32_t slices = 1;
    slice_map map = slice_map::egress;
    /// Without flow control none is lossless.
    std::optional<std::vector<std::uint32_t>> lossless_classes;
    std::optional<bytes> lossless_pool;
    std::optional<bytes> lossy_pool;
    std::optional<bytes> queue_pool;
    std::optional<bytes> lossless_queue_pool;
    std::optional<bool> common_pool;
    std::optional<bool> common_queue_pool;
    std::optional<bool> pools_include_reserved;
    bytes minimum{0};
    bytes queue_minimum{0};
    // Factors are kept exactly: up to six decimals, or a multiple of 1/1024.
    double alpha = 1.0;
    double lossy_alpha = 8.0;
    double queue_alpha = 8.0;
    std::optional<double> lossless_queue_alpha;
    std::optional<bytes> lossless_queue_threshold;
    std::optional<bytes> threshold;
    bytes xon{0};
    bytes xon_offset{0};
    std::optional<bytes> headroom;
    std::optional<bytes> headroom_pool;
    std::optional<bytes> ecn_threshold;
    static constexpr field_range pool_range{0_B, 1_MiB * 1024};
    static constexpr field_range minimum_range{0_B, 1_MiB * 64};
    static constexpr field_range alpha_range{0.001, 1024.0};
    static constexpr const char* when_shared = "switch.buffer = shared";
    static constexpr const char* when_lossless = "some_class_is_lossless";
    static constexpr const char* when_lossy = "some_class_is_lossy";
    static constexpr const char* when_own_pool = "lossy_groups_have_a_pool";
    static constexpr const char* when_own_queue_pool = "lossy_queues_have_a_pool";

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields.all_need(when_shared);
        fields(field("memory", &self::memory)
                   .memory()
                   .range(1_KiB, 1_MiB * 1024)
                   .help("All of the switch's packet memory. Frames take whole cells of switch.memory_cell.")
                   .source("Trident2: 12 MB"));
        fields(field("slices", &self::slices)
                   .range(1U, 64U)
                   .help("Number of slices of the memory. Each slice has its own part of every pool.")
                   .source("Tomahawk: 4, inferred from SONiC's tests"));
        fields(field("slice_map", &self::map)
                   .needs("shared.slices above 1", "no shared.slice_map_file")
                   .help("Which slice a frame is stored in.")
                   .source("inferred from SONiC's tests"));
        fields(field("lossless_classes", &self::lossless_classes)
                   .range(0, 7)
                   .needs("pfc.mode = pause or pfc")
                   .help("Classes that flow control protects from loss; other classes drop frames. auto: all "
                         "classes.")
                   .source("SONiC: 3 and 4"));
        fields(field("lossless_pool", &self::lossless_pool)
                   .memory()
                   .range(pool_range)
                   .needs(when_lossless)
                   .help("Shared pool of the lossless groups (ingress port and class). auto: all memory except "
                         "minima, headroom and lossy_pool. If lossy_pool is auto too and there are lossy "
                         "classes, each pool has half.")
                   .source("SONiC: ingress_lossless_pool"));
        fields(field("lossy_pool", &self::lossy_pool)
                   .memory()
                   .range(pool_range)
                   .needs(when_lossy, when_own_pool)
                   .help("Shared pool of the lossy groups. auto: as lossless_pool.")
                   .source("SONiC: ingress_lossy_pool"));
        fields(field("queue_pool", &self::queue_pool)
                   .memory()
                   .range(pool_range)
                   .needs(when_lossy, when_own_queue_pool)
                   .help("Pool that the lossy queues (egress port and class) share. auto: all memory except "
                         "their minima.")
                   .source("SONiC: egress_lossy_pool"));
        fields(field("lossless_queue_pool", &self::lossless_queue_pool)
                   .memory()
                   .range(pool_range)
                   .needs(when_lossless)
                   .help("Pool that the lossless queues share; it may overlap with queue_pool. A lossless "
                         "frame is dropped if the pool is full. auto: all memory, no limit.")
                   .source("SONiC: egress_lossless_pool, all memory"));
        fields(field("common_pool", &self::common_pool)
                   .needs(when_lossless, when_lossy)
                   .help("Lossy groups take shared memory from lossless_pool, too; then lossy_pool has no "
                         "effect. auto: as shared.config_db has it, else false.")
                   .source("SONiC's Trident2 and Tomahawk: ingress_lossless_pool for both"));
        fields(field("common_queue_pool", &self::common_queue_pool)
                   .needs(when_lossless, when_lossy)
                   .help("Lossy queues share lossless_queue_pool, too; then queue_pool has no effect. A "
                         "lossless frame is dropped if that pool is full. auto: as shared.config_db has it, "
                         "else false.")
                   .source("SONiC's newer configurations: egress_lossless_pool for both"));
        fields(
            field("pools_include_reserved", &self::pools_include_reserved)
                .help("The size of a pool that is not auto includes what is reserved for its members: minima "
                      "and headroom of groups, minima of queues. false: it is the shared part alone. auto: "
                      "true with a shared.config_db whose lossless pool has no xoff, else false.")
                .source("SAI: SAI_BUFFER_POOL_ATTR_SIZE and SHARED_SIZE; Trident2"));
        fields(field("minimum", &self::minimum)
                   .memory()
                   .range(minimum_range)
                   .needs("some_group_has_no_profile")
                   .help("Memory guaranteed to each group (ingress port and class) in each slice.")
                   .source("SONiC: size of a priority group"));
        fields(field("queue_minimum", &self::queue_minimum)
                   .memory()
                   .range(minimum_range)
                   .needs(when_lossy)
                   .help("Memory guaranteed to each lossy queue (egress port and class) in each slice, out of "
                         "the memory that the queues share.")
                   .source("SONiC: size of a queue"));
        fields(field("alpha", &self::alpha)
                   .range(alpha_range)
                   .needs(when_lossless, "no shared.pg_profile_lookup", "shared.threshold = auto")
                   .help("A lossless group is paused when its shared cells reach this factor times the free "
                         "cells. All factors have up to six decimals, or are multiples of 1/1024.")
                   .source("Choudhury and Hahne 1998; Tomahawk 1, Trident2 1/8"));
        fields.all_need(when_shared, when_lossy);
        fields(field("lossy_alpha", &self::lossy_alpha)
                   .range(alpha_range)
                   .help("A lossy group drops frames while its shared cells are at or above this factor times "
                         "the free cells.")
                   .source("SONiC's ingress_lossy_profile of Trident2: 2^3"));
        fields(field("queue_alpha", &self::queue_alpha)
                   .range(alpha_range)
                   .help("A lossy queue drops frames while its shared cells are at or above this factor times "
                         "the free cells of queue_pool.")
                   .source("SONiC's egress_lossy_profile: 2^3"));
        fields.all_need(when_shared, when_lossless);
        fields(field("lossless_queue_alpha", &self::lossless_queue_alpha)
                   .range(alpha_range)
                   .needs("shared.lossless_queue_threshold = auto")
                   .help("A lossless queue drops frames while its shared cells are at or above this factor "
                         "times the free cells of lossless_queue_pool. auto: no limit.")
                   .source("SONiC's egress_lossless_profile: none, its static threshold is the pool"));
        fields(field("lossless_queue_threshold", &self::lossless_queue_threshold)
                   .memory()
                   .range(pool_range)
                   .help("Static threshold of a lossless queue in a slice; replaces lossless_queue_alpha. "
                         "auto: lossless_queue_alpha decides.")
                   .source("SONiC: static_th of egress_lossless_profile"));
        fields(field("threshold", &self::threshold)
                   .memory()
                   .range(pool_range)
                   .needs("no shared.pg_profile_lookup")
                   .help("Static threshold of a lossless group's shared memory in a slice; replaces alpha. "
                         "auto: alpha decides.")
                   .source("SONiC: static_th"));
        fields(field("xon", &self::xon)
                   .memory()
                   .range(pool_range)
                   .needs("no shared.pg_profile_lookup")
                   .help("A group that holds at most this much in a slice is never paused by its threshold.")
                   .source("SONiC: xon"));
        fields(field("xon_offset", &self::xon_offset)
                   .memory()
                   .range(pool_range)
                   .help("XON is sent for a paused group when it is this far below its threshold.")
                   .source("SONiC: xon_offset"));
        fields(
            field("headroom", &self::headroom)
                .memory()
                .range(pool_range)
                .needs("no shared.pg_profile_lookup")
                .help("Headroom of each lossless group, in each slice. auto: the closed form for the port's "
                      "link with the terms of pfc.profile, the lookup, and the frame that meets the threshold.")
                .source("SONiC: xoff"));
        fields(field("headroom_pool", &self::headroom_pool)
                   .memory()
                   .range(pool_range)
                   .help("Headroom that all groups share; each group may take up to `headroom` of it. auto: "
                         "each group has headroom of its own.")
                   .source("SONiC: xoff of a pool"));
        fields.all_need(when_shared);
        fields(field("ecn_threshold", &self::ecn_threshold)
                   .memory()
                   .range(pool_range)
                   .needs("marks_are_heeded")
                   .help("A TCP frame is marked (ECN CE) if its queue holds at least this much when the frame "
                         "arrives. TCP then sends ECN-capable packets, and halves its window once for each "
                         "window of data that contains a mark. auto: no marking.")
                   .source("RFC 3168; DCTCP: K"));
    }

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

/// Of the pools of one switch; an option that is not auto stands above it.
struct pool_profile {
    std::optional<bytes> lossless_pool;
    std::optional<bytes> lossy_pool;
    std::optional<bytes> headroom_pool;
    std::optional<bytes> queue_pool;
    std::optional<bytes> lossless_queue_pool;
    std::optional<bool> common_pool;
    std::optional<bool> common_queue_pool;
    std::optional<bool> pools_include_reserved;
};

/// The options of a switch whose pools are described by `pools`.
shared_buffer_config with_pools(shared_buffer_config config, const pool_profile& pools);

/// What is said of single groups, queues and pairs of ports of one switch, and of its pools.
struct shared_profiles {
    pool_profile pools;
    /// By port * classes + class; empty: of none.
    std::vector<group_profile> groups;
    std::vector<queue_profile> queues;
    /// By ingress port * ports + egress port; empty: `shared_buffer_config::map`.
    std::vector<std::uint8_t> slices;
};

}  // namespace weir::model
