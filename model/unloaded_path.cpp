#include "weir/model/unloaded_path.h"

#include <algorithm>

namespace weir {

namespace {

/// Segments of a transfer: `full` equal ones, then one of `last` bytes of payload.
struct segmentation {
    std::int64_t full;
    bytes last;
};

segmentation segments_of(bytes transfer, const unloaded_delays& delays) {
    if (transfer <= bytes{0}) {
        return {0, bytes{0}};
    }
    const std::int64_t full = (transfer.count() - 1) / delays.segment_payload.count();
    return {full, transfer - delays.segment_payload * full};
}

picoseconds service(const path_stage& stage, bytes payload, const unloaded_delays& delays) {
    return transmission_time(delays.frame_length(payload) + delays.wire_overhead, stage.rate);
}

/// Time of a full frame through a switch's crossbar and over the link after it.
picoseconds cost(const topology_link& link, bit_rate crossbar, const unloaded_delays& delays) {
    const bytes wire = delays.frame_length(delays.segment_payload) + delays.wire_overhead;
    return transmission_time(wire, crossbar) + transmission_time(wire, link.rate) + link.latency;
}

bit_rate crossbar_rate(const topology& fabric, switch_id s, const unloaded_delays& delays) {
    return fabric.fastest_rate(s) * delays.speedup;
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
            stages.back().delay_after += delays.lookup_delay;
            stages.push_back({crossbar_rate(fabric, hop.from.index, delays), picoseconds{0}});
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
                best[next.index] + cost(fabric.link(id), crossbar_rate(fabric, s, delays), delays);
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

picoseconds frame_time(const path_stages& stages, bytes frame_length, const unloaded_delays& delays) {
    picoseconds time{0};
    for (const path_stage& stage : stages) {
        time += transmission_time(frame_length + delays.wire_overhead, stage.rate) + stage.delay_after;
    }
    return time;
}

picoseconds completion_by_recursion(const path_stages& stages, bytes transfer, const unloaded_delays& delays) {
    const segmentation s = segments_of(transfer, delays);
    std::vector<picoseconds> finish(stages.size(), picoseconds{0});
    picoseconds arrival{0};
    for (std::int64_t i = 0; i <= s.full; ++i) {
        const bytes payload = i < s.full ? delays.segment_payload : s.last;
        arrival = delays.stack_out;
        for (std::size_t j = 0; j < stages.size(); ++j) {
            finish[j] = std::max(finish[j], arrival) + service(stages[j], payload, delays);
            arrival = finish[j] + stages[j].delay_after;
        }
    }
    return arrival + delays.stack_in;
}

picoseconds completion_in_closed_form(const path_stages& stages, bytes transfer,
                                      const unloaded_delays& delays) {
    // The longest way through the grid of (segment, stage) services that goes only to the next segment or
    // to the next stage. The full segments are equal, so with n of them a way that leaves the last full
    // segment at stage j has served them for sum(1..j) + (n - 1) x max(1..j); from j on follows the rest.
    const segmentation s = segments_of(transfer, delays);
    picoseconds delays_on_path = delays.stack_out + delays.stack_in;
    picoseconds rest{0};
    for (const path_stage& stage : stages) {
        delays_on_path += stage.delay_after;
        rest += service(stage, s.last, delays);
    }
    if (s.full == 0) {
        return delays_on_path + rest;
    }
    picoseconds longest{0};
    picoseconds sum{0};
    picoseconds slowest{0};
    for (const path_stage& stage : stages) {
        const picoseconds full = service(stage, delays.segment_payload, delays);
        sum += full;
        slowest = std::max(slowest, full);
        longest = std::max(longest, sum + slowest * (s.full - 1) + rest);
        rest -= service(stage, s.last, delays);
    }
    return delays_on_path + longest;
}

picoseconds ideal_completion(const path_stages& stages, bytes transfer, const unloaded_delays& delays) {
    return segments_of(transfer, delays).full < recursion_segments
               ? completion_by_recursion(stages, transfer, delays)
               : completion_in_closed_form(stages, transfer, delays);
}

path_stages unloaded_paths::stages(host_id src, host_id dst) {
    std::vector<unsigned>& ports = m_ports_to[m_fabric.edge_switch(dst)];
    if (ports.empty()) {
        ports = quickest_ports(m_fabric, m_all_up, m_fabric.edge_switch(dst), m_delays);
    }
    return stages_of(m_fabric, path_along(m_fabric, ports, src, dst), m_delays);
}

}  // namespace weir
