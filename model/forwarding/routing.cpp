#include "weir/model/forwarding/routing.h"

#include <numeric>

#include "next_hops.h"
#include "table_maker.h"

namespace weir::model {

namespace {

// Hosts of one edge switch have the same routes everywhere else, so routes are computed per group. Hosts whose
// link is down are a group of their own, which nothing reaches.
destinations group_hosts(const topology& t, const link_states& link_up) {
    destinations d;
    d.group_of.resize(t.hosts());
    std::vector<std::uint32_t> group_of_switch(t.switches(), no_number);
    std::uint32_t cut_off = no_number;
    for (host_id h = 0; h < t.hosts(); ++h) {
        const bool up = link_up[t.ports(node_ref::of_host(h))[0]];
        std::uint32_t& group = up ? group_of_switch[t.edge_switch(h)] : cut_off;
        if (group == no_number) {
            group = static_cast<std::uint32_t>(d.edge_of.size());
            d.edge_of.push_back(up ? t.edge_switch(h) : no_number);
        }
        d.group_of[h] = group;
    }
    return d;
}

/// Links from each switch to `destination`, and the switches that it reaches, nearest first.
void search(const switch_graph& graph, switch_id destination, std::vector<std::uint32_t>& distance,
            std::vector<switch_id>& reached) {
    distance.assign(graph.switches(), unreachable);
    reached.assign(1, destination);
    distance[destination] = 0;
    for (std::size_t i = 0; i < reached.size(); ++i) {
        const switch_id here = reached[i];
        graph.for_each(here, [&](const switch_graph::edge& e) {
            if (distance[e.to] == unreachable) {
                distance[e.to] = distance[here] + 1;
                reached.push_back(e.to);
            }
        });
    }
}

}  // namespace

std::vector<std::uint32_t> distances_to(const topology& fabric, const link_states& link_up,
                                        switch_id destination) {
    std::vector<std::uint32_t> distance;
    std::vector<switch_id> reached;
    search(switch_graph(fabric, link_up), destination, distance, reached);
    return distance;
}

std::vector<switch_id> all_switches(const topology& fabric) {
    std::vector<switch_id> all(fabric.switches());
    std::iota(all.begin(), all.end(), switch_id{0});
    return all;
}

void for_each_route_table(const topology& fabric, const link_states& link_up,
                          const std::vector<switch_id>& switches,
                          const std::function<void(switch_id, const route_table&)>& visit) {
    const destinations d = group_hosts(fabric, link_up);
    const switch_graph graph(fabric, link_up);
    const next_hops hops(graph, d.edge_of);
    std::vector<std::uint32_t> own_group(fabric.switches(), no_number);
    for (std::uint32_t g = 0; g < d.edge_of.size(); ++g) {
        if (d.edge_of[g] != no_number) {
            own_group[d.edge_of[g]] = g;
        }
    }
    const address_tree tree(fabric, d);
    table_maker maker(tree, d.edge_of.size());
    std::vector<port_bitmap> ports_to(d.edge_of.size());
    for (const switch_id s : switches) {
        hops.ports_to_all(s, ports_to);
        visit(s, maker.make(own_group[s], ports_to,
                            [&](ipv4_address a) { return port_bitmap{fabric.edge_port(*fabric.host_of(a))}; }));
    }
}

std::vector<route_table> compute_routes(const topology& fabric, const link_states& link_up) {
    std::vector<route_table> tables(fabric.switches());
    for_each_route_table(fabric, link_up, all_switches(fabric),
                         [&](switch_id s, const route_table& table) { tables[s] = table; });
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
    std::vector<std::uint32_t> distance;
    std::vector<switch_id> reached;
    search(graph, to, distance, reached);
    if (!link_up[first] || !link_up[last] || distance[from] == unreachable) {
        return summary;
    }

    // The search reaches switches in ascending distance, so what lies nearer is counted already.
    std::vector<std::uint64_t> by_links(fabric.switches(), 0);
    by_links[to] = 1;
    for (switch_id s : reached) {
        graph.for_each(s, [&](const switch_graph::edge& e) {
            if (distance[e.to] + 1 == distance[s]) {
                by_links[s] += by_links[e.to];
            }
        });
    }
    summary.paths = by_links[from];

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

}  // namespace weir::model
