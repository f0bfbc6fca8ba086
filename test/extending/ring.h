// A topology: switches in a ring, each with hosts of its own.
#pragma once

#include <string>

#include "weir/model/topology/topology_kinds.h"

namespace outside {

struct ring_config {
    unsigned switches = 4;
    unsigned hosts_per_switch = 2;
};

inline weir::model::topology make_ring(const ring_config& config, const weir::model::link_properties& link) {
    weir::model::topology ring;
    for (unsigned s = 0; s < config.switches; ++s) {
        const weir::model::node_ref self =
            weir::model::node_ref::of_switch(ring.add_switch("s" + std::to_string(s), 1));
        for (unsigned h = 0; h < config.hosts_per_switch; ++h) {
            ring.add_link(weir::model::node_ref::of_host(ring.add_host("h" + std::to_string(ring.hosts()))),
                          self, link);
        }
    }
    for (unsigned s = 0; s < config.switches; ++s) {
        ring.add_link(weir::model::node_ref::of_switch(s),
                      weir::model::node_ref::of_switch((s + 1) % config.switches), link);
    }
    ring.finish();
    return ring;
}

inline weir::model::fabric_kind add_ring(const ring_config& config = {}) {
    weir::model::topology_traits traits;
    // All links are as those of hosts.
    traits.make = [config](const weir::model::topology_sizes& sizes) {
        return make_ring(config, sizes.single.host_link);
    };
    traits.tiers = {weir::model::link_tier::host};
    return weir::model::fabric_kinds().add({"ring", "switches in a ring", traits});
}

}  // namespace outside
