// A deadlock, explained: the queues that wait for each other in a circle, and what keeps each of them waiting.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/model/deadlock/wait_graph.h"
#include "weir/model/frame/flow_bytes.h"
#include "weir/model/memory/group_pauses.h"
#include "weir/model/memory/ingress_buffer.h"
#include "weir/model/memory/shared_hold.h"
#include "weir/model/topology/topology.h"

namespace weir::model {

using weir::to_text;

struct deadlock_step {
    /// The queue that cannot send.
    class_queue queue;
    /// What it holds at egress. Unit: B.
    std::uint32_t queued_bytes = 0;
    /// The ingress memory that has paused it: switch, port, its limits and what is in it. Units: B.
    switch_id by_device = 0;
    unsigned by_port = 0;
    ingress_limits limits;
    std::uint32_t occupancy = 0;
    /// What of it counts for this pause and waits to cross.
    std::uint32_t counted = 0;
    /// Of that, what waits for room at egress that the next step's queue takes, its class, and the transfers
    /// that it belongs to.
    /// A shared memory's: what the group has and will keep, and its threshold now and at most; in place of
    /// `limits`, `occupancy` and `counted`. Units: B.
    struct shared_group {
        pfc_class group_class = 0;
        group_cells now;
        std::int64_t cell = 1;
        std::uint64_t threshold = 0;
        shared_hold hold;
    };
    std::optional<shared_group> shared;
    pfc_class waiting_class = 0;
    std::uint32_t waits_for_next = 0;
    /// They are in the next step's queue, and not on their way to it.
    bool waits_in_queue = false;
    /// When the last of these frames came.
    picoseconds since{0};
    std::vector<flow_bytes> flows;

    /// For other ranks (octets.h).
    template <class Octets>
    void fields(Octets& o) {
        o(queue, queued_bytes, by_device, by_port, limits, occupancy, counted, shared, waiting_class,
          waits_for_next, waits_in_queue, since, flows);
    }
};

struct deadlock_report {
    /// When it was found.
    picoseconds found{0};
    /// When the last of the frames that wait in the circle came: the deadlock exists since then at the latest.
    picoseconds since{0};
    /// Each waits for the next one, the last one for the first.
    std::vector<deadlock_step> circle;
    /// Queues that can never send again: those of the circle and those that wait for them.
    std::size_t stuck_queues = 0;
};

/// Several lines, the first one a sentence.
std::string to_text(const deadlock_report& report, const topology& plan);

}  // namespace weir::model
