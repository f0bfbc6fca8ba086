// Options [rtl].
#include "tb/options/block_kinds.h"
#include "tb/options/option_table.h"
#include "tb/options/run_config.h"

namespace weir {

void add_rtl_options(option_table& table, run_config& config) {
    auto mac = table.block("mac", "MACs of switches.");
    mac.add("pfc", config.rtl.pfc)
        .matters({"pfc.mode = pfc", [&config] { return config.pfc.mode == flow_control_mode::pfc; }})
        .doc(
            "Implementation of PFC in the MAC: turns pause requests into PFC frames, and received PFC frames "
            "into pauses.")
        .source("project");
    auto block = table.block("rtl", "RTL in the loop (docs/rtl.md).");
    block.add("switches", config.rtl.switches)
        .rule("all, or names of switches separated by commas, such as core*",
              [](const std::string& name) { return !name.empty(); })
        .matters({"switch.arbiter (with switch.buffer = partitioned), switch.tcam or mac.pfc (with pfc.mode = "
                  "pfc) = rtl",
                  [&config] { return has_rtl(config); }})
        .doc(
            "Switches in which the blocks that are set to `rtl` are RTL: all, or names; * stands for any text. "
            "The other switches use the models of these blocks.")
        .source("project");
    block.add("latency", config.rtl.latency)
        .matters({"a block that is rtl", [&config] { return has_rtl(config); }})
        .doc(
            "Latency of blocks that are RTL. `model`: the latency of the model, so that a run writes the same "
            "bytes. `rtl`: the cycles that the RTL takes, each of length rtl.clock: an arbitration one cycle "
            "per iteration; a lookup three; a PFC frame three from its last bit to the pause (instead of "
            "pfc.response), and four from the request to its first bit.")
        .source("project; tb/rtl");
    block.add("clock", config.rtl.clock)
        .range(rtl_options::clock_range)
        .matters({"a block that is rtl, with rtl.latency = rtl",
                  [&config] { return has_rtl(config) && config.rtl.latency == block_kind::rtl; }})
        .doc(
            "Clock period of the RTL with rtl.latency = rtl, which requires it. For mac.pfc the period must be "
            "a whole multiple of 2 bit times of each link of the switch: 6.4ns are 64 bit times at 10 Gb/s. "
            "auto: no clock.")
        .source("project");
    table.check([&config]() -> config_errors {
        if (config.rtl.pfc == block_kind::rtl && config.pfc.mode == flow_control_mode::pause) {
            return {
                {"", 0, "mac.pfc",
                 "'rtl' does not support 802.3x PAUSE (pfc.mode = pause); expected model, or pfc.mode = pfc"}};
        }
        return {};
    });
    table.check([&config]() -> config_errors {
        if (has_rtl(config) && config.rtl.latency == block_kind::rtl && !config.rtl.clock) {
            return {{"", 0, "rtl.clock",
                     "is not set, but rtl.latency = rtl needs a clock period; expected a time, such as 6.4ns"}};
        }
        return {};
    });
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
