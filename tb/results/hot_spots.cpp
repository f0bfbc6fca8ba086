#include "tb/results/hot_spots.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "tb/record/record_table.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

ordered_json rounded_percent(double percent) {
    return std::round(percent * 1e4) / 1e4;
}

struct busy_count {
    std::uint64_t all = 0;
    std::uint64_t busy = 0;

    void add(bool is_busy) {
        ++all;
        busy += is_busy ? 1 : 0;
    }
};

/// Of switches and of hosts.
std::pair<busy_count, busy_count> count_busy(const limit_timeline& timeline, std::size_t interval,
                                             const std::vector<resource_use>& all, double threshold) {
    std::pair<busy_count, busy_count> counts;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].kind == resource_kind::link || all[i].kind == resource_kind::host_link) {
            const bool is_busy = timeline.load(interval, i).busy_percent >= 100 * threshold;
            (all[i].kind == resource_kind::link ? counts.first : counts.second).add(is_busy);
        }
    }
    return counts;
}

/// Switches one and two hops from each switch, without itself.
class neighbourhood {
 public:
    explicit neighbourhood(const topology& plan) : m_adjacent(plan.switches()) {
        for (const topology_link& link : plan.links()) {
            if (!link.a.node.is_host() && !link.b.node.is_host()) {
                m_adjacent[link.a.node.index].push_back(link.b.node.index);
                m_adjacent[link.b.node.index].push_back(link.a.node.index);
            }
        }
        for (std::vector<switch_id>& list : m_adjacent) {
            make_set(list);
        }
    }

    const std::vector<switch_id>& one_hop(switch_id s) const { return m_adjacent[s]; }
    std::vector<switch_id> two_hops(switch_id s) const {
        std::vector<switch_id> all = m_adjacent[s];
        for (const switch_id next : m_adjacent[s]) {
            std::copy_if(m_adjacent[next].begin(), m_adjacent[next].end(), std::back_inserter(all),
                         [s](switch_id other) { return other != s; });
        }
        make_set(all);
        return all;
    }

 private:
    static void make_set(std::vector<switch_id>& list) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    std::vector<std::vector<switch_id>> m_adjacent;
};

/// Egress fills of switches at one sample.
struct free_memory {
    std::uint32_t switches = 0;
    std::uint64_t free_bytes = 0;
    std::uint64_t size_bytes = 0;

    double percent() const {
        return size_bytes > 0 ? 100 * static_cast<double>(free_bytes) / static_cast<double>(size_bytes) : 0;
    }
};

class egress_fills {
 public:
    /// `switches`: the first one, of all.
    egress_fills(const sampled_node* switches, bytes egress_buffer)
        : m_switches(switches), m_size(static_cast<std::uint64_t>(egress_buffer.count())) {}

    std::uint32_t ports(switch_id s) const { return m_switches[s].ports; }
    std::uint32_t at(switch_id s, std::uint32_t port, std::size_t sample) const {
        const occupancy_sampler& samples = *m_switches[s].samples;
        return samples.fill(sample, samples.columns() / 2 + port);
    }
    free_memory free_in(const std::vector<switch_id>& switches, std::size_t sample) const {
        free_memory found;
        for (const switch_id s : switches) {
            ++found.switches;
            for (std::uint32_t port = 0; port < ports(s); ++port) {
                found.size_bytes += m_size;
                found.free_bytes += m_size - std::min<std::uint64_t>(m_size, at(s, port, sample));
            }
        }
        return found;
    }

 private:
    const sampled_node* m_switches;
    std::uint64_t m_size;
};

}  // namespace

void write_busy_links(output_file file, const limit_timeline& timeline, const std::vector<resource_use>& all,
                      double threshold) {
    record_table<busy_links_row> table(std::move(file));
    for (std::size_t k = 0; k < timeline.intervals(); ++k) {
        const auto [of_switches, of_hosts] = count_busy(timeline, k, all, threshold);
        table.write({timeline.start_of(k), timeline.end_of(k), of_switches.all, of_switches.busy, of_hosts.all,
                     of_hosts.busy});
    }
    table.finish();
}

ordered_json summary_of_busy_links(const limit_timeline& timeline, const std::vector<resource_use>& all,
                                   double threshold) {
    double sum = 0;
    double most = 0;
    double time = 0;
    for (std::size_t k = 0; k < timeline.intervals(); ++k) {
        const auto [of_switches, of_hosts] = count_busy(timeline, k, all, threshold);
        const double share = 100 * static_cast<double>(of_switches.busy + of_hosts.busy) /
                             static_cast<double>(std::max<std::uint64_t>(1, of_switches.all + of_hosts.all));
        const auto length = static_cast<double>((timeline.end_of(k) - timeline.start_of(k)).count());
        sum += share * length;
        time += length;
        most = std::max(most, share);
    }
    ordered_json j;
    j["mean_percent"] = time > 0 ? rounded_percent(sum / time) : ordered_json(nullptr);
    j["max_percent"] = time > 0 ? rounded_percent(most) : ordered_json(nullptr);
    return j;
}

std::vector<full_queue> find_full_queues(const topology& plan, const std::vector<sampled_node>& samples,
                                         const switch_config& device, const time_window& window) {
    std::vector<full_queue> full;
    if (plan.switches() == 0 || samples.size() < plan.switches()) {
        return full;
    }
    const sampled_node* const switches = samples.data() + (samples.size() - plan.switches());
    const neighbourhood near(plan);
    const egress_fills fills(switches, device.egress_buffer);
    const auto full_from = static_cast<std::uint64_t>((device.egress_buffer - device.max_frame).count());
    for (std::size_t i = 0; i < switches->samples->size(); ++i) {
        const picoseconds time = switches->samples->time(i);
        for (switch_id s = 0; window.holds(time) && s < plan.switches(); ++s) {
            for (std::uint32_t port = 0; port < fills.ports(s); ++port) {
                const std::uint32_t fill = fills.at(s, port, i);
                if (fill > full_from) {
                    const free_memory one_hop = fills.free_in(near.one_hop(s), i);
                    const free_memory two_hops = fills.free_in(near.two_hops(s), i);
                    full.push_back({time, plan.name(node_ref::of_switch(s)), port, fill, one_hop.switches,
                                    one_hop.percent(), two_hops.switches, two_hops.percent()});
                }
            }
        }
    }
    return full;
}

void write_full_queues(output_file file, const std::vector<full_queue>& full) {
    record_table<full_queue> table(std::move(file));
    for (const full_queue& queue : full) {
        table.write(queue);
    }
    table.finish();
}

ordered_json summary_of(const std::vector<full_queue>& full) {
    double one_hop = 0;
    double two_hops = 0;
    for (const full_queue& queue : full) {
        one_hop += queue.one_hop_percent;
        two_hops += queue.two_hop_percent;
    }
    const auto count = static_cast<double>(full.size());
    ordered_json j;
    j["samples"] = full.size();
    j["free_1_hop_percent"] = full.empty() ? ordered_json(nullptr) : rounded_percent(one_hop / count);
    j["free_2_hops_percent"] = full.empty() ? ordered_json(nullptr) : rounded_percent(two_hops / count);
    return j;
}

}  // namespace weir::tb
