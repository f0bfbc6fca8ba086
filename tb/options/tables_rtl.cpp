// Options [rtl], and those of other blocks that choose RTL.
#include "tb/options/option_tables.h"

namespace weir::tb {

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
struct enum_names<block_kind> {
    static constexpr enum_name<block_kind> list[] = {
        {block_kind::model, "model", "the model"},
        {block_kind::rtl, "rtl",
         "the project's RTL, simulated with Verilator, in the switches that rtl.switches names"},
    };
};

void add_rtl_options(option_table& table, run_config& config) {
    table.block("mac", "MACs of switches.");
    table.block("rtl", "RTL in the loop (docs/rtl.md).").add(config.rtl);
    table.condition(
        "switch.arbiter (with switch.buffer = partitioned), switch.tcam or mac.pfc (with pfc.mode = pfc) = rtl",
        [&config] { return has_rtl(config); });
    table.condition("a block that is rtl", [&config] { return has_rtl(config); });
    table.condition("a block that is rtl, with rtl.latency = rtl",
                    [&config] { return has_rtl(config) && config.rtl.latency == block_kind::rtl; });
}

// A shared memory has no crossbar that an arbiter could serve.
bool has_rtl_arbiter(const run_config& config) {
    return config.shared.kind == buffer_kind::partitioned && config.rtl.arbiter == arbiter_choice::rtl;
}

bool has_rtl_pfc(const run_config& config) {
    return config.flow_control.mode == flow_control_mode::pfc && config.rtl.pfc == block_kind::rtl;
}

bool has_rtl(const run_config& config) {
    return has_rtl_arbiter(config) || has_rtl_pfc(config) || config.rtl.tcam == block_kind::rtl;
}

}  // namespace weir::tb
