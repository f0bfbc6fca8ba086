#include "weir/model/routing.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace weir {

namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

/// A set of ports under a small number; number 0 is the empty set.
using label = std::uint32_t;
constexpr label no_ports = 0;

/// Hosts that every switch but their own treats alike: those of one edge switch, and all that are cut off.
struct destinations {
    /// Group of each host.
    std::vector<std::uint32_t> group_of;
    /// Edge switch of each group; `none` for the group of those cut off.
    std::vector<switch_id> edge_of;
};

destinations group_hosts(const topology& t, const link_states& link_up) {
    destinations d;
    d.group_of.resize(t.hosts());
    std::vector<std::uint32_t> group_of_switch(t.switches(), none);
    std::uint32_t cut_off = none;
    for (host_id h = 0; h < t.hosts(); ++h) {
        const bool up = link_up[t.ports(node_ref::of_host(h))[0]];
        std::uint32_t& group = up ? group_of_switch[t.edge_switch(h)] : cut_off;
        if (group == none) {
            group = static_cast<std::uint32_t>(d.edge_of.size());
            d.edge_of.push_back(up ? t.edge_switch(h) : none);
        }
        d.group_of[h] = group;
    }
    return d;
}

/// The hosts' addresses as a binary tree without nodes that have one child.
class address_tree {
 public:
    struct node {
        std::uint32_t prefix;
        unsigned length;
        std::array<std::uint32_t, 2> child{none, none};
        /// Group of all hosts below, or `none` if they differ.
        std::uint32_t group;
        bool is_leaf() const { return child[0] == none; }
    };

    address_tree(const topology& t, const destinations& d) {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> hosts;
        for (host_id h = 0; h < t.hosts(); ++h) {
            hosts.emplace_back(to_uint(t.address_of(h)), d.group_of[h]);
        }
        std::sort(hosts.begin(), hosts.end());
        m_nodes.reserve(2 * hosts.size());
        add(hosts.data(), hosts.data() + hosts.size());
    }
    /// Parents come before their children; node 0 is the root.
    const std::vector<node>& nodes() const { return m_nodes; }

 private:
    using host = std::pair<std::uint32_t, std::uint32_t>;

    std::uint32_t add(const host* begin, const host* end) {
        const auto self = static_cast<std::uint32_t>(m_nodes.size());
        const std::uint32_t low = begin->first;
        const std::uint32_t high = (end - 1)->first;
        if (low == high) {
            m_nodes.push_back({low, 32, {none, none}, begin->second});
            return self;
        }
        const auto length = static_cast<unsigned>(__builtin_clz(low ^ high));
        const std::uint32_t branch = 1U << (31 - length);
        const std::uint32_t prefix = high & ~(branch | (branch - 1));
        m_nodes.push_back({prefix, length, {none, none}, none});
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

    std::vector<node> m_nodes;
};

/// Makes one switch's table as short as it can be.
///
/// Going up, each node of the tree gets the labels with which its subtree needs the fewest entries if one of
/// them is inherited from above: what both children can inherit, or, if that is nothing, what either can.
/// Going down, an entry is written where both children gain from it.
class table_maker {
 public:
    table_maker(const std::vector<address_tree::node>& nodes, std::size_t groups)
        : m_nodes(nodes), m_good(nodes.size()), m_label_of_group(groups) {}

    /// `ports_to(group)` gives the switch's ports towards a group; its own hosts are those of `own_group`.
    template <class PortsTo, class HostPort>
    route_table make(std::uint32_t own_group, PortsTo&& ports_to, HostPort&& host_port) {
        m_own_group = own_group;
        m_labels.assign(1, port_bitmap{});
        std::map<std::array<std::uint64_t, port_bitmap::words>, label> known{{words_of({}), no_ports}};
        for (std::uint32_t g = 0; g < m_label_of_group.size(); ++g) {
            const port_bitmap ports = ports_to(g);
            const auto [at, is_new] = known.emplace(words_of(ports), static_cast<label>(m_labels.size()));
            if (is_new) {
                m_labels.push_back(ports);
            }
            m_label_of_group[g] = at->second;
        }
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

    void go_up(std::uint32_t at) {
        const address_tree::node& n = m_nodes[at];
        label_set& good = m_good[at];
        good.clear();
        if (n.group != none) {
            if (n.group != m_own_group) {
                good.push_back(m_label_of_group[n.group]);
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
        const bool own = n.group != none && n.group == m_own_group;
        if (own) {
            write_hosts(at, host_port);
            return;
        }
        const label_set& good = m_good[at];
        if (n.group != none) {
            if (!serves(good, inherited)) {
                write(n, good.front());
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
    std::vector<label_set> m_good;
    std::vector<label> m_label_of_group;
    std::vector<port_bitmap> m_labels;
    std::uint32_t m_own_group = none;
    route_table m_table;
};

/// The links between switches that are up, in one array: per switch a run of neighbours by port.
struct switch_graph {
    struct edge {
        switch_id to;
        unsigned port;
    };
    std::vector<std::uint32_t> first;
    std::vector<edge> edges;

    switch_graph(const topology& t, const link_states& link_up) {
        for (switch_id s = 0; s < t.switches(); ++s) {
            first.push_back(static_cast<std::uint32_t>(edges.size()));
            const node_ref here = node_ref::of_switch(s);
            for (unsigned p = 0; p < t.ports(here).size(); ++p) {
                const node_ref next = t.far_end(here, p).node;
                if (!next.is_host() && link_up[t.ports(here)[p]]) {
                    edges.push_back({next.index, p});
                }
            }
        }
        first.push_back(static_cast<std::uint32_t>(edges.size()));
    }
    template <class Visit>
    void for_each(switch_id s, Visit&& visit) const {
        for (std::uint32_t i = first[s]; i < first[s + 1]; ++i) {
            visit(edges[i]);
        }
    }
    void search(switch_id destination, std::vector<std::uint32_t>& distance,
                std::vector<switch_id>& reached) const {
        std::fill(distance.begin(), distance.end(), unreachable);
        reached.assign(1, destination);
        distance[destination] = 0;
        for (std::size_t i = 0; i < reached.size(); ++i) {
            const switch_id here = reached[i];
            for_each(here, [&](const edge& e) {
                if (distance[e.to] == unreachable) {
                    distance[e.to] = distance[here] + 1;
                    reached.push_back(e.to);
                }
            });
        }
    }
};

}  // namespace

std::vector<std::uint32_t> distances_to(const topology& fabric, const link_states& link_up,
                                        switch_id destination) {
    std::vector<std::uint32_t> distance(fabric.switches());
    std::vector<switch_id> reached;
    switch_graph(fabric, link_up).search(destination, distance, reached);
    return distance;
}

std::vector<route_table> compute_routes(const topology& fabric, const link_states& link_up) {
    const destinations d = group_hosts(fabric, link_up);
    const switch_graph graph(fabric, link_up);
    const std::uint32_t switches = fabric.switches();
    const std::size_t groups = d.edge_of.size();

    std::vector<port_bitmap> ports_to(groups * switches);
    std::vector<std::uint32_t> own_group(switches, none);
    std::vector<std::uint32_t> distance(switches);
    std::vector<switch_id> reached;
    for (std::size_t g = 0; g < groups; ++g) {
        if (d.edge_of[g] == none) {
            continue;
        }
        own_group[d.edge_of[g]] = static_cast<std::uint32_t>(g);
        graph.search(d.edge_of[g], distance, reached);
        for (switch_id s : reached) {
            port_bitmap& acceptable = ports_to[s * groups + g];
            graph.for_each(s, [&](const switch_graph::edge& e) {
                if (distance[e.to] + 1 == distance[s]) {
                    acceptable.set(e.port);
                }
            });
        }
    }

    const address_tree tree(fabric, d);
    table_maker maker(tree.nodes(), groups);
    std::vector<route_table> tables;
    tables.reserve(switches);
    for (switch_id s = 0; s < switches; ++s) {
        tables.push_back(maker.make(
            own_group[s], [&](std::uint32_t g) { return ports_to[s * groups + g]; },
            [&](ipv4_address a) { return port_bitmap{fabric.edge_port(*fabric.host_of(a))}; }));
    }
    return tables;
}

port_bitmap lookup_route(const route_table& table, ipv4_address address) {
    const route_entry* longest = nullptr;
    for (const route_entry& e : table) {
        const std::uint64_t mask = ~std::uint64_t{0} << (32 - e.prefix_length);
        const bool matches = ((to_uint(address) ^ to_uint(e.prefix)) & mask & 0xFFFF'FFFFU) == 0;
        if (matches && (longest == nullptr || e.prefix_length > longest->prefix_length)) {
            longest = &e;
        }
    }
    return longest == nullptr ? port_bitmap{} : longest->acceptable;
}

shortest_path_summary shortest_paths(const topology& fabric, const link_states& link_up, host_id src,
                                     host_id dst) {
    shortest_path_summary summary;
    const link_id first = fabric.ports(node_ref::of_host(src))[0];
    const link_id last = fabric.ports(node_ref::of_host(dst))[0];
    const switch_id from = fabric.edge_switch(src);
    const switch_id to = fabric.edge_switch(dst);
    const switch_graph graph(fabric, link_up);
    std::vector<std::uint32_t> distance(fabric.switches());
    std::vector<switch_id> reached;
    graph.search(to, distance, reached);
    if (!link_up[first] || !link_up[last] || distance[from] == unreachable) {
        return summary;
    }

    // The search reaches switches in ascending distance, so what lies nearer is counted already.
    std::vector<std::uint64_t> by_links(fabric.switches(), 0);
    std::vector<std::uint64_t> by_switches(fabric.switches(), 0);
    by_links[to] = 1;
    by_switches[to] = 1;
    for (switch_id s : reached) {
        std::set<switch_id> next;
        graph.for_each(s, [&](const switch_graph::edge& e) {
            if (distance[e.to] + 1 == distance[s]) {
                by_links[s] += by_links[e.to];
                next.insert(e.to);
            }
        });
        for (switch_id n : next) {
            by_switches[s] += by_switches[n];
        }
    }
    summary.paths = by_links[from];
    summary.switch_paths = by_switches[from];

    summary.example.push_back({first, node_ref::of_host(src), 0, node_ref::of_switch(from)});
    for (switch_id here = from; here != to;) {
        const switch_graph::edge* chosen = nullptr;
        graph.for_each(here, [&](const switch_graph::edge& e) {
            if (chosen == nullptr && distance[e.to] + 1 == distance[here]) {
                chosen = &e;
            }
        });
        const node_ref here_node = node_ref::of_switch(here);
        summary.example.push_back(
            {fabric.ports(here_node)[chosen->port], here_node, chosen->port, node_ref::of_switch(chosen->to)});
        here = chosen->to;
    }
    summary.example.push_back({last, node_ref::of_switch(to), fabric.edge_port(dst), node_ref::of_host(dst)});
    return summary;
}

std::string to_text(const topology& fabric, const std::vector<path_hop>& path) {
    std::string text = path.empty() ? "" : fabric.name(path.front().from);
    for (const path_hop& hop : path) {
        text += " > " + fabric.name(hop.to);
    }
    return text;
}

}  // namespace weir
