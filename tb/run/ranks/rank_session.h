// The processes of one command: those that `mpirun` has started together, or this one alone.
//
//   rank_session session;                       // before anything else
//   rank_team& team = session.team();
//   session.end_all(3);                         // from a failure that the other ranks do not know of
//
// Started by mpirun, a program that was built without MPI would run as many times as there are ranks; it
// refuses to. `weir run` divides one simulation among ranks (rank_team.h), commands with many runs divide these
// (rank_messages.h). Other commands do not use ranks. Children are not to take part in any: they start without
// the launcher's environment (launcher.h).
#pragma once

#include <iosfwd>
#include <memory>
#include <stdexcept>
#include <string>

#include "tb/run/ranks/rank_messages.h"
#include "weir/model/ranks/rank_team.h"

namespace weir::tb {

using model::rank_lost;
using model::rank_team;

/// Another rank of the run has failed, and says why.
class ended_by_other_rank : public std::runtime_error {
 public:
    ended_by_other_rank() : std::runtime_error("another rank of the run has failed") {}
};

class rank_session {
 public:
    /// Throws command_error, on all ranks, where the launcher's number of ranks cannot be read, or this program
    /// has no MPI or another one than the launcher's (bad input), or MPI allows no threads; rank_lost where MPI
    /// fails.
    rank_session();
    ~rank_session();
    rank_session(const rank_session&) = delete;
    rank_session& operator=(const rank_session&) = delete;

    rank_team& team() { return *m_team; }
    /// Null where there are no others.
    rank_messages* messages() const;
    /// Another rank has failed, and will end this process.
    void wait_for_end() const;
    /// Ends the other ranks, which may be waiting for this one, and this process. Returns where there are none.
    void end_all(int status);

 private:
    std::unique_ptr<rank_team> m_team;
};

/// Prints why there is no session: what all ranks throw on rank 0 alone, another failure with the number of its
/// rank. The launcher ends the others, as this process ends without MPI's end. Returns the exit status.
int refused_session(const std::string& command, const std::exception& why, std::ostream& err);

}  // namespace weir::tb
