// Parameters of a switch. Defaults are DeTail's switch (technical report 2011, sections 4 to 7) at 1 Gb/s.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/base/config_field.h"
#include "weir/base/enum_names.h"
#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/model/config/largest_memory.h"
#include "weir/model/config/tcam_config.h"
#include "weir/model/config/weights_config.h"
#include "weir/protocol/frame.h"

namespace weir::model {

enum class crossbar_mode : std::uint8_t { frame, cell };
constexpr auto names_of(crossbar_mode) {
    return enum_names<crossbar_mode>({
        {crossbar_mode::frame, "frame",
         "a match moves a whole frame; the arbiter runs whenever something changes"},
        {crossbar_mode::cell, "cell",
         "time slots of one cell at speedup x line rate, with one matching per slot, as in RTL"},
    });
}
/// Kinds of blocks that switch/block_kinds.h registers. The first ones are islip, flow_hash and strict.
enum class arbiter_kind : std::uint8_t {};
enum class balance_policy : std::uint8_t {};
enum class scheduler_kind : std::uint8_t {};
enum class hash_salting : std::uint8_t { per_switch, none };
constexpr auto names_of(hash_salting) {
    return enum_names<hash_salting>({
        {hash_salting::per_switch, "per_switch",
         "each switch has its own: successive tiers choose independently"},
        {hash_salting::none, "none",
         "all switches hash alike: frames that one tier has sorted by hash use few ports of the next "
         "(polarisation)"},
    });
}
enum class drop_policy : std::uint8_t { ingress_tail, egress_tail };
constexpr auto names_of(drop_policy) {
    return enum_names<drop_policy>({
        {drop_policy::ingress_tail, "ingress_tail",
         "a full egress memory makes frames wait at ingress; a full ingress memory drops frames"},
        {drop_policy::egress_tail, "egress_tail",
         "the crossbar never waits for room; a full egress memory drops frames"},
    });
}
enum class egress_share : std::uint8_t { whole, fixed, dynamic };
constexpr auto names_of(egress_share) {
    return enum_names<egress_share>({
        {egress_share::whole, "whole", "any class may fill the port's memory"},
        {egress_share::fixed, "fixed", "each class has memory / classes"},
        {egress_share::dynamic, "dynamic", "each class may hold share_alpha x the port's free memory"},
    });
}
/// Organisations of packet memory; memory/memory_organisation.h registers them.
enum class buffer_kind : std::uint8_t { partitioned, shared, output_queued, input_buffered };
/// A kind of overflow action that overflow/overflow_action.h registers. The first one holds frames.
enum class overflow_kind : std::uint8_t {};
/// An order in egress queues that memory/queue_order.h registers. The first one is first in, first out.
enum class queue_order_kind : std::uint8_t {};

/// The switch proper. Keys: [switch].
struct switch_config {
    buffer_kind buffer = buffer_kind::partitioned;
    bytes ingress_buffer{128_KiB};
    bytes egress_buffer{128_KiB};
    bytes memory_cell{0};
    bytes max_frame{1530};
    drop_policy drop = drop_policy::ingress_tail;
    overflow_kind overflow{};
    queue_order_kind queue_order{};
    bool telemetry = false;
    egress_share share = egress_share::dynamic;
    /// Default 8: enough for a class alone to pass `balance_thresholds` (egress_share.h).
    double share_alpha = 8.0;
    picoseconds lookup_delay{3100ns};
    picoseconds lookup_interval{0};
    /// A partitioned switch has the frames that wait in ingress memory.
    bytes ingress_fifo{16_KiB};
    std::uint32_t tcam_entries = 16384;
    balance_policy balance{};
    hash_salting hash_salt = hash_salting::per_switch;
    std::vector<bytes> balance_thresholds{16'384_B, 65'536_B};
    crossbar_mode crossbar = crossbar_mode::frame;
    std::uint32_t speedup = 4;
    bytes cell{64};
    arbiter_kind arbiter{};
    std::uint32_t iterations = 4;
    std::uint32_t classes = 8;
    scheduler_kind scheduler{};
    std::array<std::uint32_t, pfc_classes> weights{1, 1, 1, 1, 1, 1, 1, 1};
    static constexpr field_range buffer_range{64_B, largest_memory};
    static constexpr field_range lookup_range{0_ps, picoseconds{1s}};

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        constexpr const char* at_egress = "switch.buffer = partitioned or output_queued";
        fields(
            field("buffer", &self::buffer).help("How packet memory is organised.").source("DeTail 7.1: CIOQ"));
        fields(field("ingress_buffer", &self::ingress_buffer)
                   .memory()
                   .range(buffer_range)
                   .needs("switch.buffer = partitioned or input_buffered")
                   .help("Packet memory of one ingress port. At least one frame of switch.max_frame, rounded "
                         "up to whole memory cells.")
                   .source("DeTail 7.1"));
        fields(field("egress_buffer", &self::egress_buffer)
                   .memory()
                   .range(buffer_range)
                   .needs(at_egress)
                   .help("Packet memory of one egress port. At least one frame of switch.max_frame, rounded up "
                         "to whole memory cells.")
                   .source("DeTail 7.1"));
        fields(field("memory_cell", &self::memory_cell)
                   .range(0_B, 65'535_B)
                   .help("Unit in which packet memory is allocated: a frame occupies whole cells. 0: memory is "
                         "allocated in bytes.")
                   .source("project; ASICs have 80 to 420 B"));
        fields(field("max_frame", &self::max_frame)
                   .range(64_B, 65'535_B)
                   .help("Largest frame (destination address to FCS) that the fabric carries; longer frames "
                         "are dropped as oversized. Egress memory is reserved in units of this size.")
                   .source("DeTail 7.1"));
        fields(field("drop", &self::drop)
                   .needs("switch.buffer = partitioned")
                   .help("Where frames are lost when memory is full.")
                   .source("DeTail 6: egress never overflows"));
        fields(field("overflow", &self::overflow)
                   .help("What happens to a frame whose egress port is full, after its lookup. With pfc.mode "
                         "other than none: hold, or detour with detour.lossless.")
                   .source("DIBS, EuroSys 2014"));
        fields(field("queue_order", &self::queue_order)
                   .needs("ranks_are_set")
                   .help("In which order frames of one class leave an egress port, and which of them is "
                         "dropped when memory is full. rank needs pfc.mode = none.")
                   .source("pFabric, SIGCOMM 2013"));
        fields(field("telemetry", &self::telemetry)
                   .needs("telemetry_is_read")
                   .help("Each switch appends to a frame the time and port of its departure, the bytes that "
                         "this port has sent and those that wait there. The receiver returns them with its "
                         "acknowledgement.")
                   .source("P4.org's INT 2.1; HPCC, SIGCOMM 2019"));
        fields(field("share", &self::share)
                   .needs(at_egress, "switch.classes above 1")
                   .help("How the classes of an egress port share its memory, if there is more than one class.")
                   .source("Choudhury and Hahne 1998"));
        fields(field("share_alpha", &self::share_alpha)
                   .range(0.0, 64.0, range_ends::low_excluded)
                   .needs(at_egress, "switch.share = dynamic", "switch.classes above 1")
                   .help("Factor of switch.share = dynamic: a class may hold up to this factor times the free "
                         "memory of the port.")
                   .source("SONiC's egress_lossy_profile: 2^3"));
        fields(field("lookup_delay", &self::lookup_delay)
                   .range(lookup_range)
                   .needs("lookup_delay_counts")
                   .help("Time from the arrival of a frame's last bit until the frame is in its VOQ: TCAM, RAM "
                         "and port selection.")
                   .source("DeTail 7.1"));
        fields(field("lookup_interval", &self::lookup_interval)
                   .range(lookup_range)
                   .help("Smallest time between the starts of two lookups in one switch. 0: no limit."));
        fields(field("ingress_fifo", &self::ingress_fifo)
                   .memory()
                   .range(64_B, largest_memory)
                   .needs("switch.buffer = shared", "switch.lookup_interval or sram.access_time above 0")
                   .help("FIFO of each ingress port in front of a shared memory. Frames wait there until their "
                         "lookup starts and a memory bank is free. A frame that does not fit is dropped. At "
                         "least switch.max_frame."));
        fields(field("tcam_entries", &self::tcam_entries)
                   .range(tcam_config::entries_range)
                   .help("Number of TCAM entries per switch. A fabric that needs more routes is refused."));
        fields(field("balance", &self::balance)
                   .help("How the egress port of a frame is selected from the acceptable ports.")
                   .source("DeTail 5.3, 5.4, 6.2"));
        fields(field("hash_salt", &self::hash_salt)
                   .needs("flows_are_hashed")
                   .help("Salt of the hash that selects a flow's port, for detours too.")
                   .source("RFC 2992; docs/blocks/port_selector.md"));
        fields(field("balance_thresholds", &self::balance_thresholds)
                   .memory()
                   .range(1_B, largest_memory)
                   .needs("balance_reads_thresholds")
                   .help("Thresholds for switch.balance = adaptive, ascending: an egress port is favoured "
                         "while its drain bytes are below a threshold.")
                   .source("DeTail 6.2: 16 KB and 64 KB"));
        fields.all_need("switch.buffer = partitioned");
        fields(field("crossbar", &self::crossbar).help("Level of detail of the crossbar."));
        fields(field("speedup", &self::speedup)
                   .range(1U, 16U)
                   .help("Crossbar rate divided by the rate of the switch's fastest port.")
                   .source("DeTail 7.1"));
        fields(field("cell", &self::cell)
                   .range(16_B, 4096_B)
                   .needs("switch.crossbar = cell")
                   .help("Payload of one crossbar slot, with switch.crossbar = cell.")
                   .source("project; 64 B is usual"));
        fields(field("arbiter", &self::arbiter)
                   .help("Algorithm that matches ingress ports with egress ports.")
                   .source("DeTail 7.1: iSLIP"));
        fields(field("iterations", &self::iterations)
                   .range(0U, 256U)
                   .needs("switch.crossbar = cell", "switch.arbiter other than maximum_size")
                   .help("Request-grant-accept iterations per matching, with switch.crossbar = cell. 0: until "
                         "no eligible pair is left, as always with switch.crossbar = frame.")
                   .source("McKeown 1999: log2 of the ports, 4 for 16"));
        fields.all_need();
        fields(field("classes", &self::classes)
                   .range(1U, pfc_classes)
                   .help("Number of traffic classes. Frames of higher priorities use the highest class.")
                   .source("DeTail 4: 8"));
        fields(field("scheduler", &self::scheduler)
                   .needs("switch.classes above 1")
                   .help("How an egress port selects the class that it sends next.")
                   .source("DeTail 4: strict"));
        fields(field("weights", &self::weights)
                   .range(weights_config::weight_range)
                   .needs("scheduler_reads_weights", "switch.classes above 1")
                   .help("Weights of the classes 0-7 for `deficit_round_robin`. 0: strict priority over all "
                         "weighted classes."));
    }

    /// What the default scheduler is made from.
    weights_config shares() const;
    config_errors validate() const;
};

}  // namespace weir::model
