#include "weir/model/forwarding/modulo_selector.h"

#include <algorithm>
#include <numeric>

namespace weir::model {

std::vector<std::uint64_t> modulo_divisors(const topology& fabric) {
    std::vector<switch_id> upwards(fabric.switches());
    std::iota(upwards.begin(), upwards.end(), 0);
    std::stable_sort(upwards.begin(), upwards.end(),
                     [&](switch_id a, switch_id b) { return fabric.tier(a) < fabric.tier(b); });
    // 0: nothing below it yet.
    std::vector<std::uint64_t> divisors(fabric.switches(), 0);
    for (const switch_id s : upwards) {
        divisors[s] = std::max<std::uint64_t>(divisors[s], 1);
        const node_ref here = node_ref::of_switch(s);
        std::vector<switch_id> parents;
        for (unsigned port = 0; port < fabric.port_count(s); ++port) {
            const node_ref far = fabric.far_end(here, port).node;
            if (!far.is_host() && fabric.tier(far.index) > fabric.tier(s)) {
                parents.push_back(far.index);
            }
        }
        for (const switch_id parent : parents) {
            divisors[parent] = divisors[parent] == 0 ? divisors[s] * parents.size() : divisors[parent];
        }
    }
    return divisors;
}

link_id first_link_across_levels(const topology& fabric) {
    for (link_id id = 0; id < fabric.links().size(); ++id) {
        const topology_link& link = fabric.link(id);
        if (link.a.node.is_host() || link.b.node.is_host()) {
            continue;
        }
        const unsigned a = fabric.tier(link.a.node.index);
        const unsigned b = fabric.tier(link.b.node.index);
        if (a + 1 != b && b + 1 != a) {
            return id;
        }
    }
    return no_link;
}

unsigned modulo_selector::select(const port_choice& choice) const {
    const unsigned count = choice.acceptable.count();
    if (count <= 1) {
        return choice.acceptable.nth(0);
    }
    const ipv4_address address = m_key == modulo_key::destination ? choice.frame.dst : choice.frame.src;
    const host_id number =
        m_place.fabric == nullptr ? to_uint(address) : m_place.fabric->host_of(address).value_or(0);
    return choice.acceptable.nth(static_cast<unsigned>(number / m_place.divisor % count));
}

}  // namespace weir::model
