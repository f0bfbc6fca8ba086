// Options [link].
#include "tb/options/option_table.h"
#include "tb/options/run_config.h"

namespace weir {

void add_link_options(option_table& table, run_config& config) {
    link_config& link = config.link;
    auto block = table.block("link", "Links that the topology says nothing else about.");
    block.add("rate", link.rate)
        .range(link_config::rate_range)
        .doc("Rate of a link, the same both ways.")
        .source("DeTail 7.1");
    block.add("latency", link.latency)
        .range(link_config::latency_range)
        .doc(
            "One way: propagation and transceivers (T_P). The smallest latency of the fabric is its "
            "lookahead, so it can not be 0.")
        .source("DeTail 7.1: 1.6 us + 5 us");
    block.add("wire_overhead", link.wire_overhead)
        .range(link_config::wire_overhead_range)
        .doc(
            "Preamble, start-of-frame delimiter and inter-frame gap, counted with each frame on the wire and "
            "in the crossbar. 0 where frame sizes include it already (DeTail's 1,530 B).")
        .source("IEEE 802.3: 8 + 12 B");
    table.check([&link] { return link.validate(); });
}

}  // namespace weir
