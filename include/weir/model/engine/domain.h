// Advances a fabric's nodes by quantum, in the SystemC kernel: one timed event per quantum, not per frame.
//
// What a node does at time t cannot reach a neighbour before t + link latency. So with a quantum no larger
// than the smallest latency (the lookahead) nodes run a quantum each, in any order, and no result depends on
// the order or on the quantum (docs/timing-model.md), nor on how many threads run them (quantum_runner.h).
// Empty time is skipped.
//
// The literal engine is an oracle for all that: it runs one instant of one node at a time, in global order
// of time, and delivers every frame at once.
#pragma once

#include <algorithm>
#include <array>
#include <exception>
#include <memory>
#include <vector>

#include "weir/base/simulation_clock.h"
#include "weir/model/engine/engine_config.h"
#include "weir/model/engine/node.h"
#include "weir/model/engine/quantum_runner.h"
#include "weir/model/ranks/frame_exchange.h"

namespace weir::model {

/// What the program does between quanta; called from the kernel's thread while no node runs.
class barrier_observer {
 public:
    virtual ~barrier_observer() = default;
    /// Supplies the nodes with all input (flow starts) earlier than `until`.
    virtual void feed(picoseconds until) = 0;
    /// When the first input comes that the nodes do not have, or have since `at_barrier` only; `never`: none
    /// does.
    virtual picoseconds next_input() const = 0;
    /// What one rank knows alone and all have to know after a quantum: of each value the greatest counts. To
    /// the domain they mean nothing. At a barrier after empty time they are those of the quantum before.
    using rank_state = std::array<std::int64_t, 4>;
    virtual rank_state state() = 0;
    /// All nodes have reached `time`. `greatest`: of all ranks' states. False ends the run here.
    virtual bool at_barrier(picoseconds time, const rank_state& greatest) = 0;
    /// A time, later than all barriers before, at which a barrier is needed: one at which all nodes have done
    /// what comes before it, and nothing of that time. It may be left out where nothing has happened since the
    /// one before, nor will. `never`: none is.
    virtual picoseconds next_barrier() const { return never; }
};

/// Looks at all nodes at given times, such as for deadlocks. May settle them, and must not change what they do.
class periodic_look {
 public:
    virtual ~periodic_look() = default;
    /// All nodes have done what comes before `now`, and nothing of `now`.
    virtual void look(picoseconds now) = 0;
};

class domain : public sc_core::sc_module {
 public:
    domain(sc_core::sc_module_name name, simulation_clock& clock);

    /// Members run in the order of their addition; no result depends on it.
    void add(node& member);
    const std::vector<node*>& members() const { return m_nodes; }

    /// Before the run. Range: quantum in (0, lookahead]; end > 0, `never` for a run that ends by itself: where
    /// no node has anything to do, it waits for a foreign module. No run goes beyond `longest_time`. The
    /// literal engine uses one thread.
    void configure(engine_kind engine, picoseconds quantum, picoseconds end, picoseconds deadlock_after,
                   const thread_config& threads);
    void set_observer(barrier_observer& observer) { m_observer = &observer; }
    /// Before the run: this process runs a part of the fabric, and all ranks of the team step together. The
    /// literal engine runs alone.
    void join(rank_team& team, frame_exchange& exchange) {
        m_team = &team;
        m_exchange = &exchange;
    }
    /// Before the run: how long after a node's last event nodes may still change without one, because a frame's
    /// last bit leaves or arrives.
    void set_longest_flight(picoseconds flight) { m_longest_flight = flight; }
    /// Before the run: `watch` looks at whole multiples of `interval`, twice more once nothing can happen any
    /// longer, and again after something has. What it sees does not depend on quantum, engine and threads.
    /// There may be several. Each may call `look_less` from its `look`.
    void look_every(picoseconds interval, periodic_look& watch) {
        m_looks.push_back({interval, interval, 0, &watch});
        m_next_look = std::min(m_next_look, interval);
    }
    /// From now on `watch` looks at whole multiples of this longer interval.
    void look_less(picoseconds interval, const periodic_look& watch);
    /// Notified by foreign senders.
    sc_core::sc_event& wake() { return m_wake; }

    std::uint64_t quanta() const { return m_quanta; }
    /// Frames that wait for longer than this without any moving are a deadlock.
    picoseconds deadlock_after() const { return m_deadlock_after; }
    /// After the run: throws what a barrier threw, rank_lost for one.
    void rethrow_failure() const {
        if (m_failure) {
            std::rethrow_exception(m_failure);
        }
    }
    /// All nodes have run to here.
    picoseconds reached() const { return m_clock.end; }
    /// At a barrier: when a frame last moved.
    picoseconds last_activity() const { return m_last_activity; }
    /// The earliest violation, or one with the time `never`. Collective (rank_team.h).
    violation first_violation() const;

 private:
    /// Starts the threads: one that the system refuses is an error of the caller's, which the kernel would
    /// report as one of the process that runs.
    void start_of_simulation() override;
    void step();
    void run_step();
    bool pass_idle_barrier(picoseconds now);
    picoseconds needed_barrier() const { return m_observer != nullptr ? m_observer->next_barrier() : never; }
    quantum_outcome run_quantum(picoseconds begin, picoseconds end);
    quantum_outcome run_literally(picoseconds begin, picoseconds end);
    void deliver_foreign();
    /// Of all ranks: how a quantum ended.
    struct barrier_state {
        bool broken;
        bool active;
        picoseconds next_event;
    };
    barrier_state agree(const quantum_outcome& outcome);
    void check(picoseconds time, bool broken);
    void check_deadlock();
    picoseconds next_event() const;
    struct scheduled_look {
        picoseconds interval;
        picoseconds next;
        /// Looks since something happened.
        unsigned idle;
        periodic_look* watch;
        void skip_to_after(picoseconds time) { next = (time / interval + 1) * interval; }
    };
    void look_if_due(picoseconds now);
    picoseconds next_step(picoseconds next_time);
    void find_next_look();

    simulation_clock& m_clock;
    std::vector<node*> m_nodes;
    engine_kind m_engine = engine_kind::fast;
    picoseconds m_quantum{0};
    picoseconds m_end{longest_time};
    bool m_ends_by_itself = true;
    picoseconds m_deadlock_after{never};
    thread_config m_threads;
    std::unique_ptr<quantum_runner> m_runner;
    // Of the literal engine, which runs one node after another.
    mail_order m_order;
    // When a frame last moved, and when a deadlock was last looked for.
    picoseconds m_last_activity{0};
    picoseconds m_last_look{0};
    // End of the last quantum in which any node had an event.
    picoseconds m_last_active{0};
    picoseconds m_longest_flight{0};
    barrier_observer* m_observer = nullptr;
    // Of the last quantum, of all ranks.
    barrier_observer::rank_state m_observed{};
    rank_team* m_team = &lone_rank::team();
    // Null where this process has the whole fabric.
    frame_exchange* m_exchange = nullptr;
    // Thrown inside the kernel's process, where it would be reported as uncaught.
    std::exception_ptr m_failure;
    // Something has happened since the last barrier that the observer needed.
    bool m_active_since_barrier = false;
    std::vector<scheduled_look> m_looks;
    // The earliest of all.
    picoseconds m_next_look = never;
    sc_core::sc_event m_wake;
    std::uint64_t m_quanta = 0;
};

}  // namespace weir::model
