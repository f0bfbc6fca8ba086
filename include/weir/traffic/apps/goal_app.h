// One rank of a parallel program (traffic.kind = goal): it sends, receives and computes as the schedule says
// (goal_schedule.h), each operation when all that it requires has begun or ended.
//
// **CPUs.** A rank has those that its operations name. One does one thing at a time: a computation, or the
// overhead o of a message that is sent or has been received; received messages first, then what has waited for
// the longest.
//
// **Messages.** One of up to `eager_limit` is a transfer as soon as its send has taken the CPU and its turn has
// come, and the send ends then. For a longer one the sender asks first (a transfer of `rendezvous_bytes`); the
// receiver answers with another one when a receive is posted that takes the message, and then it is sent; the
// send ends when the transport is done with it. Neither costs a CPU anything. Receives match by source and tag
// (message_matching.h), in the order in which a source sent its messages, whichever came first. A message of a
// rank to itself is there at once; an empty one is 1 B long.
//
// Each message is a transfer of its own. Of those that are answered one at a time goes from a rank to another,
// as on a connection that is kept open; those that are sent at once share the path (`message_turns`). With
// `tcp.connection_cache` each begins with the window with which the one before ended.
//
// **Numbers.** A message's flow has the number of its send in the schedule; a request has `schedule.size()`
// more, its answer twice that. Job r is rank r's part of the program; its bytes are those of the messages that
// it sends and receives.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weir/base/number_table.h"
#include "weir/traffic/apps/workload_plan.h"
#include "weir/traffic/apps/workloads.h"
#include "weir/traffic/goal/message_matching.h"

namespace weir::traffic {

class goal_app final : public application {
 public:
    /// A request to send, or its answer: an envelope and the address of a buffer.
    static constexpr bytes rendezvous_bytes{64};

    goal_app(std::shared_ptr<const workload_plan> plan, host_id self);

    void start(application_services& services) override;
    void on_timer(application_services& services, std::uint64_t cookie) override;
    void on_received(application_services& services, const received_transfer& transfer) override;
    void on_sent(application_services& services, const transfer_request& transfer) override;
    bool exhausted() const override { return m_left == 0; }
    /// `rank 3: recv from rank 0 with tag 1 (operation 5 of the rank)`: the first that has not ended.
    std::string waits_for() const override;
    void list_open_jobs(std::vector<job_record>& open) const override;

 private:
    /// What a transfer of a message is.
    enum class part : std::uint8_t { message, request, answer };
    /// A message that is there, or whose sender asks.
    struct arrival {
        goal_index send = 0;
        bool is_request = false;
        pfc_class priority = 0;
    };
    struct waiting_message {
        goal_index send;
        pfc_class priority;
        std::uint32_t order;
    };
    /// What a CPU does.
    struct work {
        goal_index operation = 0;
        /// The operation is a receive, or of a message that has come for it.
        bool is_received = false;
    };
    struct cpu {
        bool is_busy = false;
        work present;
        std::deque<goal_index> received;
        std::deque<goal_index> waiting;
    };

    const goal_schedule& schedule() const { return m_plan->schedule(); }
    bool is_eager(goal_index operation) const;
    /// In which a message waits for its turn; none: it does not.
    std::optional<std::uint32_t> line_of(goal_index send) const;
    cpu& cpu_of(goal_index operation) { return m_cpus[schedule()[operation].cpu]; }

    void release(goal_index operation, goal_event event);
    /// Does all that can be done now.
    void advance(application_services& services);
    void begin_freed(application_services& services);
    bool use_cpus(application_services& services);
    void begin(application_services& services, std::size_t number, const work& next);
    void finish(application_services& services, const work& done);
    void transmit(application_services& services, goal_index send);
    void send_part(application_services& services, goal_index send, part which, pfc_class priority,
                   std::uint32_t order = 0);
    void arrive_in_order(application_services& services, std::uint32_t src, std::uint32_t order,
                         const arrival& arrived);
    void arrive(application_services& services, std::uint32_t src, const arrival& arrived);
    void take(application_services& services, goal_index receive, const arrival& arrived);
    void send_in_turn(application_services& services, const waiting_message& message);
    void send_message(application_services& services, const waiting_message& message);
    void end(application_services& services, goal_index operation);
    /// The rank's part of the program, as a job of host `self`.
    job_record job(host_id self, picoseconds end) const;

    std::shared_ptr<const workload_plan> m_plan;
    random_stream m_priority;
    /// `no_rank`: this host has none, and does nothing.
    std::uint32_t m_rank;
    goal_index m_first = 0;
    /// Operations that have not ended.
    goal_index m_left = 0;
    /// Of each operation of the rank, how much that it requires has not happened.
    std::vector<std::uint32_t> m_requirements;
    std::vector<bool> m_ended;
    bool m_has_begun = false;
    std::vector<goal_index> m_freed;
    std::vector<cpu> m_cpus;
    message_matching<arrival> m_matching;
    /// By rank: messages that were sent to it, and those of it that have been matched or kept.
    number_table<std::uint32_t> m_sent_to;
    number_table<std::uint32_t> m_come_from;
    /// By rank and order: those that came before an earlier one.
    std::map<std::pair<std::uint32_t, std::uint32_t>, arrival> m_early;
    /// By line: messages one after the other; the first is under way.
    std::map<std::uint32_t, std::deque<waiting_message>> m_lines;
    /// By send: receives that have been answered and wait for the message.
    number_table<goal_index> m_answered;
    bytes m_bytes{0};
    std::uint32_t m_transfers = 0;
};

workload_traits goal_workload();

}  // namespace weir::traffic
