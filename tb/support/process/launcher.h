// What a launcher of parallel programs (mpirun, srun) tells the processes that it starts: in their environment.
//
//   const unsigned ranks = launched_processes();           // of a run
//   const auto own = environment_without_launcher();       // for a child, which is no rank
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weir::tb {

/// How many processes a launcher has started together, this one included: 1 without one. Throws
/// command_error (bad input) where the launcher's number cannot be read.
unsigned launched_processes();
/// This process's number among them, as text; null without a launcher. Takes no memory.
const char* launched_rank();
/// Whether this process says what all that were started together have to say: rank 0, or the only one.
bool speaks_for_launched();
/// Of the environment that a launcher gives its processes: `NAME`, without the value. Settings that the user
/// makes for MPI are not.
bool is_launcher_variable(std::string_view name);
/// This process's, `NAME=value` each.
std::vector<std::string> environment_without_launcher();

}  // namespace weir::tb
