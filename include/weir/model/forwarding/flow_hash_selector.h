// ECMP: a flow keeps its port for as long as the acceptable ports stay the same.
//
//   flow_hash_selector selector(hash_salt(hash_salting::per_switch, seed, node));
//   random_stream chance{seed, node, random_purpose::port_selection};
//   port_knowledge ports{to_switches, &unlimited_room, chance};
//   unsigned p = selector.select({now, ingress_port, frame, acceptable, egress.view(), ports});
#pragma once

#include <cstdint>

#include "weir/base/registry.h"
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

/// Takes the port of rank hash x count / 2^64. Uses neither view nor random stream.
class flow_hash_selector {
 public:
    static constexpr kind_text kind{"flow_hash", "a flow keeps its port (ECMP)"};
    static constexpr selector_facts facts{true, false, false, false, true};

    /// `salt`: from `hash_salt`.
    explicit flow_hash_selector(std::uint64_t salt) : m_salt(salt) {}
    unsigned select(const port_choice& choice) const;

 private:
    std::uint64_t m_salt;
};

}  // namespace weir::model
