#include "weir/traffic/apps/workload_plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "weir/traffic/apps/workloads.h"
#include "weir/traffic/sizes/known_size_distributions.h"

namespace weir::traffic {

namespace {

/// In place of a host's number, for what is drawn once for the whole fabric.
constexpr std::uint32_t whole_fabric = ~std::uint32_t{0};

void shuffle(std::vector<host_id>& hosts, random_stream& chance) {
    for (auto i = static_cast<std::uint32_t>(hosts.size()); i > 1; --i) {
        std::swap(hosts[i - 1], hosts[chance.below(i)]);
    }
}

constexpr std::size_t tag_numbers = 256;

/// Tags of everything but background flows, which have the next number.
std::size_t main_tags(const workload_config& config, const workload_inputs& inputs) {
    const std::size_t tags = workloads()[config.kind].tags.size();
    return config.kind == workload_kind::trace ? std::max(inputs.trace_tags, tags) : tags;
}

std::vector<host_id> all_hosts(host_id hosts) {
    std::vector<host_id> all(hosts);
    std::iota(all.begin(), all.end(), host_id{0});
    return all;
}

}  // namespace

config_errors check_inputs(const workload_config& config, const workload_inputs& inputs) {
    range_check check("traffic");
    if (config.background_flows > 0 && main_tags(config, inputs) >= tag_numbers) {
        check.fail("background_flows",
                   out_of_range(field_text(config.background_flows),
                                "0 with a trace of " + std::to_string(inputs.trace_tags) +
                                    " tags, which leaves no tag number for background flows"));
    }
    if (config.distribution == "file" && !inputs.sizes) {
        check.fail("distribution", "'file' has no distribution; expected one that has been read");
    }
    return check.take();
}

workload_plan::workload_plan(const workload_config& config, host_id hosts, std::uint64_t seed,
                             workload_inputs inputs)
    : m_config(config),
      m_inputs(std::move(inputs)),
      m_hosts(hosts),
      m_seed(seed),
      m_background_tag(static_cast<std::uint8_t>(main_tags(config, m_inputs))) {
    if (const auto known = find_named<known_sizes>(config.distribution)) {
        m_inputs.sizes = std::make_shared<const size_distribution>(make_size_distribution(*known));
    } else if (config.distribution.empty()) {
        m_inputs.sizes.reset();
    }
    if (config.effective_split() != server_split::everyone) {
        split_servers();
    }
    if (workloads()[config.kind].has_partners) {
        draw_partners();
    }
}

void workload_plan::split_servers() {
    const double wanted = std::round(m_config.front_end_fraction * m_hosts);
    const std::uint64_t fronts = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(wanted), 1, m_hosts - 1);
    m_front_end.assign(m_hosts, false);
    std::vector<host_id> order = all_hosts(m_hosts);
    if (m_config.effective_split() == server_split::random) {
        random_stream chance = stream(whole_fabric, random_purpose::destinations);
        shuffle(order, chance);
    }
    // Of `fronts` evenly spread steps over all hosts, those hosts at which a step begins.
    const auto steps_before = [&](std::uint64_t host) { return (host * fronts + m_hosts - 1) / m_hosts; };
    for (host_id i = 0; i < m_hosts; ++i) {
        const bool spread = m_config.effective_split() == server_split::alternate;
        m_front_end[order[i]] = spread ? steps_before(i + std::uint64_t{1}) > steps_before(i) : i < fronts;
    }
    for (host_id host = 0; host < m_hosts; ++host) {
        if (!m_front_end[host]) {
            m_back_ends.push_back(host);
        }
    }
}

void workload_plan::draw_partners() {
    // A permutation without fixed points, each with the same chance: draw until there is none (e tries on
    // average). Drawing only cyclic ones would be faster and leave out most.
    random_stream chance = stream(whole_fabric, random_purpose::destinations);
    bool fixed_point = true;
    while (fixed_point) {
        m_partner = all_hosts(m_hosts);
        shuffle(m_partner, chance);
        fixed_point = false;
        for (host_id host = 0; host < m_hosts; ++host) {
            fixed_point = fixed_point || m_partner[host] == host;
        }
    }
}

bytes workload_plan::draw_flow_size(random_stream& chance) const {
    if (m_inputs.sizes) {
        return m_inputs.sizes->sample(chance);
    }
    return m_config.sizes[chance.below(static_cast<std::uint32_t>(m_config.sizes.size()))];
}

double workload_plan::mean_flow_bytes() const {
    if (m_inputs.sizes) {
        return m_inputs.sizes->mean_sample_bytes();
    }
    double sum = 0;
    for (const bytes size : m_config.sizes) {
        sum += static_cast<double>(size.count());
    }
    return sum / static_cast<double>(m_config.sizes.size());
}

pfc_class workload_plan::draw_priority(random_stream& chance) const {
    return m_config.priorities[chance.below(static_cast<std::uint32_t>(m_config.priorities.size()))];
}

}  // namespace weir::traffic
