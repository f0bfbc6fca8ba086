// Which paused queues can never send again: a search for deadlock in the wait-for graph of queues.
//
// A queue is one class of one egress port. It waits for the ingress memory that has paused it; that memory's
// pause ends when what it counts falls below XON; and what it counts leaves when the egress queues it is for
// have room. A queue is *stuck* if no order of events lets it send. The search assumes that every paused queue
// is stuck, and then removes, again and again, each queue whose pause could end: the frames that wait for
// queues that are not stuck leave at some time, and the rest is below XON. The queues that remain are stuck:
// for the first of their frames to move, another one would have had to move before (docs/deadlock.md).
//
// Where all ports of a switch share one memory, frames stand in their egress queues at once, and a pause ends
// when its group may go on: `shared_memory_rule` says that.
//
// Whether a pause could end depends on one switch only, given which queues are stuck. So where a fabric is
// spread over ranks, all have the same list of queues, each rank judges the pauses that its own switches asked
// for, and the ranks agree after every round.
//
//   wait_graph graph(queues, room);
//   if (!graph.stuck().empty()) { report(graph.circle()); }
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "weir/model/frame/frame_slab.h"
#include "weir/model/ranks/rank_team.h"

namespace weir::model {

/// One class of an egress port of a switch.
struct class_queue {
    std::uint32_t device = 0;
    std::uint32_t egress_port = 0;
    pfc_class frame_class = 0;

    friend bool operator<(const class_queue& a, const class_queue& b) {
        return std::tie(a.device, a.egress_port, a.frame_class) <
               std::tie(b.device, b.egress_port, b.frame_class);
    }
    friend bool operator==(const class_queue& a, const class_queue& b) { return !(a < b) && !(b < a); }
};

/// A paused queue as a look sees it.
struct seen_pause {
    class_queue queue;
    /// The link partner still wants the pause.
    bool wanted = false;
    /// XONs for the class that the partner had sent by then.
    std::uint32_t xon_sent = 0;
};

/// Of the queues that are paused at this look, those whose pause will be kept up until the partner has room: it
/// wants it, and has sent no XON since the look before, when the queue was paused already. Looks are further
/// apart than an XON takes, so none is on its way. All lists in ascending order of queues, each once.
std::vector<class_queue> kept_up(const std::vector<seen_pause>& before, const std::vector<seen_pause>& now);

/// Frames of one group (ingress port and class) in one slice of a shared memory.
struct stored_cells {
    /// As `shared_buffer::place`.
    std::size_t place;
    std::uint32_t cells;
};

/// A queue whose pause goes on for as long as the memory that asked for it is full.
struct paused_queue {
    class_queue queue;
    /// Frames in it, at egress. Unit: B.
    std::uint32_t queued_bytes = 0;
    /// Ingress memory that has paused it: switch and port of the link's other end.
    std::uint32_t by_device = 0;
    std::uint32_t by_port = 0;
    /// The pause ends when the memory's counted bytes fall below. Unit: B. Range: at least 1.
    std::uint32_t xon = 1;
    /// Counted frames that wait there to cross, by egress port and class of the switch `by_device`.
    struct waiting_frames {
        std::uint32_t egress_port;
        pfc_class frame_class;
        std::uint32_t bytes;
    };
    std::vector<waiting_frames> waiting;
    /// A shared memory has paused it: `xon` means nothing, and the waiting frames are in egress queues already.
    bool by_shared_memory = false;
    /// Where the queue's own switch has a shared memory: what the queue holds of it.
    std::vector<stored_cells> stored;
    /// The memory that has paused it is this rank's. Elsewhere `xon`, `waiting` and `by_shared_memory` mean
    /// nothing; nor do `queued_bytes` and `stored` where the queue's own switch is another rank's.
    bool is_judged_here = true;
};

/// Which pauses of shared memories go on.
class shared_memory_rule {
 public:
    virtual ~shared_memory_rule() = default;
    /// From now on: these queues never send, and all others may.
    virtual void suppose(const std::vector<paused_queue>& stuck) = 0;
    /// Whether the pause of `q` never ends then, if all that can leave its memory leaves. Range: a queue that a
    /// shared memory has paused.
    virtual bool keeps(const paused_queue& q) const = 0;
};

class wait_graph {
 public:
    /// Whether the egress port would grant one more frame of the class if it held this and no more.
    using room_rule = std::function<bool(std::uint32_t device, std::uint32_t egress_port, pfc_class c,
                                         const class_counts& held)>;

    /// Each queue once. `shared`: where there are shared memories; used by this call only. Collective: all
    /// ranks give the same queues, each of which one rank judges, and have the same result.
    wait_graph(std::vector<paused_queue> queues, room_rule room, shared_memory_rule* shared = nullptr,
               rank_team& team = lone_rank::team());

    /// Queues that can never send again, in ascending order of `class_queue`.
    const std::vector<paused_queue>& stuck() const { return m_stuck; }

    /// One step of a circle: a stuck queue, and those of the frames that keep it paused that are most; they
    /// wait for the next step's queue, which has their class or takes the room that they need.
    struct step {
        const paused_queue* queue;
        const paused_queue::waiting_frames* frames;
    };
    /// Stuck queues that wait for each other in a circle, from the first in the order of `class_queue`; empty
    /// where nothing is stuck.
    std::vector<step> circle() const;

 private:
    /// Of a stuck queue, by place in `m_stuck`: as in `step`, and the next step's queue.
    struct stuck_wait {
        std::size_t queue;
        paused_queue::waiting_frames frames;
        std::size_t next;
    };

    bool waits_for_good(const paused_queue& q, const paused_queue::waiting_frames& w) const;
    std::size_t queue_in_the_way(const paused_queue& q, const paused_queue::waiting_frames& w) const;
    bool is_kept(const paused_queue& q, const shared_memory_rule* shared) const;
    bool release_one_round(const shared_memory_rule* shared, rank_team& team);
    void count_held();
    stuck_wait wait_of(std::size_t at) const;
    void find_waits(rank_team& team);

    // All at first; what can send again is taken out.
    std::vector<paused_queue> m_stuck;
    room_rule m_room;
    std::map<class_queue, std::size_t> m_at;
    // Bytes of the stuck queues of an egress port.
    std::map<std::pair<std::uint32_t, std::uint32_t>, class_counts> m_held;
    // Of all stuck queues, in their order.
    std::vector<stuck_wait> m_waits;
};

}  // namespace weir::model
