// Looks for deadlocks while a fabric runs: at fixed simulated times it takes the wait-for graph from the
// switches and searches it (wait_graph.h). docs/deadlock.md has the definition and the proof.
//
// A pause enters the graph if it will be kept up: the link partner still wants it and has sent no XON since the
// look before, so that none is on its way; the link loses nothing and does not change; both memories are the
// project's own. Whatever else has paused a queue, a host or a module that is not ours, may end at any time.
//
// Where the fabric is spread over ranks, no rank needs to know another one's switches: each end of a link says
// whether it keeps the pause up, and each rank judges (wait_graph.h) and explains what its own memories keep
// paused. All ranks find the same deadlock at the same look.
//
//   deadlock_watch watch(plan, switches, team);
//   nodes.look_every(watch.interval(longest_pause_delay), watch);
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "weir/model/deadlock/deadlock_report.h"
#include "weir/model/deadlock/shared_waits.h"
#include "weir/model/engine/domain.h"
#include "weir/model/ranks/rank_team.h"
#include "weir/model/switch/switch_node.h"
#include "weir/model/topology/topology.h"

namespace weir::model {

class deadlock_watch : public periodic_look {
 public:
    /// All arguments outlive this. `switches` by number; null where another rank has it.
    deadlock_watch(const topology& plan, const std::vector<std::unique_ptr<switch_node>>& switches,
                   rank_team& team)
        : m_plan(plan), m_switches(switches), m_team(team) {}

    /// Before the run, for each link from a switch of this rank to another rank's node: its end here.
    void add_cut_link(const link_end& here);

    /// How often to look, where an XON takes up to `delay` from its first bit until it is obeyed, and until
    /// frames that were sent before are stored.
    static picoseconds interval(picoseconds delay);

    /// Collective.
    void look(picoseconds now) override;

    /// Called with each deadlock when it is found, on all ranks; the default ends the run with its text.
    using found_call = std::function<void(const deadlock_report&)>;
    void on_found(found_call call) { m_on_found = std::move(call); }

 private:
    /// The end here of a link to another rank's switch, and the XONs that it had sent by the look before.
    struct cut_end {
        switch_id device;
        unsigned port;
        std::array<std::uint32_t, pfc_classes> xon_sent{};
    };
    bool is_here(const node_ref& device) const { return m_switches[device.index] != nullptr; }
    void find_pauses();
    void find_pauses_at(switch_id s, unsigned port);
    void add_kept_for_others(std::vector<class_queue>& queues);
    std::vector<class_queue> kept_on_all_ranks();
    std::vector<class_queue> kept_pauses();
    /// The ingress memory that has paused the queue.
    const link_end& paused_by(const class_queue& queue) const {
        return m_plan.far_end(node_ref::of_switch(queue.device), queue.egress_port);
    }
    paused_queue describe(const class_queue& queue) const;
    void describe_queue(paused_queue& q) const;
    void describe_memory(paused_queue& q) const;
    deadlock_report report_of(const wait_graph& graph, const shared_waits& memories) const;
    deadlock_step explain(const wait_graph::step& step, const shared_waits& memories) const;

    const topology& m_plan;
    const std::vector<std::unique_ptr<switch_node>>& m_switches;
    rank_team& m_team;
    std::vector<cut_end> m_cut_ends;
    found_call m_on_found;
    // Of this look and of the one before, in ascending order.
    std::vector<seen_pause> m_pauses;
    std::vector<seen_pause> m_pauses_before;
};

}  // namespace weir::model
