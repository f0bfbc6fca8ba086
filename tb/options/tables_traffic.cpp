// Options [traffic].
#include "tb/options/option_table.h"
#include "tb/options/run_config.h"

namespace weir {

void add_traffic_options(option_table& table, run_config& config) {
    auto block = table.block("traffic", "What the hosts send.");
    block.add("file", config.trace.file).path().doc("A flow trace.").source("project");
}

}  // namespace weir
