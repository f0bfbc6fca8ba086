// Options [shared]: the memory that all ports of a switch share.
#include <algorithm>

#include "tb/options/option_table.h"
#include "tb/options/run_config.h"

namespace weir {

template <>
struct enum_names<slice_map> {
    static constexpr enum_name<slice_map> list[] = {
        {slice_map::egress, "egress", "by egress port; consecutive ports share a slice"},
        {slice_map::ingress, "ingress", "by ingress port; consecutive ports share a slice"},
    };
};

namespace {

/// When which options have an effect.
struct shared_relevance {
    relevance on;
    /// There are classes of that kind.
    relevance lossless;
    relevance lossy;
    /// There are lossless classes, and their groups' values come from no table of SONiC's.
    relevance lossless_options;
};

shared_relevance relevance_of(const run_config& config) {
    const relevance on = only_with_memory(config, buffer_kind::shared);
    const auto some = [&config](bool lossless) {
        for (unsigned c = 0; c < config.device.classes; ++c) {
            const bool held_back = config.pfc.mode != flow_control_mode::none && config.shared.is_lossless(c);
            if (held_back == lossless) {
                return true;
            }
        }
        return false;
    };
    const relevance lossless =
        on && relevance{"lossless classes (pfc.mode, shared.lossless_classes)", [some] { return some(true); }};
    const relevance no_table{"no shared.pg_profile_lookup",
                             [&config] { return config.shared_tables.pg_profile_lookup.empty(); }};
    return {
        on, lossless,
        on && relevance{"lossy classes (pfc.mode, shared.lossless_classes)", [some] { return some(false); }},
        lossless && no_table};
}

void add_memory(option_table::block_writer& block, run_config& config, const shared_relevance& when) {
    shared_buffer_config& shared = config.shared;
    const relevance sliced{"shared.slices above 1", [&shared] { return shared.slices > 1; }};
    block.add("memory", shared.memory)
        .range(shared_buffer_config::memory_range)
        .matters(when.on)
        .doc("All of the switch's packet memory. Frames take whole cells of switch.memory_cell.")
        .source("Trident2: 12 MB");
    block.add("slices", shared.slices)
        .range(shared_buffer_config::slices_range)
        .matters(when.on)
        .doc("Number of slices of the memory. Each slice has its own part of every pool.")
        .source("Tomahawk: 4, inferred from SONiC's tests");
    block.add("slice_map", shared.map)
        .matters(
            when.on && sliced &&
            relevance{"no shared.slice_map_file", [&config] { return config.shared_tables.slice_map.empty(); }})
        .doc("Which slice a frame is stored in.")
        .source("inferred from SONiC's tests");
    block.add("slice_map_file", config.shared_tables.slice_map)
        .path()
        .matters(when.on && sliced)
        .doc("CSV file with the slice of each pair of ports; replaces slice_map. docs/shared-profiles.md.")
        .source("project");
    block.add("lossless_classes", shared.lossless_classes)
        .rule(
            shared_buffer_config::lossless_class_range.text([](std::uint32_t c) { return std::to_string(c); }),
            [](const std::vector<std::uint32_t>& classes) {
                return std::all_of(classes.begin(), classes.end(), [](std::uint32_t c) {
                    return shared_buffer_config::lossless_class_range.holds(c);
                });
            })
        .matters(when.on && relevance{"pfc.mode = pause or pfc",
                                      [&config] { return config.pfc.mode != flow_control_mode::none; }})
        .doc("Classes that flow control protects from loss; other classes drop frames. auto: all classes.")
        .source("SONiC: 3 and 4");
}

void add_pools(option_table::block_writer& block, run_config& config, const shared_relevance& when) {
    shared_buffer_config& shared = config.shared;
    // A table of SONiC's gives all lossless groups theirs.
    const relevance minimum_counts{
        "no shared.pg_profile_lookup, or lossy classes",
        [&config, when] { return config.shared_tables.pg_profile_lookup.empty() || when.lossy.holds(); }};
    block.add("lossless_pool", shared.lossless_pool)
        .range(shared_buffer_config::pool_range)
        .matters(when.lossless)
        .doc(
            "Shared pool of the lossless groups (ingress port and class). auto: all memory except minima, "
            "headroom and lossy_pool. If lossy_pool is auto too and there are lossy classes, each pool has "
            "half.")
        .source("SONiC: ingress_lossless_pool");
    block.add("lossy_pool", shared.lossy_pool)
        .range(shared_buffer_config::pool_range)
        .matters(when.lossy)
        .doc("Shared pool of the lossy groups. auto: as lossless_pool.")
        .source("SONiC: ingress_lossy_pool");
    block.add("queue_pool", shared.queue_pool)
        .range(shared_buffer_config::pool_range)
        .matters(when.lossy)
        .doc("Pool that the lossy queues (egress port and class) share. auto: all memory except their minima.")
        .source("SONiC: egress_lossy_pool");
    block.add("lossless_queue_pool", shared.lossless_queue_pool)
        .range(shared_buffer_config::pool_range)
        .matters(when.lossless)
        .doc(
            "Pool that the lossless queues share; it may overlap with queue_pool. A lossless frame is dropped "
            "if the pool is full. auto: all memory, no limit.")
        .source("SONiC: egress_lossless_pool, all memory");
    block.add("minimum", shared.minimum)
        .range(shared_buffer_config::minimum_range)
        .matters(when.on && minimum_counts)
        .doc("Memory guaranteed to each group (ingress port and class) in each slice.")
        .source("SONiC: size of a priority group");
    block.add("queue_minimum", shared.queue_minimum)
        .range(shared_buffer_config::minimum_range)
        .matters(when.lossy)
        .doc(
            "Memory guaranteed to each lossy queue (egress port and class) in each slice, out of the memory "
            "that the queues share.")
        .source("SONiC: size of a queue");
}

void add_thresholds(option_table::block_writer& block, shared_buffer_config& shared,
                    const shared_relevance& when) {
    block.add("alpha", shared.alpha)
        .range(shared_buffer_config::alpha_range)
        .matters(when.lossless_options &&
                 relevance{"shared.threshold = auto", [&shared] { return !shared.threshold; }})
        .doc(
            "A lossless group is paused when its shared cells reach this factor times the free cells. All "
            "factors have up to six decimals, or are multiples of 1/1024.")
        .source("Choudhury and Hahne 1998; Tomahawk 1, Trident2 1/8");
    block.add("lossy_alpha", shared.lossy_alpha)
        .range(shared_buffer_config::alpha_range)
        .matters(when.lossy)
        .doc(
            "A lossy group drops frames while its shared cells are at or above this factor times the free "
            "cells.")
        .source("SONiC's ingress_lossy_profile of Trident2: 2^3");
    block.add("queue_alpha", shared.queue_alpha)
        .range(shared_buffer_config::alpha_range)
        .matters(when.lossy)
        .doc(
            "A lossy queue drops frames while its shared cells are at or above this factor times the free "
            "cells of queue_pool.")
        .source("SONiC's egress_lossy_profile: 2^3");
    block.add("lossless_queue_alpha", shared.lossless_queue_alpha)
        .range(shared_buffer_config::alpha_range)
        .matters(when.lossless && relevance{"shared.lossless_queue_threshold = auto",
                                            [&shared] { return !shared.lossless_queue_threshold; }})
        .doc(
            "A lossless queue drops frames while its shared cells are at or above this factor times the free "
            "cells of lossless_queue_pool. auto: no limit.")
        .source("SONiC's egress_lossless_profile: none, its static threshold is the pool");
    block.add("lossless_queue_threshold", shared.lossless_queue_threshold)
        .range(shared_buffer_config::pool_range)
        .matters(when.lossless)
        .doc(
            "Static threshold of a lossless queue in a slice; replaces lossless_queue_alpha. auto: "
            "lossless_queue_alpha decides.")
        .source("SONiC: static_th of egress_lossless_profile");
    block.add("threshold", shared.threshold)
        .range(shared_buffer_config::pool_range)
        .matters(when.lossless_options)
        .doc(
            "Static threshold of a lossless group's shared memory in a slice; replaces alpha. auto: alpha "
            "decides.")
        .source("SONiC: static_th");
    block.add("xon", shared.xon)
        .range(shared_buffer_config::pool_range)
        .matters(when.lossless_options)
        .doc("The threshold does not pause a group that holds at most this much in a slice.")
        .source("SONiC: xon");
    block.add("xon_offset", shared.xon_offset)
        .range(shared_buffer_config::pool_range)
        .matters(when.lossless)
        .doc("XON is sent for a paused group when it is this far below its threshold.")
        .source("SONiC: xon_offset");
}

void add_headroom(option_table::block_writer& block, shared_buffer_config& shared,
                  const shared_relevance& when) {
    block.add("headroom", shared.headroom)
        .range(shared_buffer_config::pool_range)
        .matters(when.lossless_options)
        .doc(
            "Headroom of each lossless group, in each slice. auto: the closed form for the port's link with "
            "the "
            "terms of pfc.profile, the lookup, and the frame that meets the threshold.")
        .source("SONiC: xoff");
    block.add("headroom_pool", shared.headroom_pool)
        .range(shared_buffer_config::pool_range)
        .matters(when.lossless)
        .doc(
            "Headroom that all groups share; each group may take up to `headroom` of it. auto: each group has "
            "headroom of its own.")
        .source("SONiC: xoff of a pool");
}

void add_tables(option_table::block_writer& block, shared_files& files, const shared_relevance& when) {
    block.add("pg_profile_lookup", files.pg_profile_lookup)
        .path()
        .matters(when.lossless)
        .doc(
            "SONiC's pg_profile_lookup.ini: minimum, xon, xon_offset, headroom and alpha of the lossless "
            "groups, "
            "by their link's rate and length (docs/shared-profiles.md). Empty: the options above.")
        .source("SONiC");
    block.add("group_profiles", files.group_profiles)
        .path()
        .matters(when.on)
        .doc("CSV file with values for single groups; they replace the options above. docs/shared-profiles.md.")
        .source("SONiC: BUFFER_PG");
    block.add("queue_profiles", files.queue_profiles)
        .path()
        .matters(when.on)
        .doc("CSV file with values for single queues; they replace the options above. docs/shared-profiles.md.")
        .source("SONiC: BUFFER_QUEUE");
}

}  // namespace

void add_shared_options(option_table& table, run_config& config) {
    auto block = table.block("shared", "Memory that all ports of a switch share (switch.buffer = shared).");
    const shared_relevance when = relevance_of(config);
    add_memory(block, config, when);
    add_pools(block, config, when);
    add_thresholds(block, config.shared, when);
    add_headroom(block, config.shared, when);
    block.add("ecn_threshold", config.shared.ecn_threshold)
        .range(shared_buffer_config::pool_range)
        .matters(when.on && relevance{"traffic over TCP", [&config] { return config.traffic.uses_tcp(); }})
        .doc(
            "A TCP frame is marked (ECN CE) if its queue holds at least this much when the frame arrives. TCP "
            "then sends ECN-capable packets, and halves its window once for each window of data that contains "
            "a mark. auto: no marking.")
        .source("RFC 3168; DCTCP: K");
    add_tables(block, config.shared_tables, when);
    table.check([&config] { return config.shared.validate(); });
}

}  // namespace weir
