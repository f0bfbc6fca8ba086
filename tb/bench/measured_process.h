// A program that is run to its end, with what it printed.
//
//   const process_result r = run_process({"valgrind", "--version"});
//   if (r.status != 0) { ... }        // r.errors
#pragma once

#include <string>
#include <vector>

namespace weir::tb {

struct process_result {
    /// Exit status; 128 + n where signal n ended it; 127 where it could not be started.
    int status = 0;
    /// Standard output and standard error.
    std::string output;
    std::string errors;
};

/// Searches PATH. The process dies with this one. Throws std::system_error where no process can be made;
/// command_error, with the status of an interrupted command, where one of `ending_signals` comes, or has come
/// before: the process is ended. A `signal_guard` has to be there.
process_result run_process(const std::vector<std::string>& arguments);

}  // namespace weir::tb
