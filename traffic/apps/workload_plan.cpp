#include "weir/traffic/apps/workload_plan.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "weir/base/portable_math.h"
#include "weir/base/unit_text.h"
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
    const workload_traits& traits = workloads()[config.kind];
    return traits.reads_trace ? std::max(inputs.trace_tags, traits.tags.size()) : traits.tags.size();
}

std::vector<host_id> all_hosts(host_id hosts) {
    std::vector<host_id> all(hosts);
    std::iota(all.begin(), all.end(), host_id{0});
    return all;
}

}  // namespace

double mean_bytes(const std::vector<bytes>& sizes) {
    const auto sum = std::accumulate(sizes.begin(), sizes.end(), bytes{0});
    return static_cast<double>(sum.count()) / static_cast<double>(sizes.size());
}

destination_set destination_set::of(const std::vector<host_id>& list, host_id self) {
    const auto at = std::lower_bound(list.begin(), list.end(), self);
    const bool is_there = at != list.end() && *at == self;
    const auto size = static_cast<std::uint32_t>(list.size());
    return {&list, is_there ? static_cast<std::uint32_t>(at - list.begin()) : size, size - (is_there ? 1 : 0)};
}

/// Of hosts that stand for all where they are none.
static bool names(const std::vector<host_id>& list, host_id host) {
    return list.empty() || std::binary_search(list.begin(), list.end(), host);
}

/// Of `server_split::named`.
static void check_named_servers(const workload_inputs& inputs, host_id hosts, range_check& check) {
    std::vector<host_id> both;
    std::set_intersection(inputs.sources.begin(), inputs.sources.end(), inputs.destinations.begin(),
                          inputs.destinations.end(), std::back_inserter(both));
    check.refuse(
        !both.empty(), "destinations",
        "name host {}, which is among {traffic.sources} too; expected back ends that are no front ends",
        both.empty() ? 0 : both.front());
    check.refuse(inputs.destinations.empty() && inputs.sources.size() == hosts, "sources",
                 "are all hosts, which leaves no back end; expected fewer, because {traffic.split} = named");
}

static void check_background_places(const workload_config& config, const workload_inputs& inputs,
                                    range_check& check) {
    const bool named = !config.background.sources.empty() || !config.background.destinations.empty();
    check.refuse(named && config.background.to_back_ends, "background_to_back_ends",
                 "'true' says who has background flows, and to whom; expected false with "
                 "{traffic.background_sources} or {traffic.background_destinations}");
    check.refuse(config.background.is_on() && inputs.background_destinations.size() == 1 &&
                     inputs.background_sources == inputs.background_destinations,
                 "background_destinations",
                 "are the one host that is the only source, and cannot send to itself; expected others");
}

static void check_places(const workload_config& config, const workload_inputs& inputs, range_check& check) {
    const bool to_one = inputs.destinations.size() == 1;
    const bool lost = to_one && names(inputs.sources, inputs.destinations[0]);
    if (config.has_requests() && config.effective_split() == server_split::named) {
        check_named_servers(inputs, static_cast<host_id>(inputs.racks.size()), check);
        return;
    }
    check.refuse(lost, "destinations",
                 "are one host, which is a source too and cannot send to itself; expected others, or "
                 "{traffic.sources} without it");
    if (config.offers_load() && config.load_of == load_basis::bisection) {
        check.refuse(inputs.parts.part_of.empty(), "load_of",
                     "'bisection' needs switches above those with hosts, which this fabric does not have; "
                     "expected host_link");
    }
}

config_errors check_inputs(const workload_config& config, const workload_inputs& inputs) {
    range_check check("traffic");
    const auto needs_tag = [&](bool is_there, const char* key, const std::string& value, std::size_t before,
                               const char* what) {
        if (is_there && main_tags(config, inputs) + before >= tag_numbers) {
            check.fail(key, out_of_range(value, "0 with a trace of " + std::to_string(inputs.trace_tags) +
                                                    " tags, which leaves no tag number for " + what));
        }
    };
    const auto [key, value] = config.background.cause();
    needs_tag(config.background.is_on(), key, value, 0, "background flows");
    needs_tag(config.stream.is_on(), "stream_rate", field_text(config.stream.rate),
              config.background.is_on() ? 1 : 0, "the stream");
    if (config.distribution == "file" && !inputs.sizes) {
        check.fail("distribution", "'file' has no distribution; expected one that has been read");
    }
    if (config.background.distribution == "file" && !inputs.background_sizes) {
        check.fail("background_distribution", "'file' has no distribution; expected one that has been read");
    }
    check.refuse(workloads()[config.kind].runs_program && !inputs.schedule, "program",
                 "has no schedule; expected one that has been made or read");
    const double largest =
        config.distribution == "file" && inputs.sizes ? inputs.sizes->points().back().size_bytes : 0;
    const bytes most = workloads()[config.kind].largest_size;
    check.refuse(largest > static_cast<double>(most.count()), "distribution_file",
                 "has sizes of up to {}, which no request can ask for; expected at most {}",
                 to_text(bytes{std::llround(largest)}), to_text(most));
    check_background_places(config, inputs, check);
    check_places(config, inputs, check);
    return check.take();
}

/// `sizes` has what was read from a file.
static void choose_sizes(const std::string& name, std::shared_ptr<const size_distribution>& sizes) {
    if (const auto known = find_named<known_sizes>(name)) {
        sizes = std::make_shared<const size_distribution>(make_size_distribution(*known));
    } else if (name.empty()) {
        sizes.reset();
    }
}

workload_plan::workload_plan(const workload_config& config, host_id hosts, std::uint64_t seed,
                             workload_inputs inputs)
    : m_config(config),
      m_inputs(std::move(inputs)),
      m_hosts(hosts),
      m_seed(seed),
      m_background_tag(static_cast<std::uint8_t>(main_tags(config, m_inputs))),
      m_front_ends(hosts) {
    choose_sizes(config.distribution, m_inputs.sizes);
    choose_sizes(config.background.distribution, m_inputs.background_sizes);
    if (config.effective_split() == server_split::named) {
        name_servers();
    } else if (config.effective_split() != server_split::everyone) {
        split_servers();
    }
    if (workloads()[config.kind].asks_racks) {
        gather_racks();
    }
    if (workloads()[config.kind].has_partners) {
        draw_partners();
    }
    if (m_inputs.schedule) {
        place_ranks();
    }
}

std::uint64_t workload_plan::first_number_beside() const {
    return workloads()[m_config.kind].numbers_itself ? (transfer_fields::job_mask >> 1) + 1 : 0;
}

void workload_plan::place_ranks() {
    m_host_of = all_hosts(m_hosts);
    if (m_config.program.placement == rank_placement::random) {
        random_stream chance = stream(whole_fabric, random_purpose::destinations);
        shuffle(m_host_of, chance);
    }
    m_host_of.resize(schedule().ranks());
    m_rank_on.assign(m_hosts, no_rank);
    for (std::uint32_t rank = 0; rank < m_host_of.size(); ++rank) {
        m_rank_on[m_host_of[rank]] = rank;
    }
}

// Without names, as where `server_split::named` is given to a workload that has no requests: all others.
void workload_plan::name_servers() {
    m_front_end.assign(m_hosts, false);
    for (const host_id host : m_inputs.sources) {
        m_front_end[host] = true;
    }
    m_front_ends = static_cast<std::uint32_t>(m_inputs.sources.size());
    for (host_id host = 0; host < m_hosts; ++host) {
        if (!m_front_end[host] && names(m_inputs.destinations, host)) {
            m_back_ends.push_back(host);
        }
    }
}

void workload_plan::gather_racks() {
    m_rack_of.resize(m_hosts);
    std::map<std::uint32_t, std::vector<host_id>> by_switch;
    for (const host_id host : m_back_ends.empty() ? all_hosts(m_hosts) : m_back_ends) {
        by_switch[m_inputs.racks.empty() ? 0 : m_inputs.racks[host]].push_back(host);
    }
    for (auto& [edge, hosts] : by_switch) {
        for (const host_id host : hosts) {
            m_rack_of[host] = m_racks.size();
        }
        m_racks.push_back(std::move(hosts));
    }
}

void workload_plan::split_servers() {
    const double wanted = std::round(m_config.front_end_fraction * m_hosts);
    const std::uint64_t fronts = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(wanted), 1, m_hosts - 1);
    m_front_ends = static_cast<std::uint32_t>(fronts);
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
    random_stream chance = stream(whole_fabric, random_purpose::destinations);
    if (m_config.partners == partner_rule::pairs) {
        std::vector<host_id> order = all_hosts(m_hosts);
        shuffle(order, chance);
        m_partner = all_hosts(m_hosts);
        for (std::size_t i = 0; i + 1 < order.size(); i += 2) {
            m_partner[order[i]] = order[i + 1];
            m_partner[order[i + 1]] = order[i];
        }
        return;
    }
    // A permutation without fixed points, each with the same chance: draw until there is none (e tries on
    // average). Drawing only cyclic ones would be faster and leave out most.
    bool fixed_point = true;
    while (fixed_point) {
        std::vector<host_id> sources = m_inputs.sources.empty() ? all_hosts(m_hosts) : m_inputs.sources;
        std::vector<host_id> destinations =
            m_inputs.destinations.empty() ? all_hosts(m_hosts) : m_inputs.destinations;
        if (destinations.size() < sources.size()) {
            shuffle(sources, chance);  // so that any of them may share a destination
        }
        shuffle(destinations, chance);
        m_partner = all_hosts(m_hosts);
        fixed_point = false;
        for (std::size_t i = 0; i < sources.size(); ++i) {
            m_partner[sources[i]] = destinations[i % destinations.size()];
            fixed_point = fixed_point || m_partner[sources[i]] == sources[i];
        }
    }
}

bool workload_plan::has_background(host_id self) const {
    const background_config& background = m_config.background;
    return background.is_on() && (!background.to_back_ends || is_front_end(self)) &&
           names(m_inputs.background_sources, self) && background_targets(self).size() > 0;
}

destination_set workload_plan::background_targets(host_id self) const {
    if (m_config.background.to_back_ends) {
        return servers_for(self);
    }
    return m_inputs.background_destinations.empty()
               ? destination_set::all_others(self, m_hosts)
               : destination_set::of(m_inputs.background_destinations, self);
}

bytes workload_plan::draw_background_size(random_stream& chance) const {
    const bytes mean = m_config.background.flow_bytes;
    if (m_inputs.background_sizes) {
        return m_inputs.background_sizes->sample(chance);
    }
    if (!m_config.background.exponential) {
        return mean;
    }
    const double drawn = -log_one_plus(-chance.uniform()) * static_cast<double>(mean.count());
    return std::clamp(bytes{std::llround(drawn)}, 1_B, largest_flow);
}

bool workload_plan::is_source(host_id host) const {
    return names(m_inputs.sources, host);
}

double workload_plan::full_bisection(const std::vector<bool>& sends, const std::vector<bool>& receives) const {
    const fabric_parts& parts = m_inputs.parts;
    struct counts {
        double senders = 0;
        double receivers = 0;
        double both = 0;

        double pairs() const { return senders * receivers - both; }
    };
    counts all;
    std::vector<counts> within(parts.up_rate.size());
    for (host_id host = 0; host < m_hosts; ++host) {
        for (counts* each : {&all, &within[parts.part_of[host]]}) {
            each->senders += sends[host] ? 1 : 0;
            each->receivers += receives[host] ? 1 : 0;
            each->both += sends[host] && receives[host] ? 1 : 0;
        }
    }
    double crossing = all.pairs();
    double up = 0;
    double down = 0;
    for (std::size_t part = 0; part < within.size(); ++part) {
        crossing -= within[part].pairs();
        up += within[part].senders > 0 ? parts.up_rate[part] : 0;
        down += within[part].receivers > 0 ? parts.up_rate[part] : 0;
    }
    return std::min(up, down) * all.pairs() / crossing;
}

bit_rate workload_plan::full_rate(bit_rate link_rate) const {
    if (m_config.load_of == load_basis::host_link) {
        return link_rate;
    }
    std::vector<bool> sends(m_hosts);
    std::vector<bool> receives(m_hosts);
    for (host_id host = 0; host < m_hosts; ++host) {
        sends[host] = names(m_inputs.sources, host);
        receives[host] = names(m_inputs.destinations, host);
    }
    const auto sources = static_cast<double>(std::count(sends.begin(), sends.end(), true));
    return bit_rate{std::llround(full_bisection(sends, receives) / sources)};
}

double workload_plan::request_rate(bit_rate link_rate) const {
    const double requesting = front_ends();
    if (m_config.rate) {
        return m_config.rate_per == rate_scope::network ? *m_config.rate / requesting : *m_config.rate;
    }
    auto full = static_cast<double>(link_rate.count());
    if (m_config.load_of == load_basis::bisection) {
        std::vector<bool> asks(m_hosts);
        std::vector<bool> answers(m_hosts);
        for (host_id host = 0; host < m_hosts; ++host) {
            asks[host] = is_front_end(host);
            answers[host] =
                m_back_ends.empty() || std::binary_search(m_back_ends.begin(), m_back_ends.end(), host);
        }
        full = full_bisection(answers, asks) / requesting;
    }
    const auto responses = static_cast<double>(std::max<std::size_t>(m_racks.size(), 1));
    return m_config.load * full / (8 * responses * workloads()[m_config.kind].response_bytes(m_config));
}

arrival_spec workload_plan::request_arrivals(host_id self, picoseconds phase, bit_rate link_rate) const {
    arrival_spec spec;
    spec.kind = is_front_end(self) ? arrival_kind::poisson : arrival_kind::none;
    spec.start = m_config.start;
    spec.stop = m_config.stop_time();
    spec.rate = request_rate(link_rate);
    spec.burst_period = m_config.burst_period;
    spec.burst_duration = m_config.burst_duration;
    spec.burst_rate =
        m_config.rate_per == rate_scope::network ? m_config.burst_rate / front_ends() : m_config.burst_rate;
    spec.phase = phase;
    return spec;
}

bytes workload_plan::datagrams_until_stop(picoseconds now, bit_rate rate) const {
    if (m_config.stop_time() == never) {
        return largest_flow;
    }
    const picoseconds gap = datagram_time(rate);
    const std::int64_t datagrams = (m_config.stop_time() - now + gap - picoseconds{1}) / gap;
    return std::min(m_config.datagram * datagrams, largest_flow);
}

bytes workload_plan::draw_flow_size(random_stream& chance) const {
    const std::vector<bytes>& sizes = m_config.sizes;
    return m_inputs.sizes ? m_inputs.sizes->sample(chance)
                          : sizes[chance.below(static_cast<std::uint32_t>(sizes.size()))];
}

double workload_plan::mean_flow_bytes() const {
    return m_inputs.sizes ? m_inputs.sizes->mean_sample_bytes() : mean_bytes(m_config.sizes);
}

}  // namespace weir::traffic
