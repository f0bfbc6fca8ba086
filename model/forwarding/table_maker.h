// Forwarding tables that are as short as they can be, from the ports that each switch has towards each group of
// hosts (Draves, King, Venkatachary, Zill: Constructing optimal IP routing tables, INFOCOM 1999).
//
//   const address_tree tree(fabric, groups);
//   table_maker maker(tree, groups.edge_of.size());
//   const route_table& table = maker.make(own_group, ports_to, host_port);
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "weir/model/forwarding/routing.h"

namespace weir::model {

/// In place of the number of a switch, a group or a block that there is not.
inline constexpr std::uint32_t no_number = ~std::uint32_t{0};

/// Hosts that every switch but their own treats alike: those of one edge switch, and all that are cut off.
struct destinations {
    /// Group of each host.
    std::vector<std::uint32_t> group_of;
    /// Edge switch of each group; `no_number` for the group of those cut off.
    std::vector<switch_id> edge_of;
};

/// A set of ports under a small number; number 0 is the empty set.
using label = std::uint32_t;
inline constexpr label no_ports = 0;
/// In place of a label, for blocks of a switch's own hosts.
inline constexpr label own_hosts = no_number;

/// The hosts' addresses as a binary tree without nodes that have one child. The highest nodes whose hosts are
/// of one group are its blocks, numbered by address.
class address_tree {
 public:
    struct node {
        std::uint32_t prefix;
        unsigned length;
        std::array<std::uint32_t, 2> child{no_number, no_number};
        /// Group of all hosts below, or `no_number` if they differ.
        std::uint32_t group;
        /// Blocks below, or the one that this node is or is in.
        std::uint32_t first_block = no_number;
        std::uint32_t last_block = no_number;
        bool is_leaf() const { return child[0] == no_number; }
    };

    address_tree(const topology& t, const destinations& d) {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> hosts;
        for (host_id h = 0; h < t.hosts(); ++h) {
            hosts.emplace_back(to_uint(t.address_of(h)), d.group_of[h]);
        }
        std::sort(hosts.begin(), hosts.end());
        m_nodes.reserve(2 * hosts.size());
        add(hosts.data(), hosts.data() + hosts.size());
        number_blocks(0);
    }
    /// Parents come before their children; node 0 is the root.
    const std::vector<node>& nodes() const { return m_nodes; }
    /// Group of each block.
    const std::vector<std::uint32_t>& blocks() const { return m_blocks; }

 private:
    using host = std::pair<std::uint32_t, std::uint32_t>;

    std::uint32_t add(const host* begin, const host* end) {
        const auto self = static_cast<std::uint32_t>(m_nodes.size());
        const std::uint32_t low = begin->first;
        const std::uint32_t high = (end - 1)->first;
        if (low == high) {
            m_nodes.push_back({low, 32, {no_number, no_number}, begin->second});
            return self;
        }
        const auto length = static_cast<unsigned>(__builtin_clz(low ^ high));
        const std::uint32_t branch = 1U << (31 - length);
        const std::uint32_t prefix = high & ~(branch | (branch - 1));
        m_nodes.push_back({prefix, length, {no_number, no_number}, no_number});
        const host* middle =
            std::partition_point(begin, end, [&](const host& h) { return (h.first & branch) == 0; });
        const std::uint32_t left = add(begin, middle);
        const std::uint32_t right = add(middle, end);
        m_nodes[self].child = {left, right};
        if (m_nodes[left].group == m_nodes[right].group) {
            m_nodes[self].group = m_nodes[left].group;
        }
        return self;
    }

    void number_blocks(std::uint32_t at) {
        node& n = m_nodes[at];
        n.first_block = static_cast<std::uint32_t>(m_blocks.size());
        if (n.group != no_number) {
            m_blocks.push_back(n.group);
        } else {
            number_blocks(n.child[0]);
            number_blocks(n.child[1]);
        }
        n.last_block = static_cast<std::uint32_t>(m_blocks.size() - 1);
    }

    std::vector<node> m_nodes;
    std::vector<std::uint32_t> m_blocks;
};

/// Makes one switch's table as short as it can be.
///
/// Going up, each node of the tree gets the labels with which its subtree needs the fewest entries if one of
/// them is inherited from above: what both children can inherit, or, if that is nothing, what either can.
/// Going down, an entry is written where both children gain from it. Neither way leads below a node whose
/// blocks all have one label.
class table_maker {
 public:
    table_maker(const address_tree& tree, std::size_t groups)
        : m_nodes(tree.nodes()),
          m_group_of_block(tree.blocks()),
          m_good(m_nodes.size()),
          m_label_of_group(groups),
          m_run_end(m_group_of_block.size()) {}

    /// `ports_to[group]`: the switch's ports towards a group; its own hosts are those of `own_group`.
    template <class HostPort>
    const route_table& make(std::uint32_t own_group, const std::vector<port_bitmap>& ports_to,
                            HostPort&& host_port) {
        m_own_group = own_group;
        m_labels.assign(1, port_bitmap{});
        std::map<std::array<std::uint64_t, port_bitmap::words>, label> known{{words_of({}), no_ports}};
        for (std::uint32_t g = 0; g < m_label_of_group.size(); ++g) {
            const port_bitmap& ports = ports_to[g];
            if (g > 0 && ports == ports_to[g - 1]) {
                m_label_of_group[g] = m_label_of_group[g - 1];
                continue;
            }
            const auto [at, is_new] = known.emplace(words_of(ports), static_cast<label>(m_labels.size()));
            if (is_new) {
                m_labels.push_back(ports);
            }
            m_label_of_group[g] = at->second;
        }
        find_runs();
        m_table.clear();
        go_up(0);
        go_down(0, no_ports, host_port);
        return m_table;
    }

 private:
    /// Sorted; empty means that any label will do (own hosts, which have entries of their own).
    using label_set = std::vector<label>;

    static std::array<std::uint64_t, port_bitmap::words> words_of(const port_bitmap& ports) {
        std::array<std::uint64_t, port_bitmap::words> words{};
        for (unsigned i = 0; i < port_bitmap::words; ++i) {
            words[i] = ports.word(i);
        }
        return words;
    }
    static bool serves(const label_set& good, label l) {
        return good.empty() || std::binary_search(good.begin(), good.end(), l);
    }

    /// For each block the last one of those behind it that share its label. Own hosts have no_number.
    void find_runs() {
        const auto label_of = [&](std::size_t block) {
            const std::uint32_t group = m_group_of_block[block];
            return group == m_own_group ? own_hosts : m_label_of_group[group];
        };
        label behind = own_hosts;
        for (std::size_t block = m_run_end.size(); block-- > 0;) {
            const label here = label_of(block);
            const bool joins = block + 1 < m_run_end.size() && here == behind;
            m_run_end[block] = joins ? m_run_end[block + 1] : static_cast<std::uint32_t>(block);
            behind = here;
        }
    }
    bool has_one_label(const address_tree::node& n) const { return m_run_end[n.first_block] >= n.last_block; }

    void go_up(std::uint32_t at) {
        const address_tree::node& n = m_nodes[at];
        label_set& good = m_good[at];
        good.clear();
        if (has_one_label(n)) {
            const std::uint32_t group = m_group_of_block[n.first_block];
            if (group != m_own_group) {
                good.push_back(m_label_of_group[group]);
            }
            return;
        }
        go_up(n.child[0]);
        go_up(n.child[1]);
        const label_set& left = m_good[n.child[0]];
        const label_set& right = m_good[n.child[1]];
        if (left.empty() || right.empty()) {
            good = left.empty() ? right : left;
            return;
        }
        std::set_intersection(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(good));
        if (good.empty()) {
            std::set_union(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(good));
        }
    }

    template <class HostPort>
    void go_down(std::uint32_t at, label inherited, HostPort& host_port) {
        const address_tree::node& n = m_nodes[at];
        const bool own = n.group != no_number && n.group == m_own_group;
        if (own) {
            write_hosts(at, host_port);
            return;
        }
        const label_set& good = m_good[at];
        if (has_one_label(n)) {
            if (!serves(good, inherited)) {
                write(n, good.front(), at == 0 && n.group == no_number);
            }
            return;
        }
        const bool neither = !serves(m_good[n.child[0]], inherited) && !serves(m_good[n.child[1]], inherited);
        if (neither && shared_by_children(n, good.front())) {
            inherited = good.front();
            write(n, inherited, at == 0);
        }
        go_down(n.child[0], inherited, host_port);
        go_down(n.child[1], inherited, host_port);
    }
    bool shared_by_children(const address_tree::node& n, label l) const {
        return serves(m_good[n.child[0]], l) && serves(m_good[n.child[1]], l);
    }

    template <class HostPort>
    void write_hosts(std::uint32_t at, HostPort& host_port) {
        const address_tree::node& n = m_nodes[at];
        if (n.is_leaf()) {
            m_table.push_back({ipv4_address{n.prefix}, 32, host_port(ipv4_address{n.prefix})});
            return;
        }
        write_hosts(n.child[0], host_port);
        write_hosts(n.child[1], host_port);
    }
    void write(const address_tree::node& n, label l, bool is_root = false) {
        m_table.push_back({ipv4_address{is_root ? 0 : n.prefix}, is_root ? 0 : n.length, m_labels[l]});
    }

    const std::vector<address_tree::node>& m_nodes;
    const std::vector<std::uint32_t>& m_group_of_block;
    std::vector<label_set> m_good;
    std::vector<label> m_label_of_group;
    std::vector<std::uint32_t> m_run_end;
    std::vector<port_bitmap> m_labels;
    std::uint32_t m_own_group = no_number;
    route_table m_table;
};

}  // namespace weir::model
