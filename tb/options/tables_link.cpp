// Options [link].
#include <algorithm>

#include "tb/options/option_table.h"
#include "tb/options/run_config.h"

namespace weir {

namespace {

/// The default of a property of links has an effect where a tier has none of its own.
template <class Property>
relevance some_tier_lacks(const fabric_options& fabric, Property link_choice::*property, const char* name) {
    return {
        std::string("a generated fabric (fabric.topology other than file) with a tier of links that has no ") +
            name + " of its own",
        [&fabric, property] {
            const std::vector<link_tier>& tiers = fabric_kinds()[fabric.topology].tiers;
            return std::any_of(tiers.begin(), tiers.end(),
                               [&](link_tier tier) { return !(fabric.links_of(tier).*property); });
        }};
}

}  // namespace

void add_link_options(option_table& table, run_config& config) {
    link_config& link = config.link;
    auto block = table.block("link", "Properties of every link for which the topology gives no others.");
    block.add("rate", link.rate)
        .range(link_config::rate_range)
        .matters(some_tier_lacks(config.fabric, &link_choice::rate, "rate"))
        .doc("Rate of a link, the same in both directions.")
        .source("DeTail 7.1");
    block.add("latency", link.latency)
        .range(link_config::latency_range)
        .matters(some_tier_lacks(config.fabric, &link_choice::latency, "latency"))
        .doc(
            "One-way latency: propagation and transceivers (T_P). It cannot be 0, because the smallest latency "
            "in the fabric is the lookahead.")
        .source("DeTail 7.1: 1.6 us + 5 us");
    block.add("wire_overhead", link.wire_overhead)
        .range(link_config::wire_overhead_range)
        .doc(
            "Preamble, start-of-frame delimiter and inter-frame gap, added to each frame on the wire and in "
            "the crossbar. Use 0 if frame sizes already include it (DeTail's 1,530 B).")
        .source("IEEE 802.3: 8 + 12 B");
    table.check([&link] { return link.validate(); });
}

}  // namespace weir
