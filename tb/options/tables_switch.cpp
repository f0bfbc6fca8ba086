// Options [switch].
#include <algorithm>
#include <string>
#include <vector>

#include "tb/options/option_tables.h"
#include "weir/model/memory/queue_order.h"
#include "weir/model/overflow/overflow_action.h"

namespace weir::tb {

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
struct enum_names<balance_policy> {
    static constexpr enum_name<balance_policy> list[] = {
        {balance_policy::flow_hash, "flow_hash", "a flow keeps its port (ECMP)"},
        {balance_policy::packet_scatter, "packet_scatter", "a random acceptable port per frame"},
        {balance_policy::adaptive, "adaptive", "a random favoured port per frame, by drain bytes (DeTail 6.2)"},
        {balance_policy::least_loaded, "least_loaded", "the port with the fewest drain bytes, per frame"},
    };
};
template <>
struct enum_names<overflow_kind> : registered_names<overflow_kind, overflow_kinds> {};
template <>
struct enum_names<queue_order_kind> : registered_names<queue_order_kind, queue_orders> {};
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
struct enum_names<scheduler_kind> {
    static constexpr enum_name<scheduler_kind> list[] = {
        {scheduler_kind::strict, "strict", "the most urgent class first"},
        {scheduler_kind::deficit_round_robin, "deficit_round_robin", "by weights, in bytes (Shreedhar 1995)"},
    };
};

void add_switch_options(option_table& table, run_config& config) {
    table.block("switch", "Switches: memory, lookup, crossbar, arbiter, classes and scheduler.")
        .add(config.device)
        .add(config);
    table.condition(
        "switch.tcam = model, rtl.latency = model or rtl.switches other than all, or else pfc.mode = pause or "
        "pfc, "
        "whose thresholds count it",
        [&config] {
            const std::vector<std::string>& at = config.rtl.switches;
            return config.rtl.tcam != block_kind::rtl || config.rtl.latency != block_kind::rtl ||
                   std::none_of(at.begin(), at.end(),
                                [](const std::string& text) { return text == "all" || text == "*"; }) ||
                   config.flow_control.mode != flow_control_mode::none;
        });
}

}  // namespace weir::tb
