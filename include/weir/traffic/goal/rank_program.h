// The operations of one rank of a schedule, from the calls of its program one after the other, as MPI names
// them.
//
//   goal_builder builder;
//   builder.begin_rank();
//   rank_program program(builder, 0, 8);
//   program.compute(500);
//   const goal_index early = program.start_recv(7, 64, 1);
//   program.send(1, 64, 1);                   // begins after the computation, once the receive is posted
//   program.wait(early);
//   program.all_reduce(1024, 2);
//   builder.end_rank();
//
// A collective operation is its messages, with a tag that no other operation of the time has; all ranks have to
// call it. An all-to-all ends with a computation of 0 ns, for which all later operations wait. Algorithms are
// those of LogGOPSim's Schedgen: dissemination, binomial trees, and for all-to-all a message to each.
#pragma once

#include <cstdint>
#include <vector>

#include "weir/traffic/goal/goal_schedule.h"

namespace weir::traffic {

class rank_program {
 public:
    rank_program(goal_builder& builder, std::uint32_t rank, std::uint32_t ranks)
        : m_builder(builder), m_rank(rank), m_ranks(ranks) {}

    void compute(std::uint64_t ns);
    /// What follows begins when they have ended.
    void send(std::uint32_t dst, std::uint64_t bytes, std::uint32_t tag);
    void recv(std::uint32_t src, std::uint64_t bytes, std::uint32_t tag);
    /// What follows begins when they have begun, and after `wait` when they have ended.
    goal_index start_send(std::uint32_t dst, std::uint64_t bytes, std::uint32_t tag);
    goal_index start_recv(std::uint32_t src, std::uint64_t bytes, std::uint32_t tag);
    void wait(goal_index started);
    /// A send beside the rest of the program, which begins when these have ended.
    goal_index send_after(const std::vector<goal_index>& awaited, std::uint32_t dst, std::uint64_t bytes,
                          std::uint32_t tag);
    /// A send and a receive beside each other.
    void exchange(std::uint32_t dst, std::uint64_t bytes, std::uint32_t src, std::uint64_t bytes_back,
                  std::uint32_t tag, std::uint32_t tag_back);

    void barrier(std::uint32_t tag) { all_reduce(1, tag); }
    /// Dissemination: in round i, 2^i ranks on, all bytes.
    void all_reduce(std::uint64_t bytes, std::uint32_t tag);
    /// The same with what has been gathered so far. `bytes`: of one rank.
    void all_gather(std::uint64_t bytes, std::uint32_t tag);
    /// `bytes`: from each rank to each other one.
    void all_to_all(std::uint64_t bytes, std::uint32_t tag);
    void broadcast(std::uint32_t root, std::uint64_t bytes, std::uint32_t tag);
    void reduce(std::uint32_t root, std::uint64_t bytes, std::uint32_t tag);

 private:
    struct awaited_event {
        goal_index operation;
        goal_event event;
    };
    goal_index add(const goal_operation& operation);

    goal_builder& m_builder;
    std::uint32_t m_rank;
    std::uint32_t m_ranks;
    /// What the next operation waits for.
    std::vector<awaited_event> m_before;
};

}  // namespace weir::traffic
