// The fabric as data: hosts, switches, the links between them, and the hosts' addresses.
//
// Hosts are numbered from 0, switches from 0, links from 0, each in the order in which they were added. A
// host has one port, port 0. A switch's ports are numbered by the order of its links. Every link has a
// latency greater than zero: it is what lets nodes run ahead of each other (docs/timing-model.md).
//
//   topology fabric;
//   const node_ref h0 = node_ref::of_host(fabric.add_host("h0"));
//   const node_ref s0 = node_ref::of_switch(fabric.add_switch("tor0", 1));
//   fabric.add_link(h0, s0, {10_Gbps, 1us});
//   fabric.finish();                                   // tiers and addresses
//   config_errors wrong = fabric.validate();
//
// topology_generators.h builds the usual fabrics, topology_files.h reads and writes them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/base/port_bitmap.h"
#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/protocol/frame.h"

namespace weir::model {

/// Number of a switch in the fabric, from 0.
using switch_id = std::uint32_t;
/// Number of a link in the fabric, from 0.
using link_id = std::uint32_t;
inline constexpr link_id no_link = ~link_id{0};

enum class node_kind : std::uint8_t { host, fabric_switch };

/// Largest fabric. The plan of a fat-tree near it (k = 160) takes 2 GB, plan and routes together 18 s.
inline constexpr std::uint32_t most_hosts = 1U << 20;
inline constexpr std::uint32_t most_switches = 1U << 15;
/// What is wrong with a fabric of so many; empty if nothing is.
std::string too_large(std::uint64_t hosts, std::uint64_t switches);

/// A host or a switch, by its number among its kind.
struct node_ref {
    node_kind kind = node_kind::host;
    std::uint32_t index = 0;

    static constexpr node_ref of_host(host_id h) { return {node_kind::host, h}; }
    static constexpr node_ref of_switch(switch_id s) { return {node_kind::fabric_switch, s}; }
    constexpr bool is_host() const { return kind == node_kind::host; }
    friend constexpr bool operator==(node_ref a, node_ref b) { return a.kind == b.kind && a.index == b.index; }
    friend constexpr bool operator!=(node_ref a, node_ref b) { return !(a == b); }
};

/// Tier of a switch for which none was given; `topology::finish` derives it.
inline constexpr unsigned unknown_tier = 0;

/// What a link is made of; the same in both directions.
struct link_properties {
    /// Range: > 0.
    bit_rate rate{0};
    /// One way: propagation and transceivers (T_P). Range: > 0.
    picoseconds latency{0};
    /// Probability that a bit is received wrong. Range: [0, 1).
    double bit_error_rate = 0;
    /// Probability that a frame is received wrong, whatever its length. Range: [0, 1). HPCC's files state
    /// their error rate this way (simulation/scratch/third.cc: ERROR_UNIT_PACKET).
    double frame_error_rate = 0;
};

struct link_end {
    node_ref node;
    unsigned port = 0;
};

struct topology_link : link_properties {
    /// Given, or made of the ends' names: `h0-tor0`, and for a parallel link `h0-tor0.2`.
    std::string name;
    /// The name was given.
    bool named = false;
    link_end a;
    link_end b;
};

/// Where a topology's parts stand in the file that they were read from, for error messages.
struct topology_lines {
    std::string file;
    std::vector<int> hosts;
    std::vector<int> switches;
    std::vector<int> links;
    /// Some lines could not be read: what seems to be missing may not be, and is not reported.
    bool incomplete = false;
};

class topology {
 public:
    host_id add_host(std::string name);
    /// `tier`: 1 = has hosts (ToR), 2 = aggregation, 3 = core; `unknown_tier` to have it derived.
    switch_id add_switch(std::string name, unsigned tier = unknown_tier);
    /// Takes the next free port at either end. Both ends must exist. Without a name, makes one.
    link_id add_link(node_ref a, node_ref b, const link_properties& properties, std::string name = {});

    /// Derives missing tiers (1 + links to the nearest switch that has hosts) and assigns the addresses.
    /// To be called once, after the last link.
    void finish();

    /// What makes this fabric impossible: hosts without a link or with two, too many ports, a link from a
    /// node to itself or between hosts, equal names, switches that cannot reach each other, rates and
    /// latencies that are not above zero, more hosts or switches than a fabric may have.
    config_errors validate(const topology_lines* lines = nullptr) const;

    std::uint32_t hosts() const { return static_cast<std::uint32_t>(m_hosts.size()); }
    std::uint32_t switches() const { return static_cast<std::uint32_t>(m_switches.size()); }
    const std::vector<topology_link>& links() const { return m_links; }
    const topology_link& link(link_id id) const { return m_links[id]; }

    /// Hosts first, then switches: one number for every node.
    std::uint32_t nodes() const { return hosts() + switches(); }
    std::uint32_t node_index(node_ref n) const { return n.is_host() ? n.index : hosts() + n.index; }
    node_ref node_at(std::uint32_t index) const {
        return index < hosts() ? node_ref::of_host(index) : node_ref::of_switch(index - hosts());
    }

    const std::string& name(node_ref n) const { return at(n).name; }
    unsigned tier(switch_id s) const { return m_switches[s].tier; }
    std::optional<node_ref> find_node(std::string_view name) const;
    std::optional<link_id> find_link(std::string_view name) const;

    /// The node's links, by port.
    const std::vector<link_id>& ports(node_ref n) const { return at(n).ports; }
    unsigned port_count(switch_id s) const { return static_cast<unsigned>(m_switches[s].ports.size()); }
    /// The node and port at the other end of the link at `port` of `n`.
    const link_end& far_end(node_ref n, unsigned port) const {
        const topology_link& l = m_links[at(n).ports[port]];
        return l.a.node == n && l.a.port == port ? l.b : l.a;
    }
    /// Switch and port that a host hangs on. The host must have its link.
    switch_id edge_switch(host_id h) const { return far_end(node_ref::of_host(h), 0).node.index; }
    unsigned edge_port(host_id h) const { return far_end(node_ref::of_host(h), 0).port; }

    /// Rate of the switch's fastest port, which its crossbar is built for; 0 without ports.
    bit_rate fastest_rate(switch_id s) const;
    /// Smallest latency of all links: how far nodes may run ahead of each other. `never` without links.
    picoseconds smallest_latency() const;

    /// 10.pod.edge.host: hosts of one edge switch share a /24, edge switches of one pod are neighbours. A
    /// pod is what is still connected when the highest tier is taken away. Where pods or their edge
    /// switches do not fit an octet, the two octets count edge switches in the same order.
    ipv4_address address_of(host_id h) const { return m_addresses[h]; }
    std::optional<host_id> host_of(ipv4_address address) const;
    /// For each switch the number of its pod, by the smallest switch in it; the highest tier is a pod each.
    std::vector<std::uint32_t> pods() const;

 private:
    struct node {
        std::string name;
        unsigned tier = unknown_tier;
        std::vector<link_id> ports;
    };
    node& at(node_ref n) { return n.is_host() ? m_hosts[n.index] : m_switches[n.index]; }
    const node& at(node_ref n) const { return n.is_host() ? m_hosts[n.index] : m_switches[n.index]; }
    void derive_tiers();
    void assign_addresses();

    std::vector<node> m_hosts;
    std::vector<node> m_switches;
    std::vector<topology_link> m_links;
    std::map<std::string, node_ref, std::less<>> m_node_names;
    std::map<std::string, link_id, std::less<>> m_link_names;
    std::vector<ipv4_address> m_addresses;
    /// Sorted by address.
    std::vector<std::pair<ipv4_address, host_id>> m_by_address;
};

}  // namespace weir::model
