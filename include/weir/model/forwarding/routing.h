// Shortest-path forwarding tables for every switch of a fabric, as longest-prefix-match entries.
//
// The acceptable ports of a switch for a host are all ports that lead to it over the fewest links (all of
// equal-cost multipath). They are found by a breadth-first search per edge switch, not per host, and written
// as few prefixes: a switch's own hosts as /32, everything else merged up the tree of addresses wherever that
// makes the table shorter (Draves, King, Venkatachary, Zill: Constructing optimal IP routing tables, INFOCOM
// 1999), with 0.0.0.0/0 where one set of ports serves most. A longest-prefix match over the entries gives
// each host's exact ports; what it gives for addresses that no host has is not defined.
//
//   const auto tables = compute_routes(fabric, all_links_up(fabric));
//   const port_bitmap acceptable = lookup_route(tables[0], fabric.address_of(17));
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "weir/base/port_bitmap.h"
#include "weir/base/unit_text.h"
#include "weir/model/topology/topology.h"
#include "weir/protocol/frame.h"

namespace weir::model {

using weir::to_text;

/// One prefix of a forwarding table. Bits of `prefix` below its length are 0.
struct route_entry {
    ipv4_address prefix{};
    /// Range: 0-32.
    unsigned prefix_length = 0;
    /// Empty where what a shorter prefix says must not hold: the addresses cannot be reached.
    port_bitmap acceptable;
};

/// Entries in the order of their prefixes, a shorter one before the longer ones inside it.
using route_table = std::vector<route_entry>;

/// One bit per link of the fabric; false: cut.
using link_states = std::vector<bool>;
inline link_states all_links_up(const topology& fabric) {
    return link_states(fabric.links().size(), true);
}

/// The table of each switch, by its number. The fabric must be valid. A host that cannot be reached gets an
/// empty bitmap, or no entry.
std::vector<route_table> compute_routes(const topology& fabric, const link_states& link_up);
/// The tables of some switches, one after another, for who does not keep them all.
void for_each_route_table(const topology& fabric, const link_states& link_up,
                          const std::vector<switch_id>& switches,
                          const std::function<void(switch_id, const route_table&)>& visit);
std::vector<switch_id> all_switches(const topology& fabric);

/// Longest-prefix match by trying every entry; empty where none matches. The slow reference of a TCAM.
port_bitmap lookup_route(const route_table& table, ipv4_address address);

/// Links from each switch to the switch `destination` over links that are up; `unreachable` where none.
inline constexpr std::uint32_t unreachable = ~std::uint32_t{0};
std::vector<std::uint32_t> distances_to(const topology& fabric, const link_states& link_up,
                                        switch_id destination);

/// One link of a path, in the direction of travel.
struct path_hop {
    link_id link = no_link;
    node_ref from;
    unsigned from_port = 0;
    node_ref to;
};

/// The shortest paths between two hosts.
struct shortest_path_summary {
    /// Paths that differ in at least one link; parallel links count each. 0: cannot be reached.
    std::uint64_t paths = 0;
    /// One of them: at each node the lowest acceptable port. Links, the two host links included.
    std::vector<path_hop> example;
};

/// Range: src and dst are different hosts.
shortest_path_summary shortest_paths(const topology& fabric, const link_states& link_up, host_id src,
                                     host_id dst);

/// `h0 > tor0.0 > agg0.0 > tor0.1 > h9`.
std::string to_text(const topology& fabric, const std::vector<path_hop>& path);

}  // namespace weir::model
