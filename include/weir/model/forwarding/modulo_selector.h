// d-mod-k and s-mod-k: oblivious routing of fat-trees, by the number of the destination host or of the source.
//
// A switch of level l takes the up-port (a div (w_1 ... w_l)) mod w_(l+1), where a is the host's number and w_i
// are the parents of a node of level i - 1. So all frames to a host (d-mod-k), or from one (s-mod-k), meet at
// one switch of each level, and hosts that follow each other are spread over the parents like the digits of a
// mixed radix. On the way down a tree leaves no choice.
//
//   topology fabric = make_topology(xgft_config{});
//   d_mod_k_selector d_mod_k({&fabric, modulo_divisors(fabric)[tor]});
//
// Rodriguez et al.: Oblivious routing schemes in extended generalized fat tree networks, CLUSTER workshops
// 2009.
#pragma once

#include <cstdint>
#include <vector>

#include "weir/base/registry.h"
#include "weir/model/forwarding/port_choice.h"
#include "weir/model/topology/topology.h"

namespace weir::model {

/// What a switch knows of the fabric that it is in.
struct fabric_place {
    /// The hosts' numbers. Null: a switch without a fabric; each address counts as its number.
    const topology* fabric = nullptr;
    /// w_1 ... w_l of the switch's level l. Range: above 0.
    std::uint64_t divisor = 1;
};

/// `fabric_place::divisor` of each switch: one where it has hosts of level 1; else the divisor of the first
/// switch below it, multiplied by that one's up-links (of parallel ones each counts).
std::vector<std::uint64_t> modulo_divisors(const topology& fabric);

/// The first link that joins two switches whose tiers do not follow each other, so that there is no up and no
/// down; `no_link` where there is none.
link_id first_link_across_levels(const topology& fabric);

enum class modulo_key : std::uint8_t { destination, source };

/// The port of rank (number div divisor) mod count among the acceptable ones: where all up-ports are
/// acceptable, the rule above. Where links are down the count is smaller, and many hosts change their ports.
/// Addresses that no host has count as 0. Uses neither view nor random stream.
class modulo_selector {
 public:
    static constexpr selector_facts facts{true, true};

    modulo_selector(modulo_key key, const fabric_place& place) : m_key(key), m_place(place) {}
    unsigned select(const port_choice& choice) const;

 private:
    modulo_key m_key;
    fabric_place m_place;
};

struct d_mod_k_selector : modulo_selector {
    static constexpr kind_text kind{"d_mod_k", "up a tree by the destination's number, level by level"};
    explicit d_mod_k_selector(const fabric_place& place) : modulo_selector(modulo_key::destination, place) {}
};
struct s_mod_k_selector : modulo_selector {
    static constexpr kind_text kind{"s_mod_k", "up a tree by the source's number, level by level"};
    explicit s_mod_k_selector(const fabric_place& place) : modulo_selector(modulo_key::source, place) {}
};

}  // namespace weir::model
