#include "tb/results/sample_tables.h"

#include <algorithm>
#include <limits>
#include <map>

#include "tb/record/record_table.h"
#include "tb/results/fabric_totals.h"
#include "tb/text/name_pattern.h"

namespace weir::tb {

namespace {

struct fill_column {
    std::uint32_t largest;
    const sampled_node* node;
    std::uint32_t index;

    bool is_ingress() const { return node->samples->columns() > 1 && index < node->samples->columns() / 2; }
    std::uint32_t port() const {
        return is_ingress() || node->samples->columns() == 1 ? index : index - node->samples->columns() / 2;
    }
};

/// What a tier's nodes have together, from one sample to the next.
struct tier_sample {
    picoseconds paused{0};
    std::uint64_t xoff_sent = 0;
    std::uint64_t transmitters = 0;
    std::uint64_t pfc_frames_sent = 0;

    void add(const pause_sample& before, const pause_sample& after, std::uint32_t ports, class_mask classes) {
        transmitters += ports * static_cast<std::uint64_t>(__builtin_popcount(classes));
        if (&before == &after) {
            return;  // no pause up to now
        }
        for (unsigned c = 0; c < pfc_classes; ++c) {
            if ((classes >> c & 1) != 0) {
                paused += after.paused_time[c] - before.paused_time[c];
                xoff_sent += after.xoff_sent[c] - before.xoff_sent[c];
            }
        }
        pfc_frames_sent += after.pfc_frames_sent - before.pfc_frames_sent;
    }
};

/// A node's, for another rank.
struct sent_samples {
    std::uint32_t index = 0;
    std::uint32_t ports = 0;
    occupancy_sampler samples;

    template <class Octets>
    void fields(Octets& o) {
        o(index, ports, samples);
    }
};

/// Samples that all nodes have; they have the same times.
std::size_t common_samples(const std::vector<sampled_node>& nodes) {
    std::size_t count = nodes.empty() ? 0 : std::numeric_limits<std::size_t>::max();
    for (const sampled_node& n : nodes) {
        count = std::min(count, n.samples->size());
    }
    return count;
}

// Switch ports that held anything, the fullest first: half of the table's for each side.
std::vector<fill_column> busiest(const std::vector<sampled_node>& nodes, std::size_t count,
                                 const time_window& window) {
    std::vector<fill_column> ingress;
    std::vector<fill_column> egress;
    for (const sampled_node& n : nodes) {
        for (std::uint32_t c = 0; n.is_switch() && c < n.samples->columns(); ++c) {
            std::uint32_t largest = 0;
            for (std::size_t i = 0; i < count; ++i) {
                if (window.holds(n.samples->time(i))) {
                    largest = std::max(largest, n.samples->fill(i, c));
                }
            }
            const fill_column found{largest, &n, c};
            if (largest > 0) {
                (found.is_ingress() ? ingress : egress).push_back(found);
            }
        }
    }
    for (std::vector<fill_column>* side : {&ingress, &egress}) {
        std::stable_sort(side->begin(), side->end(),
                         [](const fill_column& a, const fill_column& b) { return a.largest > b.largest; });
        side->resize(std::min(side->size(), busiest_ports / 2));
    }
    ingress.insert(ingress.end(), egress.begin(), egress.end());
    return ingress;
}

std::vector<fill_column> ports_of(const std::vector<sampled_node>& nodes,
                                  const std::vector<std::string>& names) {
    std::vector<fill_column> columns;
    for (const sampled_node& n : nodes) {
        const bool is_named = std::any_of(names.begin(), names.end(),
                                          [&](const std::string& name) { return fits_pattern(name, n.name); });
        for (std::uint32_t c = 0; is_named && c < n.samples->columns(); ++c) {
            columns.push_back({0, &n, c});
        }
    }
    return columns;
}

}  // namespace

void start_samples(fabric& made, picoseconds interval) {
    const std::vector<node*>& nodes = made.engine().members();
    std::uint64_t bytes_per_sample = nodes.size() * (sizeof(picoseconds) + sizeof(pause_sample));
    for (const node* n : nodes) {
        bytes_per_sample += 2 * n->ports() * sizeof(std::uint32_t);
    }
    const std::uint64_t of_all = summed(made.team(), bytes_per_sample);
    const std::uint64_t affordable = sample_memory / std::max<std::uint64_t>(of_all, 1);
    const auto capacity = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(affordable, 64, most_samples));
    made.sample_every(interval, capacity & ~3U);
}

std::vector<sampled_node> sampled_nodes(fabric& made) {
    const topology& plan = made.plan();
    std::vector<sampled_node> nodes;
    const auto add = [&](std::uint32_t index, std::uint32_t ports,
                         std::shared_ptr<const occupancy_sampler> samples) {
        const node_ref n = plan.node_at(index);
        nodes.push_back({plan.name(n), tier_name(plan, n), std::move(samples), ports});
    };
    if (made.team().is_alone()) {
        for (const node* n : made.engine().members()) {
            add(n->index(), n->ports(), {std::shared_ptr<void>(), &n->samples()});  // the node's own
        }
        return nodes;
    }
    std::vector<sent_samples> own;
    for (const node* n : made.engine().members()) {
        own.push_back({n->index(), n->ports(), n->samples()});
    }
    std::vector<sent_samples> all = gathered(made.team(), std::move(own));
    std::sort(all.begin(), all.end(),
              [](const sent_samples& a, const sent_samples& b) { return a.index < b.index; });
    for (sent_samples& each : all) {
        add(each.index, each.ports, std::make_shared<const occupancy_sampler>(std::move(each.samples)));
    }
    return nodes;
}

std::vector<picoseconds> sample_times(const std::vector<sampled_node>& nodes, const time_window& window) {
    std::vector<picoseconds> times;
    for (std::size_t i = 0; i < common_samples(nodes); ++i) {
        if (window.holds(nodes[0].samples->time(i))) {
            times.push_back(nodes[0].samples->time(i));
        }
    }
    return times;
}

bool has_sample(const std::vector<sampled_node>& nodes, const time_window& window) {
    if (nodes.empty()) {
        return false;
    }
    // All nodes have samples at the same times.
    const occupancy_sampler& samples = *nodes.front().samples;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (window.holds(samples.time(i))) {
            return true;
        }
    }
    return false;
}

void write_occupancy(output_file file, const std::vector<sampled_node>& nodes,
                     const std::vector<std::string>& names, const time_window& window) {
    record_table<occupancy_row> table(std::move(file));
    const std::size_t count = common_samples(nodes);
    const std::vector<fill_column> columns =
        names.empty() ? busiest(nodes, count, window) : ports_of(nodes, names);
    for (std::size_t i = 0; i < count; ++i) {
        const picoseconds time = nodes[0].samples->time(i);
        for (std::size_t c = 0; window.holds(time) && c < columns.size(); ++c) {
            const fill_column& at = columns[c];
            table.write({time, at.node->name, at.port(),
                         at.is_ingress() ? port_side::ingress : port_side::egress,
                         at.node->samples->fill(i, at.index)});
        }
    }
    table.finish();
}

void write_pauses(output_file file, const std::vector<sampled_node>& nodes, class_mask classes,
                  const time_window& window) {
    record_table<pause_sample_row> table(std::move(file));
    const std::size_t count = common_samples(nodes);
    std::map<std::string, tier_sample> tiers;
    std::vector<tier_sample*> tier_of;
    for (const sampled_node& n : nodes) {
        tier_of.push_back(&tiers[n.tier]);
    }
    for (std::size_t i = 1; i < count; ++i) {
        const picoseconds time = nodes[0].samples->time(i);
        if (!window.holds(time)) {
            continue;
        }
        for (auto& [name, tier] : tiers) {
            tier = {};
        }
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            const occupancy_sampler& samples = *nodes[n].samples;
            tier_of[n]->add(samples.pauses(i - 1), samples.pauses(i), nodes[n].ports, classes);
        }
        for (const auto& [name, tier] : tiers) {
            table.write({time, name, tier.paused, tier.xoff_sent, tier.transmitters, tier.pfc_frames_sent});
        }
    }
    table.finish();
}

}  // namespace weir::tb
