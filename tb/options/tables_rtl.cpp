// Options [rtl].
#include "tb/options/block_kinds.h"
#include "tb/options/option_table.h"
#include "tb/options/run_config.h"

namespace weir {

void add_rtl_options(option_table& table, run_config& config) {
    auto mac = table.block("mac", "MACs of switches.");
    mac.add("pfc", config.rtl.pfc)
        .matters({"pfc.mode = pfc", [&config] { return config.pfc.mode == flow_control_mode::pfc; }})
        .doc("What makes PFC frames of requests, and pauses of PFC frames.")
        .source("project");
    auto block = table.block("rtl", "RTL in the loop (docs/rtl.md).");
    block.add("switches", config.rtl.switches)
        .rule("all, or names of switches with commas between, such as core*",
              [](const std::string& name) { return !name.empty(); })
        .matters({"switch.arbiter (with switch.buffer = partitioned), switch.tcam or mac.pfc (with pfc.mode = "
                  "pfc) = rtl",
                  [&config] { return has_rtl(config); }})
        .doc(
            "Switches whose blocks are RTL, where an option says `rtl`: all, or names; * stands for any text. "
            "The "
            "others have the models of the same blocks.")
        .source("project");
}

// A shared memory has no crossbar that an arbiter could serve.
bool has_rtl_arbiter(const run_config& config) {
    return config.shared.kind == buffer_kind::partitioned && config.rtl.arbiter == arbiter_choice::rtl;
}

bool has_rtl_pfc(const run_config& config) {
    return config.pfc.mode == flow_control_mode::pfc && config.rtl.pfc == block_kind::rtl;
}

bool has_rtl(const run_config& config) {
    return has_rtl_arbiter(config) || has_rtl_pfc(config) || config.rtl.tcam == block_kind::rtl;
}

}  // namespace weir
