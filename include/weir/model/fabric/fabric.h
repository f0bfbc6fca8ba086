// A whole fabric: hosts, switches and links made from a topology, and the domain that advances them.
//
//   fabric f("fabric", parameters, plan);
//   f.host(0)->run(application);
//   f.configure_run(engine_kind::fast, f.lookahead(), 10ms);
//   sc_core::sc_start();
//   f.settle(10ms);
//
// Between construction and the start of simulation any block of any switch may be replaced, and any host
// left without an endpoint; a host that is listed in `open_hosts` is not built at all, so that a module of
// the user's own can take the socket at its switch.
#pragma once

#include <memory>
#include <vector>

#include "weir/model/deadlock/deadlock_watch.h"
#include "weir/model/engine/domain.h"
#include "weir/model/fabric/fabric_changes.h"
#include "weir/model/forwarding/routing.h"
#include "weir/model/forwarding/static_routes.h"
#include "weir/model/host/host_node.h"
#include "weir/model/switch/switch_node.h"
#include "weir/model/topology/topology.h"
#include "weir/protocol/endpoint.h"

namespace weir::model {

/// A host whose adapter pauses classes of its link without end, or until `to`.
struct broken_adapter {
    host_id host = 0;
    class_mask classes = 0xFF;
    picoseconds from{0};
    picoseconds to = never;
};

struct fabric_parameters : switch_setup {
    /// By switch; empty: none has any.
    std::vector<shared_profiles> profiles;
    host_config host;
    bytes wire_overhead{20};
    std::uint64_t seed = 1;
    engine_kind engine = engine_kind::fast;
    std::vector<fabric_change> changes;
    /// From a link's change until every switch's table follows it.
    picoseconds reroute_delay{0};
    /// Routes that are not the shortest paths'.
    std::vector<static_route> routes;
    std::vector<broken_adapter> broken_adapters;
    /// Hosts whose place a module of the user's own takes.
    std::vector<host_id> open_hosts;
    /// The processes that run the fabric together. Outlives it.
    rank_team* team = &lone_rank::team();
    /// Which of them has a node, by `topology::node_index`; empty: this one has all.
    std::vector<std::uint32_t> rank_of;
};

class fabric : public sc_core::sc_module, public address_map {
 public:
    fabric(sc_core::sc_module_name name, const fabric_parameters& parameters, const topology& plan);

    host_id hosts() const override { return m_plan.hosts(); }
    ipv4_address address_of(host_id h) const override { return m_plan.address_of(h); }
    host_id host_of(ipv4_address address) const override { return m_plan.host_of(address).value_or(hosts()); }

    const topology& plan() const { return m_plan; }
    /// Null for an open host, and for one of another rank.
    host_node* host(host_id h) { return m_hosts[h].get(); }
    const host_node* host(host_id h) const { return m_hosts[h].get(); }
    /// Switches of this rank, in ascending order; all where there are no ranks.
    const std::vector<switch_id>& own_switches() const { return m_own_switches; }
    /// Range: a switch of this rank.
    switch_node& device(switch_id s) { return *m_switches[s]; }
    const switch_node& device(switch_id s) const { return *m_switches[s]; }
    std::uint32_t switches() const { return m_plan.switches(); }
    domain& engine() { return m_domain; }
    rank_team& team() const { return *m_parameters.team; }
    /// The node is one of this rank's.
    bool is_here(const node_ref& n) const {
        return m_parameters.rank_of.empty() || rank_of(n) == team().rank();
    }
    /// Null where there are no ranks.
    const frame_exchange* exchange() const { return m_exchange.get(); }

    /// The longest quantum that costs no accuracy: the smallest latency that any link has at any time of the
    /// run.
    picoseconds lookahead() const { return smallest_latency(m_plan, m_parameters.changes); }
    /// Range: quantum in (0, lookahead]; end > 0. `never`: until nothing is left to happen. A run goes no
    /// further than `longest_time`.
    void configure_run(engine_kind engine, picoseconds quantum, picoseconds end,
                       const thread_config& threads = {});

    /// Before the run: what happens when a deadlock is found, at each look at which it stands; without a call
    /// the run ends with it.
    void on_deadlock(deadlock_watch::found_call call) { m_deadlocks.on_found(std::move(call)); }
    /// With flow control the fabric looks for deadlocks at whole multiples of this.
    picoseconds deadlock_interval() const {
        return deadlock_watch::interval(longest_pause_delay() + longest_way_into_memory());
    }

    /// Brings all statistics up to `now` and checks the conservation of frames; a violation is fatal.
    void settle(picoseconds now);
    /// Before the run: the end of the warm-up.
    void restart_statistics_at(picoseconds at);
    /// Before the run: all nodes keep why they pause, are paused, and drop (cause_log.h).
    void log_causes(const cause_options& options);
    /// Nothing of this rank is queued, on a wire or in a stack.
    bool is_empty() const;
    /// At a barrier.
    picoseconds last_activity() const { return m_domain.last_activity(); }
    /// All nodes have run to here.
    picoseconds reached() const { return m_clock.end; }

 private:
    picoseconds longest_flight() const;
    picoseconds longest_standstill() const;
    picoseconds longest_pause_delay() const;
    picoseconds longest_sram_wait() const;
    picoseconds longest_way_into_memory() const;
    void connect();
    void schedule_changes();
    /// `visit(s, table)`, for each switch of this rank, with the table that it has with these links.
    template <class Visit>
    void for_each_own_table(const link_states& up, Visit&& visit) const;
    void start_of_simulation() override;
    node* node_at(const node_ref& reference);
    unsigned rank_of(const node_ref& n) const { return m_parameters.rank_of[m_plan.node_index(n)]; }
    void connect_across(const link_end& here, const link_end& there, const port_config& link);
    void schedule(const link_end& end, const link_change& change);

    fabric_parameters m_parameters;
    // By link.
    std::vector<port_config> m_ports;
    const topology& m_plan;
    simulation_clock m_clock;
    domain m_domain;
    // By number; null where another rank has it.
    std::vector<std::unique_ptr<host_node>> m_hosts;
    std::vector<std::unique_ptr<switch_node>> m_switches;
    std::vector<switch_id> m_own_switches;
    std::unique_ptr<frame_exchange> m_exchange;
    deadlock_watch m_deadlocks;
};

}  // namespace weir::model
