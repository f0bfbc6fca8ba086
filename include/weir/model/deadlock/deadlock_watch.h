// Looks for deadlocks while a fabric runs: at fixed simulated times it takes the wait-for graph from the
// switches and searches it (wait_graph.h). docs/deadlock.md has the definition and the proof.
//
// A pause enters the graph if it will be kept up: the link partner still wants it and has sent no XON since the
// look before, so that none is on its way; the link loses nothing and does not change; both memories are the
// project's own. Whatever else has paused a queue, a host or a module that is not ours, may end at any time.
//
//   deadlock_watch watch(plan, switches);
//   nodes.look_every(watch.interval(longest_pause_delay), watch);
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "weir/model/deadlock/deadlock_report.h"
#include "weir/model/deadlock/shared_waits.h"
#include "weir/model/engine/domain.h"
#include "weir/model/switch/switch_node.h"
#include "weir/model/topology/topology.h"

namespace weir::model {

class deadlock_watch : public periodic_look {
 public:
    /// All arguments outlive this. `switches` by number.
    deadlock_watch(const topology& plan, const std::vector<std::unique_ptr<switch_node>>& switches)
        : m_plan(plan), m_switches(switches) {}

    /// How often to look, where an XON takes up to `delay` from its first bit until it is obeyed, and until
    /// frames that were sent before are stored.
    static picoseconds interval(picoseconds delay);

    void look(picoseconds now) override;

    /// Called with each deadlock when it is found; the default ends the run with its text.
    using found_call = std::function<void(const deadlock_report&)>;
    void on_found(found_call call) { m_on_found = std::move(call); }

 private:
    void find_pauses();
    void find_pauses_at(switch_id s, unsigned port);
    std::vector<class_queue> kept_pauses() const;
    /// The ingress memory that has paused the queue.
    const link_end& paused_by(const class_queue& queue) const {
        return m_plan.far_end(node_ref::of_switch(queue.device), queue.egress_port);
    }
    paused_queue describe(const class_queue& queue) const;
    deadlock_step explain(const wait_graph::step& step, const shared_waits& shared, picoseconds& since) const;

    const topology& m_plan;
    const std::vector<std::unique_ptr<switch_node>>& m_switches;
    found_call m_on_found;
    // Of this look and of the one before, in ascending order.
    std::vector<seen_pause> m_pauses;
    std::vector<seen_pause> m_pauses_before;
};

}  // namespace weir::model
