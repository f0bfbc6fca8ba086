#include "weir/model/topology/topology_kinds.h"

#include <algorithm>
#include <utility>

namespace weir::model {

template <class Config>
static topology_traits generator(Config topology_sizes::*config, const char* options_of_hosts,
                                 std::vector<link_tier> tiers) {
    return {[config](const topology_sizes& sizes) { return make_topology(sizes.*config); },
            [config](const topology_sizes& sizes) { return (sizes.*config).validate(); }, options_of_hosts,
            std::move(tiers)};
}

registry<fabric_kind, topology_traits>& fabric_kinds() {
    using tier = link_tier;
    using sizes = topology_sizes;
    static registry<fabric_kind, topology_traits> list{
        {"single", "one switch with `hosts` hosts", generator(&sizes::single, "{fabric.hosts}", {tier::host})},
        {"dumbbell", "two switches, `left` and `right` hosts, one link between them",
         generator(&sizes::dumbbell, "{fabric.left}, {fabric.right}", {tier::host, tier::bottleneck})},
        {"racks", "two tiers: racks with a ToR each, and roots (DeTail TR)",
         generator(&sizes::racks, "{fabric.racks}, {fabric.hosts_per_rack}", {tier::host, tier::root})},
        {"pods", "three tiers: pods of ToRs and aggregation switches, and cores",
         generator(&sizes::pods, "{fabric.pods}, {fabric.tors_per_pod}, {fabric.hosts_per_tor}",
                   {tier::host, tier::agg, tier::core})},
        {"fat_tree", "a k-ary fat-tree",
         generator(&sizes::fat_tree, "{fabric.k}, {fabric.oversubscription}, {fabric.hosts_per_edge}",
                   {tier::host, tier::agg, tier::core})},
        {"xgft", "an extended generalised fat-tree of any height",
         generator(&sizes::xgft, "{fabric.xgft_children}, {fabric.xgft_top_hosts}",
                   {tier::host, tier::agg, tier::core})},
        {"file", "read from `file`", {nullptr, nullptr, "{fabric.file}", {}}},
    };
    return list;
}

std::string with_tier(link_tier tier) {
    return fabric_kinds().condition("fabric.topology", [tier](const topology_traits& traits) {
        return std::find(traits.tiers.begin(), traits.tiers.end(), tier) != traits.tiers.end();
    });
}

}  // namespace weir::model
