#include "weir/traffic/goal/loggp_times.h"

#include <algorithm>
#include <queue>

#include "weir/traffic/goal/message_matching.h"

namespace weir::traffic {

namespace {

constexpr picoseconds longest = loggp_parameters::longest;

/// In their order at one instant.
enum class stage : std::uint8_t { ended, arriving, beginning };

struct event {
    picoseconds time;
    /// The stage, and below it when the event came to be: it keeps that number when it has to wait.
    std::uint64_t order;
    /// The operation; of a message that arrives, its send.
    goal_index operation;
    /// The operation is a receive, and its message is there.
    bool is_received;

    static constexpr unsigned stage_shift = 62;
    stage at() const { return static_cast<stage>(order >> stage_shift); }
    friend bool operator>(const event& a, const event& b) {
        return a.time != b.time ? a.time > b.time : a.order > b.order;
    }
};

struct kept_message {
    goal_index send;
    /// When it is there, and with `goalsim` has been handled by the CPU.
    picoseconds there;
};

class loggp_run {
 public:
    loggp_run(const goal_schedule& schedule, const loggp_parameters& parameters, loggp_accounting accounting)
        : m_schedule(schedule),
          m_parameters(parameters),
          m_is_goalsim(accounting == loggp_accounting::goalsim),
          m_left(schedule.size()),
          m_cpu(std::size_t{schedule.ranks()} * schedule.cpus()),
          m_nic_out(std::size_t{schedule.ranks()} * schedule.nics()),
          m_nic_in(m_nic_out.size()),
          m_matching(schedule.ranks()) {
        m_times.end.resize(schedule.ranks());
    }

    loggp_times run() {
        for (goal_index i = 0; i < m_schedule.size(); ++i) {
            m_left[i] = m_schedule[i].requirements;
            if (m_left[i] == 0) {
                add(0_ps, stage::beginning, i);
            }
        }
        while (!m_events.empty() && !m_times.is_too_long) {
            event e = m_events.top();
            m_events.pop();
            m_times.is_too_long = e.time > longest;
            const picoseconds free = when_free(e);
            if (free > e.time) {
                e.time = free;
                m_events.push(e);
            } else {
                take(e);
            }
        }
        for (const auto& queues : m_matching) {
            for (const auto& [envelope, message] : queues.unexpected()) {
                m_times.sends_left.push_back(message.send);
            }
            for (const auto& [envelope, receive] : queues.posted()) {
                m_times.receives_left.push_back(receive);
            }
        }
        return std::move(m_times);
    }

 private:
    void add(picoseconds time, stage at, goal_index operation, bool is_received = false) {
        const std::uint64_t order = static_cast<std::uint64_t>(at) << event::stage_shift | m_next++;
        m_events.push({time, order, operation, is_received});
    }
    /// Of the rank: its own, or that of a message.
    picoseconds& cpu(std::uint32_t rank, const goal_operation& operation) {
        return m_cpu[std::size_t{rank} * m_schedule.cpus() + operation.cpu];
    }
    picoseconds& nic(std::vector<picoseconds>& sides, std::uint32_t rank,
                     const goal_operation& operation) const {
        return sides[std::size_t{rank} * m_schedule.nics() + operation.nic];
    }
    /// (k - 1) G.
    picoseconds train(std::uint64_t bytes) {
        const std::uint64_t gaps = bytes == 0 ? 0 : bytes - 1;
        const auto gap = static_cast<std::uint64_t>(m_parameters.byte_gap.count());
        if (gap != 0 && gaps > static_cast<std::uint64_t>(longest.count()) / gap) {
            m_times.is_too_long = true;
            return longest;
        }
        return picoseconds{static_cast<std::int64_t>(gaps * gap)};
    }

    /// When all that the event takes is free.
    picoseconds when_free(const event& e) {
        const goal_operation& operation = m_schedule[e.operation];
        if (e.at() == stage::ended) {
            return e.time;
        }
        if (e.at() == stage::arriving && !e.is_received) {
            const picoseconds in = nic(m_nic_in, operation.peer, operation);
            return m_is_goalsim ? std::max(in, cpu(operation.peer, operation)) : in;
        }
        const std::uint32_t rank = m_schedule.rank_of(e.operation);
        if (operation.kind == goal_kind::recv && !e.is_received) {
            return e.time;  // to post it takes nothing
        }
        const picoseconds own = cpu(rank, operation);
        return operation.kind == goal_kind::send ? std::max(own, nic(m_nic_out, rank, operation)) : own;
    }

    void take(const event& e) {
        if (e.at() == stage::ended) {
            end(e);
        } else if (e.is_received) {
            finish_receive(e);
        } else if (e.at() == stage::arriving) {
            arrive(e);
        } else {
            begin(e);
        }
    }
    void release(goal_index operation, goal_event event, picoseconds now) {
        m_schedule.for_each_waiting(operation, event, [&](goal_index waiting) {
            if (--m_left[waiting] == 0) {
                add(now, stage::beginning, waiting);
            }
        });
    }
    void end(const event& e) {
        picoseconds& last = m_times.end[m_schedule.rank_of(e.operation)];
        last = std::max(last, e.time);
        release(e.operation, goal_event::end, e.time);
    }
    void begin(const event& e) {
        const goal_operation& operation = m_schedule[e.operation];
        const std::uint32_t rank = m_schedule.rank_of(e.operation);
        release(e.operation, goal_event::start, e.time);
        if (operation.kind == goal_kind::recv) {
            if (const auto message = m_matching[rank].post({operation.peer, operation.tag}, e.operation)) {
                receive(e.operation, std::max(e.time, message->there));
            }
            return;
        }
        picoseconds& busy = cpu(rank, operation);
        if (operation.kind == goal_kind::send) {
            busy = e.time + m_parameters.overhead;
            nic(m_nic_out, rank, operation) = e.time + m_parameters.gap + train(operation.amount);
            add(busy + m_parameters.latency, stage::arriving, e.operation);
        } else {
            busy = e.time + picoseconds{static_cast<std::int64_t>(operation.amount) * 1000};
        }
        add(busy, stage::ended, e.operation);
    }
    void arrive(const event& e) {
        const goal_operation& sent = m_schedule[e.operation];
        const picoseconds bytes = train(sent.amount);
        nic(m_nic_in, sent.peer, sent) = e.time + m_parameters.gap + bytes;
        picoseconds there = e.time + bytes;
        if (m_is_goalsim) {
            there += m_parameters.overhead;
            cpu(sent.peer, sent) = there;
            m_times.end[sent.peer] = std::max(m_times.end[sent.peer], there);
        }
        const message_envelope envelope{m_schedule.rank_of(e.operation), sent.tag};
        if (const auto posted = m_matching[sent.peer].arrive(envelope, {e.operation, there})) {
            receive(*posted, there);
        }
    }
    /// The message is there, and the receive posted.
    void receive(goal_index operation, picoseconds time) {
        add(time, m_is_goalsim ? stage::ended : stage::arriving, operation, true);
    }
    void finish_receive(const event& e) {
        picoseconds& busy = cpu(m_schedule.rank_of(e.operation), m_schedule[e.operation]);
        busy = e.time + m_parameters.overhead;
        add(busy, stage::ended, e.operation);
    }

    const goal_schedule& m_schedule;
    const loggp_parameters m_parameters;
    const bool m_is_goalsim;
    loggp_times m_times;
    std::priority_queue<event, std::vector<event>, std::greater<>> m_events;
    std::uint64_t m_next = 0;
    /// Requirements of each operation that are not met yet.
    std::vector<std::uint32_t> m_left;
    // When each is free, by rank and number.
    std::vector<picoseconds> m_cpu;
    std::vector<picoseconds> m_nic_out;
    std::vector<picoseconds> m_nic_in;
    std::vector<message_matching<kept_message>> m_matching;
};

}  // namespace

loggp_times evaluate_loggp(const goal_schedule& schedule, const loggp_parameters& parameters,
                           loggp_accounting accounting) {
    return loggp_run(schedule, parameters, accounting).run();
}

}  // namespace weir::traffic
