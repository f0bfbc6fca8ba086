// Options [rtl].
#include "tb/options/option_table.h"
#include "tb/options/run_config.h"

namespace weir {

void add_rtl_options(option_table& table, run_config& config) {
    auto block = table.block("rtl", "RTL in the loop (docs/rtl.md).");
    block.add("switches", config.rtl.switches)
        .rule("all, or names of switches with commas between, such as core*",
              [](const std::string& name) { return !name.empty(); })
        .matters(
            only_with_memory(config, buffer_kind::partitioned) &&
            relevance{"switch.arbiter = rtl", [&config] { return config.device.arbiter == arbiter_kind::rtl; }})
        .doc(
            "Switches whose blocks are RTL, where an option says `rtl`: all, or names; * stands for any text. "
            "The "
            "others have the models of the same blocks.")
        .source("project");
}

}  // namespace weir
