#include "weir/traffic/goal/loggp_times.h"

#include <algorithm>
#include <queue>
#include <unordered_map>

#include "weir/traffic/goal/message_matching.h"

namespace weir::traffic {

namespace {

constexpr picoseconds longest = loggp_parameters::longest;

/// In their order at one instant, unless the accounting is `loggopsim`.
enum class stage : std::uint8_t { ended, arriving, beginning };
constexpr unsigned stage_shift = 62;

struct event {
    picoseconds time;
    /// The stage, where it counts, and below it the event's number, which it keeps when it has to wait.
    std::uint64_t order;
    /// Operation of the event; for an arriving message, its send.
    goal_index operation;
    stage at;
    /// The operation is a receive, and its message is there.
    bool is_received;
    /// True if the event represents all events that wait for its resources. It is the first of them.
    bool has_waited;

    friend bool operator>(const event& a, const event& b) {
        return a.time != b.time ? a.time > b.time : a.order > b.order;
    }
};

struct kept_message {
    goal_index send;
    /// When it is there, and unless with `logp` has been handled by the CPU.
    picoseconds there;
};

struct follows {
    bool operator()(const event& a, const event& b) const { return a.order > b.order; }
};

/// Events that wait for the same CPU and NIC. Only the first is queued in `m_events`. If all were queued again
/// after each service, an all-to-all would take time cubic in the ranks.
struct waiting_events {
    std::priority_queue<event, std::vector<event>, follows> events;
    /// Time and order of the queued event. A queued event with other values is stale and is ignored.
    picoseconds time{0};
    std::uint64_t order = 0;
};

/// An operation that may begin, from `time` on.
struct freed_operation {
    goal_index operation;
    picoseconds time;
};

class loggp_run {
 public:
    loggp_run(const goal_schedule& schedule, const loggp_parameters& parameters, loggp_accounting accounting)
        : m_schedule(schedule),
          m_parameters(parameters),
          m_is_logp(accounting == loggp_accounting::logp),
          m_has_stages(accounting != loggp_accounting::loggopsim),
          m_left(schedule.size()),
          m_ready(schedule.size()),
          m_cpu(std::size_t{schedule.ranks()} * schedule.cpus()),
          m_nic_out(std::size_t{schedule.ranks()} * schedule.nics()),
          m_nic_in(m_nic_out.size()),
          m_matching(schedule.ranks()) {
        m_times.end.resize(schedule.ranks());
    }

    loggp_times run() {
        for (std::uint32_t rank = 0; rank < m_schedule.ranks(); ++rank) {
            for (goal_index i = m_schedule.first(rank); i < m_schedule.first(rank + 1); ++i) {
                m_left[i] = m_schedule[i].requirements;
                if (m_left[i] == 0) {
                    m_freed.push_back({i, 0_ps});
                }
            }
            queue_freed();
        }
        while (!m_events.empty() && !m_times.is_too_long) {
            const event e = m_events.top();
            m_events.pop();
            serve(e);
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
        const std::uint64_t order = m_has_stages ? static_cast<std::uint64_t>(at) << stage_shift : 0;
        m_events.push({time, order | ++m_next, operation, at, is_received, false});
    }
    void serve(const event& e) {
        waiting_events& waiting = m_waiting[resources_of(e)];
        if (e.has_waited && (e.time != waiting.time || e.order != waiting.order)) {
            return;
        }
        m_times.is_too_long = e.time > longest;
        if (when_free(e) > e.time) {
            if (!e.has_waited) {
                waiting.events.push(e);
            }
        } else {
            if (e.has_waited) {
                waiting.events.pop();
                waiting.order = 0;
            }
            take(e);
            queue_freed();
        }
        wake(waiting, e.time);
    }
    /// Queues the first waiting event for the time at which its resources are free.
    void wake(waiting_events& waiting, picoseconds now) {
        if (waiting.events.empty()) {
            return;
        }
        event first = waiting.events.top();
        first.time = std::max(now, when_free(first));
        first.has_waited = true;
        if (first.time != waiting.time || first.order != waiting.order) {
            waiting.time = first.time;
            waiting.order = first.order;
            m_events.push(first);
        }
    }
    /// Key of the CPU and NIC that an event may have to wait for. Events with one key that wait become free
    /// together.
    std::size_t resources_of(const event& e) const {
        const goal_operation& operation = m_schedule[e.operation];
        const bool is_message = e.at == stage::arriving && !e.is_received;
        // Kinds: an arriving message, a send, anything that takes the CPU alone.
        const std::size_t kind = is_message ? 0 : operation.kind == goal_kind::send ? 1 : 2;
        const std::size_t rank = is_message ? operation.peer : m_schedule.rank_of(e.operation);
        return ((kind * m_schedule.ranks() + rank) * m_schedule.cpus() + operation.cpu) * m_schedule.nics() +
               operation.nic;
    }

    /// Returns when the CPU of an operation is free. `rank`: of the operation, or of the receiver of a send.
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
        const auto rest = static_cast<std::uint64_t>(m_parameters.byte_gap_rest);
        if (gaps > static_cast<std::uint64_t>(longest.count()) / (gap + 1)) {
            m_times.is_too_long = true;
            return longest;
        }
        return picoseconds{static_cast<std::int64_t>(gaps * gap + gaps * rest / 1000)};
    }

    /// When what an operation takes of its rank is free.
    picoseconds when_free(std::uint32_t rank, const goal_operation& operation) {
        const picoseconds own = cpu(rank, operation);
        return operation.kind == goal_kind::send ? std::max(own, nic(m_nic_out, rank, operation)) : own;
    }
    /// The same of an event; its time, where it takes nothing.
    picoseconds when_free(const event& e) {
        const goal_operation& operation = m_schedule[e.operation];
        if (e.at == stage::arriving && !e.is_received) {
            const picoseconds in = nic(m_nic_in, operation.peer, operation);
            return m_is_logp ? in : std::max(in, cpu(operation.peer, operation));
        }
        const bool is_posted = operation.kind == goal_kind::recv && !e.is_received;
        return e.at == stage::ended || is_posted ? e.time
                                                 : when_free(m_schedule.rank_of(e.operation), operation);
    }

    void take(const event& e) {
        if (e.at == stage::ended) {
            end(e.operation, e.time);
        } else if (e.is_received) {
            picoseconds& busy = cpu(m_schedule.rank_of(e.operation), m_schedule[e.operation]);
            busy = e.time + m_parameters.overhead;
            finish(e.operation, busy);
        } else if (e.at == stage::arriving) {
            arrive(e);
        } else {
            begin(e);
        }
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
        finish(e.operation, busy);
    }
    void arrive(const event& e) {
        const goal_operation& sent = m_schedule[e.operation];
        const picoseconds bytes = train(sent.amount);
        nic(m_nic_in, sent.peer, sent) = e.time + m_parameters.gap + bytes;
        picoseconds there = e.time + bytes;
        if (!m_is_logp) {
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
        if (m_is_logp) {
            add(time, stage::arriving, operation, true);
        } else {
            finish(operation, time);
        }
    }
    /// It will end at `time`. With LogGOPSim's accounting those that wait for it are queued now.
    void finish(goal_index operation, picoseconds time) {
        if (m_is_logp) {
            add(time, stage::ended, operation);
        } else {
            end(operation, time);
        }
    }
    void end(goal_index operation, picoseconds time) {
        picoseconds& last = m_times.end[m_schedule.rank_of(operation)];
        last = std::max(last, time);
        release(operation, goal_event::end, time);
    }
    void release(goal_index operation, goal_event event, picoseconds time) {
        m_schedule.for_each_waiting(operation, event, [&](goal_index waiting) {
            m_ready[waiting] = std::max(m_ready[waiting], time);
            if (--m_left[waiting] == 0) {
                m_freed.push_back({waiting, m_ready[waiting]});
            }
        });
    }
    /// Those that one event has freed: sends first, then receives, then computations, as LogGOPSim does it.
    void queue_freed() {
        std::stable_sort(m_freed.begin(), m_freed.end(),
                         [&](const freed_operation& a, const freed_operation& b) {
                             return m_schedule[a.operation].kind < m_schedule[b.operation].kind;
                         });
        for (const freed_operation& freed : m_freed) {
            const std::uint32_t rank = m_schedule.rank_of(freed.operation);
            const picoseconds time =
                m_is_logp ? freed.time : std::max(freed.time, when_free(rank, m_schedule[freed.operation]));
            add(time, stage::beginning, freed.operation);
        }
        m_freed.clear();
    }

    const goal_schedule& m_schedule;
    const loggp_parameters m_parameters;
    const bool m_is_logp;
    /// Stages order the events of an instant.
    const bool m_has_stages;
    loggp_times m_times;
    std::priority_queue<event, std::vector<event>, std::greater<>> m_events;
    std::uint64_t m_next = 0;
    /// By the present event.
    std::vector<freed_operation> m_freed;
    /// Requirements of each operation that are not met yet.
    std::vector<std::uint32_t> m_left;
    /// For each operation, the latest time of the requirements that are met. With several CPUs, a requirement
    /// that is met later may have an earlier time.
    std::vector<picoseconds> m_ready;
    // When each is free, by rank and number.
    std::vector<picoseconds> m_cpu;
    std::vector<picoseconds> m_nic_out;
    std::vector<picoseconds> m_nic_in;
    /// `resources_of` gives the keys.
    std::unordered_map<std::size_t, waiting_events> m_waiting;
    std::vector<message_matching<kept_message>> m_matching;
};

}  // namespace

loggp_times evaluate_loggp(const goal_schedule& schedule, const loggp_parameters& parameters,
                           loggp_accounting accounting) {
    return loggp_run(schedule, parameters, accounting).run();
}

}  // namespace weir::traffic
