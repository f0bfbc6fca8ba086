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
#include "weir/traffic/sizes/size_distribution.h"
#include "weir/traffic/traces/flow.h"

namespace weir::traffic {

/// What the program adds to the configuration because it comes from files.
struct workload_inputs {
    /// For `distribution = file`.
    std::shared_ptr<const size_distribution> sizes;
    /// Number of names in the trace's `tag_table`. Range: 0-255 with background flows, else 0-256.
    std::size_t trace_tags = 0;
    /// In the order of id, as a trace's reader gives them.
    std::vector<trace_trigger> triggers;
    /// Triggers reach across hosts with a delay: hosts report what fired, the program starts what waits.
    bool triggers_across_hosts = false;
};

/// What is wrong with `inputs` for the workload that `config` describes. Keys are `traffic.<field>`.
config_errors check_inputs(const workload_config& config, const workload_inputs& inputs);

/// Hosts that one host may choose among: a list, or all others.
class destination_set {
 public:
    static destination_set all_others(host_id self, host_id hosts) { return {nullptr, self, hosts - 1}; }
    /// `list` outlives the set and does not hold `self`.
    static destination_set of(const std::vector<host_id>& list, host_id self) {
        return {&list, self, static_cast<host_id>(list.size())};
    }

    std::uint32_t size() const { return m_size; }
    /// Range: index < size().
    host_id at(std::uint32_t index) const {
        return m_list != nullptr ? (*m_list)[index] : index + (index >= m_self ? 1 : 0);
    }
    host_id draw(random_stream& chance) const { return at(chance.below(m_size)); }

 private:
    destination_set(const std::vector<host_id>* list, host_id self, host_id size)
        : m_list(list), m_self(self), m_size(size) {}
    const std::vector<host_id>* m_list;
    host_id m_self;
    host_id m_size;
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
    /// Whom this front end asks.
    destination_set servers_for(host_id self) const {
        return m_back_ends.empty() ? destination_set::all_others(self, m_hosts)
                                   : destination_set::of(m_back_ends, self);
    }
    bool has_background(host_id self) const {
        return m_config.background_flows > 0 && (!m_config.background_to_back_ends || is_front_end(self));
    }
    destination_set background_targets(host_id self) const {
        return m_config.background_to_back_ends ? servers_for(self)
                                                : destination_set::all_others(self, m_hosts);
    }
    /// With `workload_traits::has_partners`: the one host that `host` sends to.
    host_id partner(host_id host) const { return m_partner[host]; }

    bytes draw_flow_size(random_stream& chance) const;
    double mean_flow_bytes() const;
    pfc_class draw_priority(random_stream& chance) const;
    /// A full datagram with its overhead, at `rate`.
    picoseconds datagram_time(bit_rate rate) const {
        return transmission_time(m_config.datagram + m_config.datagram_overhead, rate);
    }

    /// Tag of queries and plain flows.
    static constexpr std::uint8_t main_tag = 0;
    /// Tag of web requests and partition/aggregate requests (jobs only; no transfer carries it).
    static constexpr std::uint8_t aggregate_tag = 1;
    std::uint8_t background_tag() const { return m_background_tag; }
    /// A trace numbers its flows and jobs itself, from 0; background flows then count from here.
    std::uint64_t background_numbers() const {
        return m_config.kind == workload_kind::trace ? (transfer_fields::job_mask >> 1) + 1 : 0;
    }

 private:
    void split_servers();
    void draw_partners();

    workload_config m_config;
    workload_inputs m_inputs;
    host_id m_hosts;
    std::uint64_t m_seed;
    std::uint8_t m_background_tag;
    std::vector<bool> m_front_end;
    std::vector<host_id> m_back_ends;
    std::vector<host_id> m_partner;
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
