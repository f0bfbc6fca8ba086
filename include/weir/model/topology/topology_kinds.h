// Generators of fabrics by name (`fabric.topology`).
//
//   topology_traits star;
//   star.make = [](const topology_sizes& sizes) { return make_topology(sizes.single); };
//   fabric_kinds().add({"star", "one switch in the middle", star});
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "weir/base/enum_names.h"
#include "weir/base/registry.h"
#include "weir/model/topology/topology_generators.h"

namespace weir::model {

/// A generator that is registered. The first one is a single switch.
enum class fabric_kind : std::uint8_t {};

/// Links of one sort, which have options of their own.
enum class link_tier : std::uint8_t { host, bottleneck, root, agg, core };

/// Sizes and links of all generators, as options give them.
struct topology_sizes {
    single_config single;
    dumbbell_config dumbbell;
    racks_config racks;
    pods_config pods;
    fat_tree_config fat_tree;
    xgft_config xgft;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = topology_sizes;
        fields.part(&self::single);
        fields.part(&self::dumbbell);
        fields.part(&self::racks);
        fields.part(&self::pods);
        fields.part(&self::fat_tree);
        fields.part(&self::xgft);
    }
};

struct topology_traits {
    /// None: the program reads it from a file.
    std::function<topology(const topology_sizes&)> make;
    /// What is wrong with the sizes; none where nothing can be.
    std::function<config_errors(const topology_sizes&)> validate;
    /// The options that say how many hosts there are, as `option_error` takes them: `{fabric.hosts}`.
    std::string options_of_hosts;
    /// Tiers of links that it has.
    std::vector<link_tier> tiers;
};

registry<fabric_kind, topology_traits>& fabric_kinds();
constexpr registered_names<fabric_kind, fabric_kinds> names_of(fabric_kind) {
    return {};
}

/// The condition of options of these links: `fabric.topology`, with the kinds that have any.
std::string with_tier(link_tier tier);

}  // namespace weir::model
