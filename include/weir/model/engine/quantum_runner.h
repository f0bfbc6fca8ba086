// Lets every node that has something to do run to the end of the quantum, on one thread or several.
//
// Nodes are looked at in groups of groups: one look tells that none of 64 has mail or an event that is due, so
// that the idle part of a fabric costs next to nothing.
//
// Nodes are independent within a quantum, so no result depends on which thread runs a node, or when. Each
// thread has a share of the groups, which it keeps, for the sake of its caches; who is done early takes from
// the others' shares, and shares are cut anew from time to time by the events that each group has had. Nodes
// with a module that is not ours run on the calling thread: the SystemC kernel is for one thread only. Where
// quanta have little to do the calling thread does it alone: to wake another would take longer.
#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <vector>

#include "weir/base/simulation_clock.h"
#include "weir/model/engine/engine_config.h"
#include "weir/model/engine/node.h"
#include "weir/model/engine/worker_team.h"

namespace weir::model {

/// What the barrier has to know of the nodes that ran.
struct quantum_outcome {
    /// A node has found a violation.
    bool broken = false;
    /// A node has frames for a module that is not ours.
    bool has_foreign = false;
    /// When a frame last moved.
    picoseconds last_activity{0};
    /// How many ran; by the literal engine, how often one did. 0: nothing happened.
    std::uint32_t nodes = 0;

    void add(const node& n) {
        broken = broken || n.broken();
        has_foreign = has_foreign || n.has_foreign_deliveries();
        last_activity = n.last_activity() > last_activity ? n.last_activity() : last_activity;
        ++nodes;
    }
    void add(const quantum_outcome& o) {
        broken = broken || o.broken;
        has_foreign = has_foreign || o.has_foreign;
        last_activity = o.last_activity > last_activity ? o.last_activity : last_activity;
        nodes += o.nodes;
    }
};

class quantum_runner {
 public:
    /// After elaboration.
    quantum_runner(const std::vector<node*>& nodes, const thread_config& threads);

    /// Of inboxes that nodes write to.
    unsigned lanes() const { return m_workers.back().lane + 1; }
    /// One quantum, as `clock` has it. Rethrows what a node throws.
    quantum_outcome run(const simulation_clock& clock);
    /// After a quantum: when the next node has something to do, which is `clock.end` if any has mail.
    picoseconds next_time(const simulation_clock& clock) const;

 private:
    /// A cache line of its own, which senders and the group's thread write to.
    struct alignas(64) group : node_group {
        std::uint64_t events_before = 0;
        std::uint64_t weight = 0;
        std::vector<node*> members;
    };
    struct alignas(64) group_of_groups : node_group {
        std::vector<group*> members;
    };
    struct alignas(64) share {
        std::vector<group*> groups;
        /// The first that no thread has taken.
        std::atomic<std::size_t> next{0};
    };
    struct alignas(64) worker_state {
        /// Of inboxes.
        unsigned lane = 0;
        quantum_outcome outcome;
        mail_order order;
        std::exception_ptr error;
    };

    void make_groups(const std::vector<node*>& nodes, std::vector<group*>& to);
    void run_alone(const simulation_clock& clock, quantum_outcome& outcome);
    void run_together(const simulation_clock& clock, quantum_outcome& outcome);
    void expect_group(const group& g, event_key end, unsigned side) const;
    void run_group(group& g, const simulation_clock& clock, unsigned worker, quantum_outcome& outcome);
    void run_members(group& g, event_key end, unsigned side, unsigned worker, quantum_outcome& outcome);
    void work(unsigned worker, const simulation_clock& clock);
    void weigh_groups();
    void cut_shares();

    std::vector<std::unique_ptr<group>> m_groups;
    std::vector<std::unique_ptr<group_of_groups>> m_upper_groups;
    std::vector<group*> m_on_calling_thread;
    std::vector<group*> m_on_any_thread;
    std::vector<std::unique_ptr<share>> m_shares;
    std::vector<worker_state> m_workers;
    worker_team m_team;
    // The fabric does not fit a processor's caches: nodes are fetched ahead.
    bool m_fetches_ahead = false;
    /// Nodes that are worth waking the team.
    std::uint32_t m_worth_it;
    /// That ran in the last quantum.
    std::uint32_t m_nodes_run = 0;
    std::uint64_t m_quanta = 0;
    std::uint64_t m_next_cut = 16;
};

}  // namespace weir::model
