// A topology: switches in a ring, each with hosts of its own.
#pragma once

#include <string>

#include "weir/model/topology/topology_kinds.h"

namespace outside {

struct ring_config {
    unsigned switches = 4;
    unsigned hosts_per_switch = 2;
};

inline weir::topology make_ring(const ring_config& config, const weir::link_properties& link) {
    weir::topology ring;
    for (unsigned s = 0; s < config.switches; ++s) {
        const weir::node_ref self = weir::node_ref::of_switch(ring.add_switch("s" + std::to_string(s), 1));
        for (unsigned h = 0; h < config.hosts_per_switch; ++h) {
            ring.add_link(weir::node_ref::of_host(ring.add_host("h" + std::to_string(ring.hosts()))), self,
                          link);
        }
    }
    for (unsigned s = 0; s < config.switches; ++s) {
        ring.add_link(weir::node_ref::of_switch(s), weir::node_ref::of_switch((s + 1) % config.switches), link);
    }
    ring.finish();
    return ring;
}

inline weir::fabric_kind add_ring(const ring_config& config = {}) {
    weir::topology_traits traits;
    // All links are as those of hosts.
    traits.make = [config](const weir::topology_sizes& sizes) {
        return make_ring(config, sizes.single.host_link);
    };
    traits.tiers = {weir::link_tier::host};
    return weir::fabric_kinds().add({"ring", "switches in a ring", traits});
}

}  // namespace outside
