// Shared memories in the search for deadlocks: which pauses of theirs go on if some queues never send.
//
// A frame in a shared memory stands in its egress queue. A group (ingress port and class) that is paused may go
// on when it has no headroom in use and is below its threshold, in every slice. Other groups move a dynamic
// threshold, so what is certain is found for the most favourable end: of all groups only what stands in queues
// that never send is left, and all other cells are free (docs/deadlock.md).
//
//   shared_waits shared(switches);
//   const wait_graph graph(queues, room, &shared);
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "weir/model/deadlock/deadlock_report.h"
#include "weir/model/deadlock/wait_graph.h"
#include "weir/model/switch/switch_node.h"

namespace weir::model {

class shared_waits : public shared_memory_rule {
 public:
    /// By number, null where another rank has it; they outlive this. Queues below are paused by memories of
    /// this rank.
    explicit shared_waits(const std::vector<std::unique_ptr<switch_node>>& switches) : m_switches(switches) {}

    void suppose(const std::vector<paused_queue>& stuck) override;
    bool keeps(const paused_queue& q) const override { return group_that_keeps(q).has_value(); }

    /// What the queue holds of its own switch's shared memory.
    static std::vector<stored_cells> held_by(const switch_node& device, const class_queue& queue);
    /// Frames of the groups that may have paused the queue, by the egress queue that they stand in.
    std::vector<paused_queue::waiting_frames> frames_of(const paused_queue& q) const;
    /// Whether a frame is of such a group.
    bool counts(const paused_queue& q, const frame_route& route) const;

    /// Range: `keeps(q)`.
    deadlock_step::shared_group describe(const paused_queue& q) const;

 private:
    struct group_hold {
        pfc_class group_class;
        shared_hold hold;
    };
    /// The first group, by class, that keeps the queue paused for good.
    std::optional<group_hold> group_that_keeps(const paused_queue& q) const;

    const std::vector<std::unique_ptr<switch_node>>& m_switches;
    /// By switch and `shared_buffer::place`: cells that never leave.
    std::map<std::uint32_t, std::vector<std::uint32_t>> m_held;
};

}  // namespace weir::model
