// Which of the acceptable ports a frame takes: per flow by hash (ECMP), per frame at random, or per frame by
// the fill of the egress buffers (DeTail 2011, sections 5.3, 5.4 and 6.2). modulo_selector.h: by a host's
// number.
//
//   port_selector selector(balance_policy::flow_hash, hash_salt(hash_salting::per_switch, seed, node));
//   random_stream chance{seed, node, random_purpose::port_selection};
//   port_knowledge ports{to_switches, &unlimited_room, chance};
//   unsigned p = selector.select({now, ingress_port, frame, acceptable, egress.view(), ports});
//
// All selectors have one signature. They keep no state: what they know is in their argument. A random draw
// is made only when more than one candidate is left, and then exactly one; `flow_hash` never draws. With no
// acceptable port the answer is `no_port`. Ports that are down must not be among the acceptable ones.
#pragma once

#include <cstdint>

#include "weir/base/rng.h"
#include "weir/model/config/switch_config.h"
#include "weir/model/forwarding/port_choice.h"
#include "weir/protocol/frame.h"

namespace weir::model {

/// Salt of a flow hash that all switches share: successive tiers then polarise, as switches with equal hash
/// functions do.
inline constexpr std::uint64_t unsalted = 0;
/// Salt of a switch's flow hash. `node`: the switch's index among the fabric's nodes.
constexpr std::uint64_t hash_salt(hash_salting salting, std::uint64_t seed, std::uint32_t node) {
    return salting == hash_salting::none
               ? unsalted
               : random_stream::mix(random_stream::mix(seed ^ 0xA24BAED4963EE407U) + node + 1);
}

/// Hash of what tells flows apart: source, destination, connection, path tag, IP protocol. Every frame of one
/// direction of a connection has the same hash, whatever its kind, sequence, length, priority and flags; the
/// other direction has another one.
std::uint64_t flow_hash_of(const ethernet_frame& frame, std::uint64_t salt);

/// ECMP: a flow keeps its port for as long as the acceptable ports stay the same. Uses neither view nor
/// random stream. Choice: the port of rank hash x count / 2^64.
class flow_hash_selector {
 public:
    explicit flow_hash_selector(std::uint64_t salt) : m_salt(salt) {}
    unsigned select(const port_choice& choice) const;

 private:
    std::uint64_t m_salt;
};

/// Each frame takes any acceptable port with equal probability. Does not use the view.
class packet_scatter_selector {
 public:
    unsigned select(const port_choice& choice) const;
};

/// DeTail: at random among the acceptable ports that are favoured at the best level that has any; among all
/// acceptable ports when none is favoured. Without levels it is packet scatter.
class adaptive_selector {
 public:
    unsigned select(const port_choice& choice) const;
};

/// What DeTail's thresholds approximate: the fewest drain bytes for the frame's class; at random among ties.
class least_loaded_selector {
 public:
    unsigned select(const port_choice& choice) const;
};

/// One of the above, chosen at run time; none for a policy that has to know the fabric.
class port_selector {
 public:
    /// `salt` is for `flow_hash`: from `hash_salt`.
    port_selector(balance_policy policy, std::uint64_t salt) : m_policy(policy), m_flow_hash(salt) {}

    balance_policy policy() const { return m_policy; }
    unsigned select(const port_choice& choice) const;

 private:
    balance_policy m_policy;
    flow_hash_selector m_flow_hash;
};

}  // namespace weir::model
