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
    block.add("latency", config.rtl.latency)
        .matters({"a block that is rtl", [&config] { return has_rtl(config); }})
        .doc(
            "How long RTL takes. `model`: what the model takes, so that a run writes the same bytes. `rtl`: "
            "the "
            "cycles that the RTL takes, of rtl.clock each: an arbiter's run one per iteration, a lookup three, "
            "a "
            "PFC frame three from its last bit to the pause instead of pfc.response, and four from a request "
            "to "
            "its first bit.")
        .source("project; tb/rtl");
    block.add("clock", config.rtl.clock)
        .range(rtl_options::clock_range)
        .matters({"a block that is rtl, with rtl.latency = rtl",
                  [&config] { return has_rtl(config) && config.rtl.latency == block_kind::rtl; }})
        .doc(
            "Clock period of RTL that has its own latency. For mac.pfc a whole number of 2 bit times of each "
            "link "
            "of the switch: 6.4ns are 64 bits at 10 Gb/s. auto: none, which rtl.latency = rtl refuses.")
        .source("project");
    table.check([&config]() -> config_errors {
        if (config.rtl.pfc == block_kind::rtl && config.pfc.mode == flow_control_mode::pause) {
            return {{"", 0, "mac.pfc",
                     "'rtl' knows no 802.3x PAUSE (pfc.mode = pause); expected model, or pfc.mode = pfc"}};
        }
        return {};
    });
    table.check([&config]() -> config_errors {
        if (has_rtl(config) && config.rtl.latency == block_kind::rtl && !config.rtl.clock) {
            return {{"", 0, "rtl.clock",
                     "is not set, and rtl.latency = rtl needs the period; expected a time, such as 6.4ns"}};
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
