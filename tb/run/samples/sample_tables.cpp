#include "tb/run/samples/sample_tables.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "tb/run/samples/fabric_totals.h"
#include "tb/support/record/record_table.h"
#include "tb/support/text/name_pattern.h"

namespace weir::tb {

namespace {

/// Memory that a node's time and pauses take at most, and a port's fills. Unit: B.
constexpr std::uint64_t bytes_of_node = 144;
constexpr std::uint64_t bytes_of_port = 8;

struct fill_column {
    std::uint32_t largest;
    const sampled_node* node;
    std::uint32_t index;

    bool is_ingress() const { return node->is_switch && index < node->ports; }
    std::uint32_t port() const { return index % node->ports; }
};

/// Pauses of a tier up to one time, of the classes that count.
struct tier_pauses {
    std::uint64_t paused = 0;
    std::uint64_t xoff_sent = 0;
    std::uint64_t frames_sent = 0;

    void add(const tier_sample& sample, class_mask classes, picoseconds now) {
        for (unsigned c = 0; c < pfc_classes; ++c) {
            if ((classes >> c & 1) != 0) {
                paused += sample.paused_time(c, now);
                xoff_sent += sample.xoff_sent[c];
            }
        }
        frames_sent += sample.frames_sent;
    }
};

// Switch ports that held anything, the fullest first: half of the table's for each side.
std::vector<fill_column> busiest(const fabric_samples& samples, const std::vector<picoseconds>& times) {
    // Largest fill of each memory, by node and column.
    std::vector<std::vector<std::uint32_t>> largest;
    for (const sampled_node& node : samples.nodes) {
        largest.resize(node.index + std::size_t{1});
        largest[node.index].resize(2 * node.ports);
    }
    samples.fills.for_each(times, [&](picoseconds, const std::vector<fill_sample>& fills) {
        for (const fill_sample& each : fills) {
            std::uint32_t& most = largest[each.node][each.column];
            most = std::max(most, each.fill);
        }
    });
    std::vector<fill_column> sides[2];
    for (const sampled_node& node : samples.nodes) {
        for (std::uint32_t column = 0; node.is_switch && column < 2 * node.ports; ++column) {
            const fill_column found{largest[node.index][column], &node, column};
            if (found.largest > 0) {
                sides[found.is_ingress() ? 0 : 1].push_back(found);
            }
        }
    }
    for (std::vector<fill_column>& side : sides) {
        std::stable_sort(side.begin(), side.end(),
                         [](const fill_column& a, const fill_column& b) { return a.largest > b.largest; });
        side.resize(std::min(side.size(), busiest_ports / 2));
    }
    sides[0].insert(sides[0].end(), sides[1].begin(), sides[1].end());
    return std::move(sides[0]);
}

std::vector<fill_column> ports_of(const std::vector<sampled_node>& nodes,
                                  const std::vector<std::string>& names) {
    std::vector<fill_column> columns;
    for (const sampled_node& n : nodes) {
        const bool is_named = std::any_of(names.begin(), names.end(),
                                          [&](const std::string& name) { return fits_pattern(name, n.name); });
        for (std::uint32_t c = 0; is_named && c < (n.is_switch ? 2 * n.ports : 1); ++c) {
            columns.push_back({0, &n, c});
        }
    }
    return columns;
}

}  // namespace

void tier_sample::add(const mac_port& mac, picoseconds now) {
    const pause_request_stats& sent = mac.requests.stats();
    if (mac.timers.stats().frames_received == 0 && sent.frames_sent == 0) {
        return;
    }
    pause_timers timers = mac.timers;
    timers.settle(now);
    for (unsigned c = 0; c < pfc_classes; ++c) {
        const std::uint64_t is_paused = timers.paused(now) >> c & 1;
        paused_now[c] += is_paused;
        paused_then[c] += static_cast<std::uint64_t>(timers.stats().paused_time[c].count()) -
                          is_paused * static_cast<std::uint64_t>(now.count());
        xoff_sent[c] += sent.xoff_sent[c];
    }
    frames_sent += sent.frames_sent;
}

void drop_sample::add(const drop_counts& more, std::uint64_t more_unsent) {
    std::transform(lost.begin(), lost.end(), more.begin(), lost.begin(), std::plus<>());
    unsent += more_unsent;
}

std::vector<picoseconds> fabric_samples::times_in(const time_window& window) const {
    std::vector<picoseconds> found;
    std::copy_if(times.begin(), times.end(), std::back_inserter(found),
                 [&](picoseconds time) { return window.holds(time); });
    return found;
}

std::uint32_t fill_of(const std::vector<fill_sample>& fills, std::uint32_t node, std::uint32_t column) {
    const fill_sample wanted{node, column, 0};
    const auto at =
        std::lower_bound(fills.begin(), fills.end(), wanted,
                         [](const fill_sample& a, const fill_sample& b) { return a.values() < b.values(); });
    return at != fills.end() && at->node == node && at->column == column ? at->fill : 0;
}

void fabric_sampler::start(picoseconds interval, bool counts_drops) {
    m_counts_drops = counts_drops;
    std::map<std::string, std::size_t> places;
    std::uint64_t bytes_per_sample = 0;
    for (const node* n : m_made.engine().members()) {
        const auto [tier, is_new] =
            places.emplace(tier_name(m_made.plan(), m_made.plan().node_at(n->index())), m_tiers.size());
        if (is_new) {
            m_tiers.push_back(n->index());
        }
        m_tier_of.push_back(tier->second);
        bytes_per_sample += bytes_of_node + bytes_of_port * n->ports();
    }
    const std::uint64_t of_all = summed(m_made.team(), bytes_per_sample);
    const std::uint64_t affordable = sample_memory / std::max<std::uint64_t>(of_all, 1);
    m_capacity = std::clamp<std::uint64_t>(affordable, 64, most_samples) & ~3U;
    m_interval = interval;
    m_series.watch(
        interval, [this](picoseconds now) { return samples_at(now); }, m_capacity);
}

fabric_sampler::samples::rows fabric_sampler::samples_at(picoseconds now) {
    samples::rows taken;
    auto& [fills, tiers, drops] = taken;
    const std::vector<node*>& members = m_made.engine().members();
    if (m_counts_drops) {
        std::for_each(members.begin(), members.end(), [now](node* each) { each->settle(now); });
        drops = drops_now();
    }
    tiers.resize(m_tiers.size());
    for (std::size_t i = 0; i < tiers.size(); ++i) {
        tiers[i].node = m_tiers[i];
    }
    fills.reserve(m_fills);
    for (std::size_t i = 0; i < members.size(); ++i) {
        const std::uint32_t index = members[i]->index();
        const node_ref n = m_made.plan().node_at(index);
        tier_sample& tier = tiers[m_tier_of[i]];
        const auto add = [&, fills = &fills](unsigned column, bytes fill) {
            if (fill > bytes{0}) {
                fills->push_back({index, column, static_cast<std::uint32_t>(fill.count())});
            }
        };
        if (n.is_host()) {
            const host_node& host = *m_made.host(n.index);
            add(0, host.nic_meter().current());
            tier.add(host.mac(), now);
            continue;
        }
        switch_node& device = m_made.device(n.index);
        device.catch_up(now);
        for (unsigned port = 0; port < device.ports(); ++port) {
            add(port, device.ingress_memory().occupancy(port));
        }
        for (unsigned port = 0; port < device.ports(); ++port) {
            add(device.ports() + port, device.egress_memory().occupancy(port));
            tier.add(device.mac(port), now);
        }
    }
    m_fills = fills.size();
    return taken;
}

std::vector<drop_sample> fabric_sampler::drops_now() const {
    std::vector<drop_sample> tiers;
    for (const std::uint32_t node : m_tiers) {
        tiers.push_back({node});
    }
    const std::vector<node*>& members = m_made.engine().members();
    for (std::size_t i = 0; i < members.size(); ++i) {
        const node_ref n = m_made.plan().node_at(members[i]->index());
        if (n.is_host()) {
            const host_node& host = *m_made.host(n.index);
            tiers[m_tier_of[i]].add(drops_of(host), host.stats().unsent);
        } else {
            tiers[m_tier_of[i]].add(m_made.device(n.index).stats().drops, 0);
        }
    }
    return tiers;
}

std::vector<picoseconds> sample_times(picoseconds interval, std::size_t capacity, picoseconds last) {
    while (last / interval + 1 >= static_cast<std::int64_t>(capacity / 2)) {
        interval *= 2;
    }
    std::vector<picoseconds> times;
    for (picoseconds time{0}; time <= last; time += interval) {
        times.push_back(time);
    }
    return times;
}

fabric_samples fabric_sampler::samples_until(picoseconds end) const {
    fabric_samples all{m_series.of<fill_sample>(), m_series.of<tier_sample>(), m_series.of<drop_sample>()};
    if (!m_series.is_on()) {
        return all;
    }
    const topology& plan = m_made.plan();
    std::vector<std::pair<std::uint32_t, std::uint32_t>> own;
    for (const node* n : m_made.engine().members()) {
        own.emplace_back(n->index(), n->ports());
    }
    own = gathered(m_made.team(), std::move(own));
    std::sort(own.begin(), own.end());
    for (const auto& [index, ports] : own) {
        const node_ref n = plan.node_at(index);
        all.nodes.push_back({plan.name(n), tier_name(plan, n), index, ports, !n.is_host()});
    }
    if (!own.empty()) {
        // At the time that nodes have run to, nothing has happened yet.
        all.times = sample_times(m_interval, m_capacity, std::min(end, m_made.engine().reached() - 1_ps));
    }
    all.at_end = gathered(m_made.team(), drops_now());
    return all;
}

picoseconds fabric_sampler::last_before(picoseconds end) const {
    if (!m_series.is_on() || end <= 0_ps) {
        return 0_ps;
    }
    picoseconds interval = m_interval;
    while ((end - 1_ps) / interval + 1 > static_cast<std::int64_t>(m_capacity)) {
        interval *= 2;
    }
    return (end - 1_ps) / interval * interval;
}

void write_occupancy(output_file file, const fabric_samples& samples, const std::vector<std::string>& names,
                     const time_window& window) {
    record_table<occupancy_row> table(std::move(file));
    const std::vector<picoseconds> times = samples.times_in(window);
    const std::vector<fill_column> columns =
        names.empty() ? busiest(samples, times) : ports_of(samples.nodes, names);
    samples.fills.for_each(times, [&](picoseconds time, const std::vector<fill_sample>& fills) {
        for (const fill_column& at : columns) {
            table.write({time, at.node->name, at.port(),
                         at.is_ingress() ? port_side::ingress : port_side::egress,
                         fill_of(fills, at.node->index, at.index)});
        }
    });
    table.finish();
}

void write_pauses(output_file file, const fabric_samples& samples, class_mask classes,
                  const time_window& window) {
    record_table<pause_sample_row> table(std::move(file));
    std::map<std::uint32_t, std::string> tiers;
    std::map<std::string, std::uint64_t> transmitters;
    for (const sampled_node& n : samples.nodes) {
        tiers[n.index] = n.tier;
        transmitters[n.tier] += n.ports * static_cast<std::uint64_t>(__builtin_popcount(classes));
    }
    std::map<std::string, tier_pauses> before;
    samples.pauses.for_each(samples.times, [&](picoseconds time, const std::vector<tier_sample>& rows) {
        std::map<std::string, tier_pauses> now;
        for (const tier_sample& each : rows) {
            now[tiers[each.node]].add(each, classes, time);
        }
        for (const auto& [tier, count] : transmitters) {
            const tier_pauses& from = before[tier];
            const tier_pauses& to = now[tier];
            if (time > 0_ps && window.holds(time)) {
                table.write({time, tier, picoseconds{static_cast<std::int64_t>(to.paused - from.paused)},
                             to.xoff_sent - from.xoff_sent, count, to.frames_sent - from.frames_sent});
            }
        }
        before = std::move(now);
    });
    table.finish();
}

void write_drops(output_file file, const fabric_samples& samples, const std::vector<drop_reason>& reasons,
                 const time_window& window, picoseconds end) {
    record_table<drop_sample_row> table(std::move(file), {{}, {}, {&reasons}});
    std::map<std::uint32_t, std::string_view> tiers;
    std::map<std::string_view, drop_sample> before;
    for (const sampled_node& n : samples.nodes) {
        before[tiers[n.index] = n.tier];
    }
    const auto put = [&](picoseconds time, const std::vector<drop_sample>& rows) {
        std::map<std::string_view, drop_sample> now;
        for (const drop_sample& each : rows) {
            now[tiers[each.node]].add(each.lost, each.unsent);
        }
        for (auto& [tier, from] : before) {
            const drop_sample& to = now[tier];
            drop_counts lost{};
            std::transform(to.lost.begin(), to.lost.end(), from.lost.begin(), lost.begin(), std::minus<>());
            if (time > 0_ps && window.holds(time)) {
                table.write({time, tier, {&reasons, lost.data()}, to.unsent - from.unsent});
            }
            from = to;
        }
    };
    samples.drops.for_each(samples.times_in({0_ps, end - 1_ps}), put);
    put(end, samples.at_end);
    table.finish();
}

}  // namespace weir::tb
