// Options [switch].
#include <algorithm>
#include <string>
#include <vector>

#include "tb/options/block_kinds.h"
#include "tb/options/option_table.h"
#include "tb/options/run_config.h"

namespace weir {

template <>
struct enum_names<switch_scheme> {
    static constexpr enum_name<switch_scheme> list[] = {
        {switch_scheme::none, "none", "sets nothing"},
        {switch_scheme::baseline, "baseline",
         "flow hashing, one class, no flow control; a full egress memory drops frames"},
        {switch_scheme::priority, "priority", "baseline with eight strict priorities"},
        {switch_scheme::fc, "fc", "baseline with 802.3x PAUSE"},
        {switch_scheme::priority_pfc, "priority_pfc", "priority with per-class PFC"},
        {switch_scheme::packet_scatter, "packet_scatter", "priority_pfc, a random port per frame"},
        {switch_scheme::detail, "detail", "priority_pfc, adaptive balancing per frame"},
    };
};
template <>
struct enum_names<crossbar_mode> {
    static constexpr enum_name<crossbar_mode> list[] = {
        {crossbar_mode::frame, "frame",
         "a match moves a whole frame; the arbiter runs whenever something changes"},
        {crossbar_mode::cell, "cell",
         "time slots of one cell at speedup x line rate, with one matching per slot, as in RTL"},
    };
};
template <>
struct enum_names<arbiter_choice> {
    static constexpr enum_name<arbiter_choice> list[] = {
        {arbiter_choice::islip, "islip", "prioritised iSLIP (McKeown 1999)"},
        {arbiter_choice::pim, "pim", "parallel iterative matching: random grants and accepts (Anderson 1993)"},
        {arbiter_choice::round_robin, "round_robin",
         "as islip, but the pointers move at every grant and therefore do not desynchronise"},
        {arbiter_choice::maximum_size, "maximum_size",
         "maximum-size matching: an upper bound for comparison, not a hardware algorithm"},
        {arbiter_choice::rtl, "rtl",
         "islip as RTL, simulated with Verilator, in the switches that rtl.switches names"},
    };
};
template <>
struct enum_names<balance_policy> {
    static constexpr enum_name<balance_policy> list[] = {
        {balance_policy::flow_hash, "flow_hash", "a flow keeps its port (ECMP)"},
        {balance_policy::packet_scatter, "packet_scatter", "a random acceptable port per frame"},
        {balance_policy::adaptive, "adaptive", "a random favoured port per frame, by drain bytes (DeTail 6.2)"},
        {balance_policy::least_loaded, "least_loaded", "the port with the fewest drain bytes, per frame"},
    };
};
template <>
struct enum_names<drop_policy> {
    static constexpr enum_name<drop_policy> list[] = {
        {drop_policy::ingress_tail, "ingress_tail",
         "a full egress memory makes frames wait at ingress; a full ingress memory drops frames"},
        {drop_policy::egress_tail, "egress_tail",
         "the crossbar never waits for room; a full egress memory drops frames"},
    };
};
template <>
struct enum_names<egress_share> {
    static constexpr enum_name<egress_share> list[] = {
        {egress_share::whole, "whole", "any class may fill the port's memory"},
        {egress_share::fixed, "fixed", "each class has memory / classes"},
        {egress_share::dynamic, "dynamic", "each class may hold share_alpha x the port's free memory"},
    };
};
template <>
struct enum_names<buffer_kind> {
    static constexpr enum_name<buffer_kind> list[] = {
        {buffer_kind::partitioned, "partitioned",
         "each ingress port and each egress port has its own memory; a crossbar connects them"},
        {buffer_kind::shared, "shared", "all ports share one memory ([shared]); there is no crossbar"},
    };
};
template <>
struct enum_names<scheduler_kind> {
    static constexpr enum_name<scheduler_kind> list[] = {
        {scheduler_kind::strict, "strict", "the most urgent class first"},
        {scheduler_kind::deficit_round_robin, "deficit_round_robin", "by weights, in bytes (Shreedhar 1995)"},
    };
};

namespace {

relevance several_classes(const switch_config& device) {
    return {"switch.classes above 1", [&device] { return device.classes > 1; }};
}

relevance slots(const switch_config& device) {
    return only_with("switch.crossbar", device.crossbar, {crossbar_mode::cell});
}

void add_memory(option_table::block_writer& block, switch_config& device, const relevance& partitioned) {
    block.add("ingress_buffer", device.ingress_buffer)
        .range(switch_config::buffer_range)
        .matters(partitioned)
        .doc(
            "Packet memory of one ingress port. At least one frame of switch.max_frame, rounded up to whole "
            "memory cells.")
        .source("DeTail 7.1");
    block.add("egress_buffer", device.egress_buffer)
        .range(switch_config::buffer_range)
        .matters(partitioned)
        .doc(
            "Packet memory of one egress port. At least one frame of switch.max_frame, rounded up to whole "
            "memory cells.")
        .source("DeTail 7.1");
    block.add("memory_cell", device.memory_cell)
        .range(switch_config::memory_cell_range)
        .doc(
            "Unit in which packet memory is allocated: a frame occupies whole cells. 0: memory is allocated in "
            "bytes.")
        .source("project; ASICs have 80 to 420 B");
    block.add("max_frame", device.max_frame)
        .range(switch_config::max_frame_range)
        .doc(
            "Largest frame (destination address to FCS) that the fabric carries; longer frames are dropped as "
            "oversized. Egress memory is reserved in units of this size.")
        .source("DeTail 7.1");
    block.add("drop", device.drop)
        .matters(partitioned)
        .doc("Where frames are lost when memory is full.")
        .source("DeTail 6: egress never overflows");
    block.add("share", device.share)
        .matters(partitioned && several_classes(device))
        .doc("How the classes of an egress port share its memory, if there is more than one class.")
        .source("Choudhury and Hahne 1998");
    block.add("share_alpha", device.share_alpha)
        .range(switch_config::share_alpha_range)
        .matters(partitioned && only_with("switch.share", device.share, {egress_share::dynamic}) &&
                 several_classes(device))
        .doc(
            "Factor of switch.share = dynamic: a class may hold up to this factor times the free memory of the "
            "port.")
        .source("SONiC's egress_lossy_profile: 2^3");
}

void add_forwarding(option_table::block_writer& block, run_config& config) {
    switch_config& device = config.device;
    rtl_options& rtl = config.rtl;
    block.add("lookup_delay", device.lookup_delay)
        .range(switch_config::lookup_range)
        .matters({"switch.tcam = model, rtl.latency = model or rtl.switches other than all, or else pfc.mode = "
                  "pause "
                  "or pfc, whose thresholds count it",
                  [&config] {
                      const std::vector<std::string>& at = config.rtl.switches;
                      return config.rtl.tcam != block_kind::rtl || config.rtl.latency != block_kind::rtl ||
                             std::none_of(
                                 at.begin(), at.end(),
                                 [](const std::string& text) { return text == "all" || text == "*"; }) ||
                             config.pfc.mode != flow_control_mode::none;
                  }})
        .doc(
            "Time from the arrival of a frame's last bit until the frame is in its VOQ: TCAM, RAM and port "
            "selection.")
        .source("DeTail 7.1");
    block.add("lookup_interval", device.lookup_interval)
        .range(switch_config::lookup_range)
        .doc("Smallest time between the starts of two lookups in one switch. 0: no limit.")
        .source("project");
    block.add("ingress_fifo", device.ingress_fifo)
        .range(switch_config::ingress_fifo_range)
        .matters(only_with_memory(config, buffer_kind::shared) &&
                 relevance{"switch.lookup_interval or sram.access_time above 0",
                           [&config] {
                               return config.device.lookup_interval > picoseconds{0} ||
                                      config.sram.is_limited();
                           }})
        .doc(
            "FIFO of each ingress port in front of a shared memory. Frames wait there until their lookup "
            "starts and a memory bank is free. A frame that does not fit is dropped. At least "
            "switch.max_frame.")
        .source("project");
    block.add("tcam_entries", device.tcam_entries)
        .range(switch_config::tcam_entries_range)
        .doc("Number of TCAM entries per switch. A fabric that needs more routes is refused.")
        .source("project");
    block.add("tcam", rtl.tcam).doc("Implementation of the destination lookup.").source("project");
    block.add("balance", device.balance)
        .doc("How the egress port of a frame is selected from the acceptable ports.")
        .source("DeTail 5.3, 5.4, 6.2");
    block.add("balance_thresholds", device.balance_thresholds)
        .range(switch_config::balance_threshold_range)
        .matters(only_with("switch.balance", device.balance, {balance_policy::adaptive}))
        .doc(
            "Thresholds for switch.balance = adaptive, ascending: an egress port is favoured while its drain "
            "bytes are below a threshold.")
        .source("DeTail 6.2: 16 KB and 64 KB");
}

void add_crossbar(option_table::block_writer& block, switch_config& device, rtl_options& rtl,
                  const relevance& partitioned) {
    block.add("crossbar", device.crossbar)
        .matters(partitioned)
        .doc("Level of detail of the crossbar.")
        .source("project");
    block.add("speedup", device.speedup)
        .range(switch_config::speedup_range)
        .matters(partitioned)
        .doc("Crossbar rate divided by the rate of the switch's fastest port.")
        .source("DeTail 7.1");
    block.add("cell", device.cell)
        .range(switch_config::cell_range)
        .matters(partitioned && slots(device))
        .doc("Payload of one crossbar slot, with switch.crossbar = cell.")
        .source("project; 64 B is usual");
    block.add("arbiter", rtl.arbiter)
        .matters(partitioned)
        .doc("Algorithm that matches ingress ports with egress ports.")
        .source("DeTail 7.1: iSLIP");
    block.add("iterations", device.iterations)
        .range(switch_config::iterations_range)
        .matters(partitioned && slots(device) &&
                 only_with("switch.arbiter", rtl.arbiter,
                           {arbiter_choice::islip, arbiter_choice::pim, arbiter_choice::round_robin,
                            arbiter_choice::rtl}))
        .doc(
            "Request-grant-accept iterations per matching, with switch.crossbar = cell. 0: until no eligible "
            "pair is left, as always with switch.crossbar = frame.")
        .source("McKeown 1999: log2 of the ports, 4 for 16");
}

void add_classes(option_table::block_writer& block, switch_config& device) {
    block.add("classes", device.classes)
        .range(switch_config::classes_range)
        .doc("Number of traffic classes. Frames of higher priorities use the highest class.")
        .source("DeTail 4: 8");
    block.add("scheduler", device.scheduler)
        .matters(several_classes(device))
        .doc("How an egress port selects the class that it sends next.")
        .source("DeTail 4: strict");
    block.add("weights", device.weights)
        .range(switch_config::weight_range)
        .matters(only_with("switch.scheduler", device.scheduler, {scheduler_kind::deficit_round_robin}) &&
                 several_classes(device))
        .doc(
            "Weights of the classes 0-7 for `deficit_round_robin`. 0: strict priority over all weighted "
            "classes.")
        .source("project");
}

}  // namespace

relevance only_with_memory(const run_config& config, buffer_kind kind) {
    return only_with("switch.buffer", config.shared.kind, {kind});
}

void add_switch_options(option_table& table, run_config& config) {
    auto block = table.block("switch", "Switches: memory, lookup, crossbar, arbiter, classes and scheduler.");
    block.add("scheme", config.scheme)
        .doc("A named set of defaults for other options. An option that is set explicitly takes precedence.")
        .source("DeTail 8.1; 2013 presentation");
    block.add("buffer", config.shared.kind).doc("How packet memory is organised.").source("DeTail 7.1: CIOQ");
    const relevance partitioned = only_with_memory(config, buffer_kind::partitioned);
    add_memory(block, config.device, partitioned);
    add_forwarding(block, config);
    add_crossbar(block, config.device, config.rtl, partitioned);
    add_classes(block, config.device);
    table.check([&config] { return config.device.validate(); });
}

}  // namespace weir
