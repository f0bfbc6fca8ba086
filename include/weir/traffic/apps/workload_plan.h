// What all hosts of a workload share: who is front end and who back end, the permutation, flow sizes, tags,
// random streams. Made once, from the configuration and the seed; immutable, so that any number of threads
// may read it and no host keeps a copy.
//
//   auto plan = std::make_shared<const workload_plan>(config, hosts, seed);
//   auto applications = make_workload(plan, self, 1_Gbps);
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "weir/base/rng.h"
#include "weir/traffic/apps/application.h"
#include "weir/traffic/apps/arrival_process.h"
#include "weir/traffic/apps/workload_config.h"
#include "weir/traffic/goal/goal_schedule.h"
#include "weir/traffic/sizes/size_distribution.h"
#include "weir/traffic/traces/flow.h"

namespace weir::traffic {

/// How a fabric hangs together below its highest tier of switches: what `load_basis::bisection` is of.
struct fabric_parts {
    /// By host; empty: there is one tier only.
    std::vector<std::uint32_t> part_of;
    /// By part: rate of its links to the highest tier. Unit: bit/s.
    std::vector<double> up_rate;
};

/// What the program adds to the configuration because it comes from files or from the fabric.
struct workload_inputs {
    /// For `distribution = file`.
    std::shared_ptr<const size_distribution> sizes;
    /// For `background_distribution = file`.
    std::shared_ptr<const size_distribution> background_sizes;
    /// For `sources` and `destinations` that are not empty: hosts, in ascending order.
    std::vector<host_id> sources;
    std::vector<host_id> destinations;
    /// The same for `background.sources` and `background.destinations`.
    std::vector<host_id> background_sources;
    std::vector<host_id> background_destinations;
    /// By host: its edge switch, in any numbers. Empty: all hosts are of one.
    std::vector<std::uint32_t> racks;
    fabric_parts parts;
    /// Number of names in the trace's `tag_table`. Range: 0-255 with background flows, else 0-256.
    std::size_t trace_tags = 0;
    /// In the order of id, as a trace's reader gives them.
    std::vector<trace_trigger> triggers;
    /// Triggers reach across hosts with a delay: hosts report what fired, the program starts what waits.
    bool triggers_across_hosts = false;
    /// Schedule of a workload that runs a program (`workload_traits::runs_program`); it has no more ranks than
    /// there are hosts.
    std::shared_ptr<const goal_schedule> schedule;
};

/// What is wrong with `inputs` for the workload that `config` describes. Keys are `traffic.<field>`.
config_errors check_inputs(const workload_config& config, const workload_inputs& inputs);

/// Of sizes that are equally likely. Unit: B.
double mean_bytes(const std::vector<bytes>& sizes);

/// Hosts that one host may choose among: those of a list, or all, without itself.
class destination_set {
 public:
    static destination_set all_others(host_id self, host_id hosts) { return {nullptr, self, hosts - 1}; }
    /// `list` is in ascending order, and outlives the set.
    static destination_set of(const std::vector<host_id>& list, host_id self);

    std::uint32_t size() const { return m_size; }
    /// Range: index < size().
    host_id at(std::uint32_t index) const {
        const std::uint32_t place = index + (index >= m_left_out ? 1 : 0);
        return m_list != nullptr ? (*m_list)[place] : place;
    }
    host_id draw(random_stream& chance) const { return at(chance.below(m_size)); }

 private:
    destination_set(const std::vector<host_id>* list, std::uint32_t left_out, std::uint32_t size)
        : m_list(list), m_left_out(left_out), m_size(size) {}
    const std::vector<host_id>* m_list;
    /// Place of the host itself; beyond the end: it is none of them.
    std::uint32_t m_left_out;
    std::uint32_t m_size;
};

class workload_plan {
 public:
    /// The configuration must be valid for so many hosts, and `check_inputs` empty.
    workload_plan(const workload_config& config, host_id hosts, std::uint64_t seed,
                  workload_inputs inputs = {});

    const workload_config& config() const { return m_config; }
    const workload_inputs& inputs() const { return m_inputs; }
    host_id hosts() const { return m_hosts; }

    /// Streams of the main application, and others of the background's.
    random_stream stream(host_id self, random_purpose purpose) const { return {m_seed, self, purpose}; }
    random_stream background_stream(host_id self, random_purpose purpose) const {
        return {random_stream::mix(m_seed ^ 0x6261636B67726F75U), self, purpose};
    }

    /// Whether this host asks on its own accord.
    bool is_front_end(host_id host) const { return m_back_ends.empty() || m_front_end[host]; }
    /// Empty where every server asks every other. In ascending order.
    const std::vector<host_id>& back_ends() const { return m_back_ends; }
    /// Back ends by rack, those of the lowest edge switch first; each in ascending order. Without back ends:
    /// all hosts. Of `workload_traits::asks_racks` only.
    const std::vector<std::vector<host_id>>& racks() const { return m_racks; }
    /// Range: a host that is in a rack.
    std::size_t rack_of(host_id host) const { return m_rack_of[host]; }
    /// Whom this front end asks.
    destination_set servers_for(host_id self) const {
        return m_back_ends.empty() ? destination_set::all_others(self, m_hosts)
                                   : destination_set::of(m_back_ends, self);
    }
    bool has_background(host_id self) const;
    destination_set background_targets(host_id self) const;
    bool are_of_one_rack(host_id a, host_id b) const {
        return m_inputs.racks.empty() || m_inputs.racks[a] == m_inputs.racks[b];
    }
    /// Who sends plain flows, and to whom.
    bool is_source(host_id host) const;
    destination_set targets(host_id self) const {
        return m_inputs.destinations.empty() ? destination_set::all_others(self, m_hosts)
                                             : destination_set::of(m_inputs.destinations, self);
    }
    /// With `workload_traits::has_partners`: the one host that `host` sends to; itself, if it sends nothing.
    host_id partner(host_id host) const { return m_partner[host]; }
    /// Schedule of a workload that runs a program.
    const goal_schedule& schedule() const { return *m_inputs.schedule; }
    static constexpr std::uint32_t no_rank = ~std::uint32_t{0};
    std::uint32_t rank_on(host_id host) const { return m_rank_on[host]; }
    host_id host_of(std::uint32_t rank) const { return m_host_of[rank]; }

    /// Arrivals of queries or web requests at one host; none if it is a back end. `phase` shifts its bursts.
    arrival_spec request_arrivals(host_id self, picoseconds phase, bit_rate link_rate) const;
    /// Payload rate of one source of plain flows at a load of 1.
    bit_rate full_rate(bit_rate link_rate) const;
    bytes draw_flow_size(random_stream& chance) const;
    bytes draw_background_size(random_stream& chance) const;
    double mean_flow_bytes() const;
    pfc_class draw_priority(random_stream& chance) const {
        const std::vector<pfc_class>& all = m_config.priorities;
        return all[chance.below(static_cast<std::uint32_t>(all.size()))];
    }
    /// What datagrams that start from now on, and before `stop`, carry at `rate`; at most `largest_flow`.
    bytes datagrams_until_stop(picoseconds now, bit_rate rate) const;
    /// A full datagram with its overhead, at `rate`.
    picoseconds datagram_time(bit_rate rate) const {
        return transmission_time(m_config.datagram + m_config.datagram_overhead, rate);
    }

    /// Tag of queries and plain flows.
    static constexpr std::uint8_t main_tag = 0;
    /// Tag of web requests and partition/aggregate requests (jobs only; no transfer carries it).
    static constexpr std::uint8_t aggregate_tag = 1;
    std::uint8_t background_tag() const { return m_background_tag; }
    std::uint8_t stream_tag() const {
        return static_cast<std::uint8_t>(m_background_tag + (m_config.background.is_on() ? 1 : 0));
    }
    /// From which on flows and jobs beside the main application count: 0, unless that numbers its own.
    std::uint64_t first_number_beside() const;

 private:
    void split_servers();
    void draw_partners();
    void name_servers();
    void gather_racks();
    void place_ranks();
    std::uint32_t front_ends() const { return m_front_ends; }
    /// Payload rate of all hosts that send at a load of 1 of the bisection. Unit: bit/s.
    double full_bisection(const std::vector<bool>& sends, const std::vector<bool>& receives) const;
    /// Of queries or web requests, outside bursts. Unit: 1/s.
    double request_rate(bit_rate link_rate) const;

    workload_config m_config;
    workload_inputs m_inputs;
    host_id m_hosts;
    std::uint64_t m_seed;
    std::uint8_t m_background_tag;
    std::vector<bool> m_front_end;
    std::uint32_t m_front_ends;
    std::vector<host_id> m_back_ends;
    std::vector<std::vector<host_id>> m_racks;
    std::vector<std::size_t> m_rack_of;
    std::vector<host_id> m_partner;
    std::vector<std::uint32_t> m_rank_on;
    std::vector<host_id> m_host_of;
};

/// Arrivals of one host, as timers: one is set at a time.
class arrival_timer {
 public:
    explicit arrival_timer(arrival_process process) : m_process(process) {}

    /// Sets the timer of the next arrival, if there is one.
    void arm(application_services& services) {
        const picoseconds next = m_process.next();
        m_done = next == never;
        if (!m_done) {
            services.set_timer(next, 0);
        }
    }
    /// No arrival is left.
    bool done() const { return m_done; }

 private:
    arrival_process m_process;
    bool m_done = false;
};

}  // namespace weir::traffic
