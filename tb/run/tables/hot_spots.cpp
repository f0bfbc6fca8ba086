#include "tb/run/tables/hot_spots.h"

#include <algorithm>
#include <set>

#include "tb/run/samples/json_values.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

/// Switches that a link leads to, by switch.
std::vector<std::set<switch_id>> neighbours_of(const topology& plan) {
    std::vector<std::set<switch_id>> all(plan.switches());
    for (const topology_link& link : plan.links()) {
        if (!link.a.node.is_host() && !link.b.node.is_host()) {
            all[link.a.node.index].insert(link.b.node.index);
            all[link.b.node.index].insert(link.a.node.index);
        }
    }
    return all;
}

/// Switches within two links of `s`, without itself.
std::set<switch_id> within_two_hops(const std::vector<std::set<switch_id>>& neighbours, switch_id s) {
    std::set<switch_id> all = neighbours[s];
    for (const switch_id next : neighbours[s]) {
        all.insert(neighbours[next].begin(), neighbours[next].end());
    }
    all.erase(s);
    return all;
}

/// Free egress memory of these switches at one sample, each of whose ports has `size`. Unit: %.
double free_percent(const topology& plan, const std::set<switch_id>& switches,
                    const std::vector<fill_sample>& fills, std::uint64_t size) {
    std::uint64_t free_bytes = 0;
    std::uint64_t size_bytes = 0;
    for (const switch_id s : switches) {
        const unsigned ports = plan.port_count(s);
        for (unsigned port = 0; port < ports; ++port) {
            const std::uint32_t fill = fill_of(fills, plan.node_index(node_ref::of_switch(s)), ports + port);
            size_bytes += size;
            free_bytes += size - std::min<std::uint64_t>(size, fill);
        }
    }
    return size_bytes > 0 ? 100 * static_cast<double>(free_bytes) / static_cast<double>(size_bytes) : 0;
}

}  // namespace

std::vector<busy_links_row> find_busy_links(const limit_timeline& timeline,
                                            const std::vector<resource_use>& all, double threshold) {
    std::vector<busy_links_row> rows;
    for (std::size_t k = 0; k < timeline.intervals(); ++k) {
        busy_links_row row{timeline.start_of(k), timeline.end_of(k)};
        for (std::size_t i = 0; i < all.size(); ++i) {
            const std::uint64_t busy = timeline.load(k, i).busy_percent >= 100 * threshold ? 1 : 0;
            if (all[i].kind == resource_kind::link) {
                ++row.switch_links;
                row.busy_switch_links += busy;
            } else if (all[i].kind == resource_kind::host_link) {
                ++row.host_links;
                row.busy_host_links += busy;
            }
        }
        rows.push_back(row);
    }
    return rows;
}

ordered_json summary_of(const std::vector<busy_links_row>& rows) {
    double sum = 0;
    double most = 0;
    double time = 0;
    for (const busy_links_row& row : rows) {
        const double share = 100 * static_cast<double>(row.busy_switch_links + row.busy_host_links) /
                             static_cast<double>(std::max<std::uint64_t>(1, row.switch_links + row.host_links));
        const auto length = static_cast<double>((row.end - row.start).count());
        sum += share * length;
        time += length;
        most = std::max(most, share);
    }
    return {{"mean_percent", if_there(time > 0, with_decimals(sum / time))},
            {"max_percent", if_there(time > 0, with_decimals(most))}};
}

std::vector<full_queue> find_full_queues(const topology& plan, const fabric_samples& samples,
                                         const switch_config& device, const time_window& window) {
    std::vector<full_queue> full;
    const std::vector<std::set<switch_id>> neighbours = neighbours_of(plan);
    const auto size = static_cast<std::uint64_t>(device.egress_buffer.count());
    const auto full_from = static_cast<std::uint64_t>((device.egress_buffer - device.max_frame).count());
    samples.fills.for_each(
        samples.times_in(window), [&](picoseconds time, const std::vector<fill_sample>& fills) {
            for (const fill_sample& each : fills) {
                const node_ref n = plan.node_at(each.node);
                const unsigned ports = n.is_host() ? 0 : plan.port_count(n.index);
                if (n.is_host() || each.column < ports || each.fill <= full_from) {
                    continue;
                }
                const std::set<switch_id>& one_hop = neighbours[n.index];
                const std::set<switch_id> two_hops = within_two_hops(neighbours, n.index);
                const auto count = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
                full.push_back({time, plan.name(n), each.column - ports, each.fill, count(one_hop),
                                free_percent(plan, one_hop, fills, size), count(two_hops),
                                free_percent(plan, two_hops, fills, size)});
            }
        });
    return full;
}

ordered_json summary_of(const std::vector<full_queue>& full) {
    double one_hop = 0;
    double two_hops = 0;
    for (const full_queue& queue : full) {
        one_hop += queue.one_hop_percent;
        two_hops += queue.two_hop_percent;
    }
    const auto count = static_cast<double>(full.size());
    return {{"samples", full.size()},
            {"free_1_hop_percent", if_there(count > 0, with_decimals(one_hop / count))},
            {"free_2_hops_percent", if_there(count > 0, with_decimals(two_hops / count))}};
}

}  // namespace weir::tb
