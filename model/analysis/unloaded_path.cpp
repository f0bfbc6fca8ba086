#include "weir/model/analysis/unloaded_path.h"

#include <algorithm>

namespace weir::model {

// As wide as the switch's fastest link times the speedup, also for slower ports.
path_stage crossbar_of(const topology& fabric, switch_id s, const unloaded_delays& delays) {
    path_stage stage{fabric.fastest_rate(s) * delays.speedup, picoseconds{0}};
    if (delays.cell > bytes{0} && delays.speedup > 0) {
        stage.slot = transmission_time(delays.cell, stage.rate);
    }
    return stage;
}

// A stage of its own, since it makes frames wait for each other; without an interval the lookup only delays.
path_stage lookup_with_interval(const unloaded_delays& delays) {
    path_stage lookup{bit_rate{0}, delays.lookup_delay - delays.lookup_interval};
    lookup.interval = delays.lookup_interval;
    return lookup;
}

namespace {

/// Time of a full frame through a switch's crossbar and over the link after it.
picoseconds cost(const topology_link& link, const path_stage& crossbar, const unloaded_delays& delays) {
    const bytes length = delays.frame_length(delays.segment_payload);
    const bytes wire = length + delays.wire_overhead;
    const picoseconds crossing = delays.speedup == 0 ? picoseconds{0}
                                 : crossbar.slot > picoseconds{0}
                                     ? crossbar.slot * cells_of(length, delays.cell).count()
                                     : transmission_time(wire, crossbar.rate);
    return crossing + transmission_time(wire, link.rate) + link.latency;
}

constexpr unsigned no_port = ~0U;

/// Follows each switch's port from the source; empty where there is none.
std::vector<path_hop> path_along(const topology& fabric, const std::vector<unsigned>& port_of, host_id src,
                                 host_id dst) {
    std::vector<path_hop> path;
    const switch_id from = fabric.edge_switch(src);
    const switch_id to = fabric.edge_switch(dst);
    path.push_back(
        {fabric.ports(node_ref::of_host(src))[0], node_ref::of_host(src), 0, node_ref::of_switch(from)});
    for (switch_id s = from; s != to;) {
        if (port_of[s] == no_port) {
            return {};
        }
        const node_ref here = node_ref::of_switch(s);
        const node_ref next = fabric.far_end(here, port_of[s]).node;
        path.push_back({fabric.ports(here)[port_of[s]], here, port_of[s], next});
        s = next.index;
    }
    path.push_back({fabric.ports(node_ref::of_host(dst))[0], node_ref::of_switch(to), fabric.edge_port(dst),
                    node_ref::of_host(dst)});
    return path;
}

}  // namespace

path_stages stages_of(const topology& fabric, const std::vector<path_hop>& path,
                      const unloaded_delays& delays) {
    path_stages stages;
    for (const path_hop& hop : path) {
        const topology_link& link = fabric.link(hop.link);
        if (!hop.from.is_host()) {
            if (delays.lookup_interval > picoseconds{0}) {
                stages.push_back(lookup_with_interval(delays));
            } else {
                stages.back().delay_after += delays.lookup_delay;
            }
            if (delays.speedup > 0) {
                stages.push_back(crossbar_of(fabric, hop.from.index, delays));
            }
        }
        stages.push_back({link.rate, link.latency});
    }
    return stages;
}

std::vector<unsigned> quickest_ports(const topology& fabric, const link_states& link_up, switch_id to,
                                     const unloaded_delays& delays) {
    const std::vector<std::uint32_t> distance = distances_to(fabric, link_up, to);
    // Switches by ascending distance: then all that a switch may forward to is settled before it.
    std::vector<switch_id> order;
    for (switch_id s = 0; s < fabric.switches(); ++s) {
        if (distance[s] != unreachable) {
            order.push_back(s);
        }
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](switch_id a, switch_id b) { return distance[a] < distance[b]; });
    std::vector<picoseconds> best(fabric.switches(), never);
    std::vector<unsigned> best_port(fabric.switches(), no_port);
    best[to] = picoseconds{0};
    for (switch_id s : order) {
        const node_ref here = node_ref::of_switch(s);
        for (unsigned p = 0; s != to && p < fabric.port_count(s); ++p) {
            const node_ref next = fabric.far_end(here, p).node;
            const link_id id = fabric.ports(here)[p];
            if (next.is_host() || !link_up[id] || distance[next.index] + 1 != distance[s]) {
                continue;
            }
            const picoseconds time =
                best[next.index] + cost(fabric.link(id), crossbar_of(fabric, s, delays), delays);
            if (time < best[s]) {
                best[s] = time;
                best_port[s] = p;
            }
        }
    }
    return best_port;
}

std::vector<path_hop> quickest_path(const topology& fabric, const link_states& link_up, host_id src,
                                    host_id dst, const unloaded_delays& delays) {
    const link_id first = fabric.ports(node_ref::of_host(src))[0];
    const link_id last = fabric.ports(node_ref::of_host(dst))[0];
    if (!link_up[first] || !link_up[last]) {
        return {};
    }
    return path_along(fabric, quickest_ports(fabric, link_up, fabric.edge_switch(dst), delays), src, dst);
}

const std::vector<unsigned>& unloaded_paths::ports_to(switch_id to) {
    std::vector<unsigned>& ports = m_ports_to[to];
    if (ports.empty()) {
        ports = quickest_ports(m_fabric, m_all_up, to, m_delays);
    }
    return ports;
}

path_stages unloaded_paths::stages(host_id src, host_id dst) {
    return stages_of(m_fabric, path_along(m_fabric, ports_to(m_fabric.edge_switch(dst)), src, dst), m_delays);
}

const spread_rows& unloaded_paths::rows_between_switches(switch_id from, switch_id to) {
    const auto [found, is_new] = m_rows.try_emplace(std::uint64_t{from} << 32 | to);
    if (is_new) {
        std::vector<std::uint32_t>& distance = m_distance_to[to];
        if (distance.empty()) {
            distance = distances_to(m_fabric, m_all_up, to);
        }
        found->second = rows_between(m_fabric, m_all_up, distance, from, to, m_delays);
    }
    return found->second;
}

picoseconds unloaded_paths::one_way(host_id src, host_id dst, bytes transfer) {
    if (!m_delays.spread) {
        return model::ideal_completion(stages(src, dst), transfer, m_delays);
    }
    const spread_rows& between = rows_between_switches(m_fabric.edge_switch(src), m_fabric.edge_switch(dst));
    // A lone frame is as quick on each of several paths that are alike, and a slot's wait is known.
    const bool one_frame = transfer <= m_delays.segment_payload;
    if (!between.has_choice() || (one_frame && between.alike)) {
        return model::ideal_completion(stages(src, dst), transfer, m_delays);
    }
    std::vector<spread_row> rows;
    rows.reserve(between.rows.size() + 2);
    for (const host_id end : {src, dst}) {
        const topology_link& link = m_fabric.link(m_fabric.ports(node_ref::of_host(end))[0]);
        rows.push_back({{link.rate, link.latency}, 1});
    }
    rows.insert(rows.begin() + 1, between.rows.begin(), between.rows.end());
    return least_spread_completion(rows, transfer, m_delays);
}

picoseconds unloaded_paths::ideal_completion(host_id src, host_id dst, bytes transfer) {
    if (!m_delays.handshake) {
        return one_way(src, dst, transfer);
    }
    if (!m_delays.spread ||
        !rows_between_switches(m_fabric.edge_switch(src), m_fabric.edge_switch(dst)).has_choice()) {
        return ideal_completion_with_handshake(stages(src, dst), stages(dst, src), transfer, m_delays);
    }
    return one_way(src, dst, bytes{0}) + one_way(dst, src, bytes{0}) + one_way(src, dst, transfer);
}

// A lone frame takes the sum of its stages' times. So of the hosts at one switch those with the slowest links
// stand for all: one on ways to other switches, two on the way between them.
picoseconds unloaded_paths::longest_round_trip(bytes there, bytes back) {
    struct known_host {
        host_id host;
        picoseconds access;
    };
    std::vector<std::vector<known_host>> slowest(m_fabric.switches());
    for (host_id h = 0; h < m_fabric.hosts(); ++h) {
        const topology_link& link = m_fabric.link(m_fabric.ports(node_ref::of_host(h))[0]);
        const path_stage stage{link.rate, link.latency};
        const known_host known{
            h, service_time(stage, there, m_delays) + service_time(stage, back, m_delays) + 2 * link.latency};
        std::vector<known_host>& at = slowest[m_fabric.edge_switch(h)];
        at.insert(
            std::upper_bound(at.begin(), at.end(), known,
                             [](const known_host& a, const known_host& b) { return a.access > b.access; }),
            known);
        at.resize(std::min<std::size_t>(at.size(), 2));
    }
    picoseconds longest{0};
    const auto consider = [&](host_id a, host_id b) {
        const path_stages out = stages(a, b);
        if (!out.empty()) {
            longest = std::max(longest, model::frame_time(out, there, m_delays) +
                                            model::frame_time(stages(b, a), back, m_delays));
        }
    };
    for (const std::vector<known_host>& from : slowest) {
        for (const std::vector<known_host>& to : slowest) {
            if (&from != &to && !from.empty() && !to.empty()) {
                consider(from[0].host, to[0].host);
            } else if (from.size() == 2) {
                consider(from[0].host, from[1].host);
            }
        }
    }
    return longest == picoseconds{0} ? longest : longest + 2 * (m_delays.stack_out + m_delays.stack_in);
}

}  // namespace weir::model
