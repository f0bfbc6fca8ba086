// Options [link].
#include <algorithm>

#include "tb/options/option_tables.h"

namespace weir {

namespace {

/// The tiers of links that the fabric has and that may say something of their own.
std::vector<const link_choice*> tiers_of(const fabric_options& fabric) {
    switch (fabric.topology) {
        case fabric_kind::single:
            return {&fabric.host};
        case fabric_kind::dumbbell:
            return {&fabric.host, &fabric.bottleneck};
        case fabric_kind::racks:
            return {&fabric.host, &fabric.root};
        case fabric_kind::pods:
        case fabric_kind::fat_tree:
            return {&fabric.host, &fabric.agg, &fabric.core};
        case fabric_kind::file:
            break;
    }
    return {};
}

}  // namespace

void add_link_options(option_table& table, run_config& config) {
    table.block("link", "Properties of every link for which the topology gives no others.").add(config.link);
    // The default of a property has an effect where a tier has none of its own.
    const auto some_tier_lacks = [&](const char* name, auto property) {
        table.condition(
            std::string(
                "a generated fabric (fabric.topology other than file) with a tier of links that has no ") +
                name + " of its own",
            [&config, property] {
                const std::vector<const link_choice*> tiers = tiers_of(config.fabric);
                return std::any_of(tiers.begin(), tiers.end(),
                                   [&](const link_choice* tier) { return !(tier->*property); });
            });
    };
    some_tier_lacks("rate", &link_choice::rate);
    some_tier_lacks("latency", &link_choice::latency);
}

}  // namespace weir
