// A GOAL schedule (Hoefler, Siebert, Lumsdaine: Group Operation Assembly Language, ICPP 2009): what each rank
// of a parallel program sends, receives and computes, and which operations wait for which others of the same
// rank.
//
//   goal_builder builder;
//   builder.begin_rank();
//   const goal_index first = builder.add(goal_operation::calc(500));
//   builder.require(builder.add(goal_operation::send(1, 8, 0)), first, goal_event::end);
//   builder.end_rank();
//   builder.begin_rank();
//   builder.add(goal_operation::recv(0, 8, 0));
//   builder.end_rank();
//   const goal_schedule schedule = builder.take();
//
// Operations of all ranks stand in one array, rank by rank; those that wait for an operation in another one:
// about 28 B per operation and 4 B per requirement. goal_file.h reads schedules.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weir::traffic {

/// Place of an operation in its schedule.
using goal_index = std::uint32_t;
/// Of a file; a call of a trace may make a few more.
inline constexpr goal_index most_goal_operations = 2'000'000'000;
inline constexpr std::uint32_t most_goal_ranks = std::uint32_t{1} << 20;
/// Longest message, in bytes, and longest computation, in ns.
inline constexpr std::uint64_t largest_goal_amount = std::uint64_t{1} << 48;

enum class goal_kind : std::uint8_t { send, recv, calc };
/// What of an operation others wait for.
enum class goal_event : std::uint8_t { start, end };

/// Of a receive: a message from any rank, with any tag.
inline constexpr std::uint32_t any_rank = ~std::uint32_t{0};
inline constexpr std::uint32_t any_tag = ~std::uint32_t{0};

struct goal_operation {
    /// A message's bytes, or a computation's ns.
    std::uint64_t amount = 0;
    /// Destination of a send, source of a receive.
    std::uint32_t peer = 0;
    std::uint32_t tag = 0;
    /// Operations whose start or end it waits for; counted by the builder.
    std::uint32_t requirements = 0;
    goal_kind kind = goal_kind::calc;
    /// Of its rank. 0 where a schedule does not say.
    std::uint8_t cpu = 0;
    std::uint8_t nic = 0;

    static goal_operation send(std::uint32_t dst, std::uint64_t bytes, std::uint32_t tag) {
        return {bytes, dst, tag, 0, goal_kind::send, 0, 0};
    }
    static goal_operation recv(std::uint32_t src, std::uint64_t bytes, std::uint32_t tag) {
        return {bytes, src, tag, 0, goal_kind::recv, 0, 0};
    }
    static goal_operation calc(std::uint64_t ns) { return {ns, 0, 0, 0, goal_kind::calc, 0, 0}; }
};

/// `send to rank 3 with tag 5`, `calc of 700 ns`.
std::string operation_text(const goal_operation& operation);

class goal_schedule {
 public:
    std::uint32_t ranks() const { return static_cast<std::uint32_t>(m_first.size()) - 1; }
    goal_index size() const { return static_cast<goal_index>(m_operations.size()); }
    const goal_operation& operator[](goal_index operation) const { return m_operations[operation]; }
    /// Operations of a rank: from `first(rank)` to before `first(rank + 1)`.
    goal_index first(std::uint32_t rank) const { return m_first[rank]; }
    std::uint32_t rank_of(goal_index operation) const;
    /// CPUs, and NICs, that each rank has: one more than the largest number of one.
    unsigned cpus() const { return m_cpus; }
    unsigned nics() const { return m_nics; }
    /// All operations name NIC 0 from now on.
    void use_one_nic();

    /// Calls visit(waiting) for each operation that waits for this event of `operation`, in the order in which
    /// the requirements were given.
    template <class Visit>
    void for_each_waiting(goal_index operation, goal_event event, Visit&& visit) const {
        for (std::uint32_t i = m_first_waiting[operation]; i < m_first_waiting[operation + 1]; ++i) {
            if (m_waiting[i].for_start == (event == goal_event::start)) {
                visit(goal_index{m_waiting[i].operation});
            }
        }
    }

 private:
    friend class goal_builder;
    struct waiting_operation {
        goal_index operation : 31;
        bool for_start : 1;
    };

    std::vector<goal_operation> m_operations;
    std::vector<goal_index> m_first{0};
    // Of each operation, the first one that waits for it; one more at the end.
    std::vector<std::uint32_t> m_first_waiting{0};
    std::vector<waiting_operation> m_waiting;
    unsigned m_cpus = 1;
    unsigned m_nics = 1;
};

/// Makes a schedule rank by rank.
class goal_builder {
 public:
    void begin_rank();
    /// Its number within the rank, from 0.
    goal_index add(const goal_operation& operation);
    /// `waiting` waits for an event of `awaited`; both by their number within the rank.
    void require(goal_index waiting, goal_index awaited, goal_event event);
    /// An operation of the rank that waits for itself, over others or at once; nothing where there is none.
    std::optional<goal_index> end_rank();
    /// There are `most_goal_operations`, or twice as many requirements: no more may be added.
    bool full() const;
    /// Operations so far, of all ranks.
    goal_index size() const { return m_schedule.size(); }
    goal_schedule take() { return std::move(m_schedule); }

 private:
    struct requirement {
        goal_index waiting;
        goal_index awaited;
        goal_event event;
    };

    goal_schedule m_schedule;
    std::vector<requirement> m_requirements;
};

}  // namespace weir::traffic
