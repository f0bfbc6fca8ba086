// Traces of MPI programs as liballprof writes them (part of LogGOPSim), as a schedule: calls become messages,
// and the time between the end of a call and the beginning of the next one a computation.
//
//     # comments
//     MPI_Init:-:140733:140734:1000000
//     MPI_Isend:1000010:93824:128:11,8,8:1:7:4500,0,2:93900:1000012
//     MPI_Wait:1000020:93900:140732:1000055
//     MPI_Finalize:1000060:-
//
// One file per rank, a line per call: its name, when it began, its arguments, when it ended; times in us. A
// datatype is its number, size and extent (B); a communicator its number, the caller's rank in it, and its
// size; a request the address of its handle.
//
//   allprof_reader reader(2, 8);
//   reader.read_rank(file0, "pmpi-trace-rank-0.txt");
//   reader.read_rank(file1, "pmpi-trace-rank-1.txt");
//   const goal_file read = reader.take();
//
// Point-to-point calls: Send, Ssend, Rsend, Bsend, Isend, Issend, Irsend, Ibsend, Recv, Irecv, Sendrecv, Wait,
// Waitall; a source or tag of -1 is any, a rank of -2 none (Open MPI's numbers). All sends end alike; which are
// eager is not the trace's matter. Collective ones, as rank_program.h makes them: Barrier, Bcast, Reduce,
// Allreduce, Allgather, Alltoall. Calls that only ask or arrange something (MPI_Comm_rank, MPI_Type_...,
// MPI_Test) count as computation. All others are refused, and so are communicators other than that of all ranks
// in their order.
#pragma once

#include <cstdint>
#include <istream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "weir/traffic/goal/goal_file.h"
#include "weir/traffic/goal/rank_program.h"
#include "weir/traffic/traces/flow_trace.h"

namespace weir::traffic {

class allprof_reader {
 public:
    /// `request_bytes`: of a request's handle in an array of them: 8 in Open MPI, 4 in MPICH.
    allprof_reader(std::uint32_t ranks, unsigned request_bytes)
        : m_ranks(ranks), m_request_bytes(request_bytes) {}

    /// Of the next rank. `file` is its name, for messages.
    void read_rank(std::istream& in, const std::string& file);
    goal_file take() { return {m_builder.take(), m_errors.list()}; }

 private:
    struct call;

    const call* find_call(std::string_view name) const;
    void read_call(rank_program& program, std::string_view line);
    bool read_times(rank_program& program);
    void make(rank_program& program, const call& known);
    // Fields of the call, numbered from the first argument on; each tells of what is wrong with its own.
    std::uint64_t number(std::size_t argument, std::uint64_t high);
    std::uint64_t length(std::size_t count, std::size_t type);
    std::uint32_t rank_at(std::size_t argument, bool may_be_any);
    std::uint32_t tag_at(std::size_t argument, bool may_be_any);
    void check_communicator(std::size_t argument);
    void refuse(std::string message);

    std::uint32_t m_ranks;
    unsigned m_request_bytes;
    goal_builder m_builder;
    error_log m_errors;
    std::uint32_t m_rank = 0;
    // Of the rank that is read.
    std::string m_file;
    int m_line = 0;
    std::vector<std::string_view> m_fields;
    bool m_is_good = true;
    bool m_has_begun = false;
    bool m_has_ended = false;
    /// When the call before ended. Unit: ns.
    std::uint64_t m_end = 0;
    std::uint32_t m_collectives = 0;
    std::map<std::uint64_t, goal_index> m_requests;
};

}  // namespace weir::traffic
