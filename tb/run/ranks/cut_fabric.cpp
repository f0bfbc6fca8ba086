#include "tb/run/ranks/cut_fabric.h"

#include <metis.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <new>
#include <numeric>
#include <stdexcept>

#include "weir/model/forwarding/routing.h"

namespace weir::tb {

using namespace weir::model;

namespace {

/// At most so many switches with hosts are looked at as destinations. Where there are more, these are evenly
/// spaced among them.
constexpr std::size_t most_destinations = 256;
/// METIS adds up the weights of all vertices, and of all edges from both ends, in 32 bits.
constexpr double largest_sum = 1 << 30;
constexpr double largest_weight = 10'000;
/// Of a switch that no frame is expected at, as a part of the mean: its events are few, not none.
constexpr double least_share = 0.01;

struct switch_link {
    switch_id far;
    link_id link;
};

std::vector<std::vector<switch_link>> links_of_switches(const topology& plan) {
    std::vector<std::vector<switch_link>> links(plan.switches());
    for (link_id id = 0; id < plan.links().size(); ++id) {
        const topology_link& link = plan.link(id);
        if (!link.a.node.is_host() && !link.b.node.is_host()) {
            links[link.a.node.index].push_back({link.b.node.index, id});
            links[link.b.node.index].push_back({link.a.node.index, id});
        }
    }
    return links;
}

/// Factor of weights for METIS. `count`: of weights that are added up; their scaled sum stays below 2^31.
double scale_of(double largest, std::size_t count) {
    return largest > 0 ? std::min(largest_weight, largest_sum / static_cast<double>(count + 1)) / largest : 0;
}
/// A whole number from 1 on.
idx_t whole_weight(double weight, double scale) {
    return 1 + static_cast<idx_t>(std::lround(weight * scale));
}

/// METIS's form of a graph: neighbours of all vertices in one list.
struct metis_graph {
    std::vector<idx_t> begins{0};
    std::vector<idx_t> neighbours;
    std::vector<idx_t> edge_weights;
    std::vector<idx_t> vertex_weights;
};

metis_graph graph_of(const topology& plan, const std::vector<host_traffic>& expected) {
    const expected_load load = expect_load(plan, expected);
    const double all = std::accumulate(load.switches.begin(), load.switches.end(), 0.0);
    const double least = all > 0 ? least_share * all / static_cast<double>(load.switches.size()) : 1;
    const double of_switch =
        scale_of(*std::max_element(load.switches.begin(), load.switches.end()) + least, load.switches.size());
    const double largest_link =
        load.links.empty() ? 0 : *std::max_element(load.links.begin(), load.links.end());
    const double of_link = scale_of(largest_link, 2 * load.links.size());
    metis_graph graph;
    const auto links = links_of_switches(plan);
    for (switch_id s = 0; s < plan.switches(); ++s) {
        graph.vertex_weights.push_back(whole_weight(load.switches[s] + least, of_switch));
        // Parallel links are one edge: METIS wants each neighbour once.
        std::map<switch_id, idx_t> edges;
        for (const switch_link& link : links[s]) {
            edges[link.far] += whole_weight(load.links[link.link], of_link);
        }
        for (const auto& [far, weight] : edges) {
            graph.neighbours.push_back(static_cast<idx_t>(far));
            graph.edge_weights.push_back(weight);
        }
        graph.begins.push_back(static_cast<idx_t>(graph.neighbours.size()));
    }
    return graph;
}

/// The most that a part may have, over the mean.
constexpr double most_uneven = 1.03;

/// Moves vertices from the heaviest part to the lightest one, those that cost the least cut first: METIS leaves
/// small graphs of heavy vertices uneven.
void even_out(const metis_graph& graph, unsigned ranks, std::vector<idx_t>& part) {
    std::vector<std::int64_t> load(ranks);
    for (std::size_t v = 0; v < part.size(); ++v) {
        load[static_cast<std::size_t>(part[v])] += graph.vertex_weights[v];
    }
    const double mean = static_cast<double>(std::accumulate(load.begin(), load.end(), std::int64_t{0})) / ranks;
    // Each move makes the loads of two parts more equal, so this ends.
    for (;;) {
        const auto [light, heavy] = std::minmax_element(load.begin(), load.end());
        const auto from = static_cast<idx_t>(heavy - load.begin());
        const auto to = static_cast<idx_t>(light - load.begin());
        std::size_t moved = part.size();
        std::int64_t least_cost = 0;
        for (std::size_t v = 0; v < part.size(); ++v) {
            if (part[v] != from || graph.vertex_weights[v] >= *heavy - *light) {
                continue;
            }
            std::int64_t cost = 0;
            for (auto e = graph.begins[v]; e < graph.begins[v + 1]; ++e) {
                const auto edge = static_cast<std::size_t>(e);
                const idx_t far = part[static_cast<std::size_t>(graph.neighbours[edge])];
                cost += far == from ? graph.edge_weights[edge] : far == to ? -graph.edge_weights[edge] : 0;
            }
            if (moved == part.size() || cost < least_cost) {
                moved = v;
                least_cost = cost;
            }
        }
        if (moved == part.size() || static_cast<double>(*heavy) <= most_uneven * mean) {
            return;
        }
        part[moved] = to;
        *heavy -= graph.vertex_weights[moved];
        *light += graph.vertex_weights[moved];
    }
}

/// Each vertex, the heaviest first, to the part that has least: for so few that there is little to choose.
std::vector<idx_t> dealt_out(const metis_graph& graph, unsigned ranks) {
    std::vector<std::size_t> order(graph.vertex_weights.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return graph.vertex_weights[a] > graph.vertex_weights[b];
    });
    std::vector<idx_t> part(order.size());
    std::vector<std::int64_t> load(ranks);
    for (const std::size_t v : order) {
        const auto least = std::min_element(load.begin(), load.end());
        part[v] = static_cast<idx_t>(least - load.begin());
        *least += graph.vertex_weights[v];
    }
    return part;
}

/// None is heavier than one of so many equal parts.
std::vector<idx_t> at_most_a_part(std::vector<idx_t> weights, unsigned parts) {
    for (;;) {
        const std::int64_t all = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
        const auto most = static_cast<idx_t>(std::max<std::int64_t>(1, all / parts));
        if (*std::max_element(weights.begin(), weights.end()) <= most) {
            return weights;
        }
        for (idx_t& weight : weights) {
            weight = std::min(weight, most);
        }
    }
}

std::vector<idx_t> cut(metis_graph graph, unsigned ranks) {
    auto vertices = static_cast<idx_t>(graph.vertex_weights.size());
    std::vector<idx_t> part(graph.vertex_weights.size());
    if (ranks == 1) {
        return part;
    }
    // Where a half that is to be cut again has fewer vertices than parts, METIS prints to standard output.
    if (part.size() <= std::size_t{2} * ranks) {
        return dealt_out(graph, ranks);
    }
    std::vector<idx_t> weights = at_most_a_part(graph.vertex_weights, ranks);
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    idx_t constraints = 1;
    auto parts = static_cast<idx_t>(ranks);
    idx_t edges_cut = 0;
    // Recursive bisection keeps few parts more even than the direct way.
    const int status = METIS_PartGraphRecursive(
        &vertices, &constraints, graph.begins.data(), graph.neighbours.data(), weights.data(), nullptr,
        graph.edge_weights.data(), &parts, nullptr, nullptr, options, &edges_cut, part.data());
    if (status == METIS_ERROR_MEMORY) {
        throw std::bad_alloc();
    }
    if (status != METIS_OK) {
        throw std::runtime_error("METIS cannot cut the fabric: error " + std::to_string(status));
    }
    even_out(graph, ranks, part);
    return part;
}

}  // namespace

// For each destination, loads move from the farthest switches on: each passes on what it has in equal shares
// over the links that lead nearer.
expected_load expect_load(const topology& plan, const std::vector<host_traffic>& expected) {
    if (!expected.empty() && expected.size() != plan.hosts()) {
        throw std::logic_error("the traffic of " + std::to_string(expected.size()) +
                               " hosts is expected in a fabric of " + std::to_string(plan.hosts()));
    }
    expected_load load{std::vector<double>(plan.switches()), std::vector<double>(plan.links().size())};
    std::vector<host_traffic> at(plan.switches());
    for (host_id h = 0; h < plan.hosts(); ++h) {
        host_traffic& edge = at[plan.edge_switch(h)];
        edge.sent += expected.empty() ? 1 : expected[h].sent;
        edge.received += expected.empty() ? 1 : expected[h].received;
    }
    std::vector<switch_id> destinations;
    for (switch_id s = 0; s < plan.switches(); ++s) {
        if (at[s].received > 0) {
            destinations.push_back(s);
        }
    }
    const auto links = links_of_switches(plan);
    const link_states up = all_links_up(plan);
    const std::size_t count = std::min(destinations.size(), most_destinations);
    for (std::size_t i = 0; i < count; ++i) {
        const switch_id to = destinations[i * destinations.size() / count];
        const std::vector<std::uint32_t> distances = distances_to(plan, up, to);
        std::vector<switch_id> order;
        for (switch_id s = 0; s < plan.switches(); ++s) {
            if (distances[s] != unreachable) {
                order.push_back(s);
            }
        }
        std::stable_sort(order.begin(), order.end(),
                         [&](switch_id a, switch_id b) { return distances[a] > distances[b]; });
        std::vector<double> passing(plan.switches());
        std::transform(at.begin(), at.end(), passing.begin(), [](const host_traffic& of) { return of.sent; });
        for (const switch_id s : order) {
            load.switches[s] += passing[s] * at[to].received;
            const auto leads_nearer = [&](const switch_link& link) {
                return distances[link.far] + 1 == distances[s];
            };
            const auto ways =
                static_cast<double>(std::count_if(links[s].begin(), links[s].end(), leads_nearer));
            for (const switch_link& link : links[s]) {
                if (leads_nearer(link)) {
                    passing[link.far] += passing[s] / ways;
                    load.links[link.link] += passing[s] / ways * at[to].received;
                }
            }
        }
    }
    return load;
}

std::vector<std::uint32_t> cut_fabric(const topology& plan, unsigned ranks,
                                      const std::vector<host_traffic>& expected) {
    const std::vector<idx_t> part =
        plan.switches() > 0 ? cut(graph_of(plan, expected), ranks) : std::vector<idx_t>{};
    std::vector<std::uint32_t> rank_of(plan.nodes());
    for (switch_id s = 0; s < plan.switches(); ++s) {
        rank_of[plan.node_index(node_ref::of_switch(s))] = static_cast<std::uint32_t>(part[s]);
    }
    for (host_id h = 0; h < plan.hosts(); ++h) {
        rank_of[h] = static_cast<std::uint32_t>(part[plan.edge_switch(h)]);
    }
    return rank_of;
}

}  // namespace weir::tb
