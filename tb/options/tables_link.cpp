// Options [link].
#include <algorithm>

#include "tb/options/option_tables.h"

namespace weir::tb {

void add_link_options(option_table& table, run_config& config) {
    table.block("link", "Properties of every link for which the topology gives no others.").add(config.link);
    // The default of a property has an effect where a tier has none of its own.
    const auto some_tier_lacks = [&](const char* name, auto property) {
        table.condition(
            std::string(
                "a generated fabric (fabric.topology other than file) with a tier of links that has no ") +
                name + " of its own",
            [&config, property] {
                const std::vector<link_tier>& tiers = fabric_kinds()[config.fabric.topology].tiers;
                return std::any_of(tiers.begin(), tiers.end(),
                                   [&](link_tier tier) { return !(config.fabric.links_of(tier).*property); });
            });
    };
    some_tier_lacks("rate", &link_choice::rate);
    some_tier_lacks("latency", &link_choice::latency);
}

}  // namespace weir::tb
