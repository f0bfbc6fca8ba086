// Flows of a trace. The program hands each flow to its source's application, ahead of its start; a flow
// that waits for a trigger starts when another one is complete.
//
//   source.add(flow);                    // flow.src's
//   if (flow.fires_received != no_trigger) {
//       destination.expect(flow);        // flow.dst's: it is the one that knows when all bytes are there
//   }
//
// A trigger acts within one host at once: the follow-up flow starts in the same call. Across hosts it takes at
// least the fabric's lookahead, because hosts run ahead of each other. With
// `workload_inputs::triggers_across_hosts`, applications only record the triggers that have fired. At a barrier
// the program takes these records in order of time and host, asks its own `trigger_board` which flows start,
// and adds them at time + delay.
//
// Calls of `add` and `expect` are made before the run, or at a barrier for times not before it. A flow that
// is added at a barrier also sets a timer; the caller sees to it that the host wakes at `next_start()`.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "weir/traffic/apps/workload_plan.h"
#include "weir/traffic/traces/flow.h"

namespace weir::traffic {

/// Which flows wait for which trigger. Keeps nothing of a trigger whose flows have all started.
class trigger_board {
 public:
    /// In the order of id; outlives the board, as a fabric has one for each host. Triggers that are not listed
    /// are oneshots.
    explicit trigger_board(const std::vector<trace_trigger>& triggers) : m_triggers(&triggers) {}
    explicit trigger_board(std::vector<trace_trigger>&&) = delete;

    /// Range: flow.trigger != no_trigger. In the order of the file.
    void wait(const trace_flow& flow);
    /// Appends the flows that start now, in the order in which they came.
    void fire(trigger_id trigger, std::vector<trace_flow>& starting);
    /// Flows that wait.
    std::size_t waiting() const { return m_waiting; }
    /// Triggers for which a flow waits, and barriers of which a part has fired.
    std::size_t pending() const { return m_entries.size(); }

 private:
    struct entry {
        std::vector<trace_flow> flows;
        std::size_t started = 0;
        std::uint32_t fired = 0;
    };
    const trace_trigger* find(trigger_id trigger) const;

    const std::vector<trace_trigger>* m_triggers;
    std::map<trigger_id, entry> m_entries;
    std::size_t m_waiting = 0;
};

/// A trigger that acts across hosts has fired.
struct trigger_firing {
    picoseconds time;
    trigger_id trigger;
};

class trace_app final : public application {
 public:
    trace_app(std::shared_ptr<const workload_plan> plan, host_id self);

    /// Flows of this host. Starts not before the time of the call; ties start in the order of `flow.flow`.
    /// Where triggers reach across hosts, a flow that waits is not added but when its trigger has fired.
    void add(const trace_flow& flow);
    /// This host receives the flow, and fires `fires_received` when all its bytes are there.
    void expect(const trace_flow& flow);
    /// Start of the earliest flow that has not begun; `never` if there is none.
    picoseconds next_start() const { return m_flows.empty() ? never : m_flows.front().start; }
    /// What has fired across hosts since it was last cleared, in order of time.
    const std::vector<trigger_firing>& firings() const { return m_firings; }
    void clear_firings() { m_firings.clear(); }

    void start(application_services& services) override;
    void on_timer(application_services& services, std::uint64_t cookie) override;
    void on_received(application_services& services, const received_transfer& transfer) override;
    void on_sent(application_services& services, const transfer_request& transfer) override;
    /// Of the flows that were added. Whether the trace has more only the program knows.
    bool exhausted() const override { return m_flows.empty() && m_board.waiting() == 0 && m_firings.empty(); }
    bool is_job(std::uint8_t) const override { return true; }

 private:
    /// By number of flow. Never iterated.
    using firing_flows = std::unordered_map<std::uint64_t, trigger_id>;

    void arm();
    void start_flow(application_services& services, const trace_flow& flow);
    void complete(application_services& services, firing_flows& flows, std::uint64_t flow);

    std::shared_ptr<const workload_plan> m_plan;
    application_services* m_services = nullptr;
    /// A heap, the earliest first.
    std::vector<trace_flow> m_flows;
    /// Earliest timer that is set; `never` if there is none.
    picoseconds m_armed = never;
    trigger_board m_board;
    firing_flows m_fire_when_sent;
    firing_flows m_fire_when_received;
    std::vector<trigger_firing> m_firings;
};

}  // namespace weir::traffic
