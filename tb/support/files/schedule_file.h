// Parallel programs from files, for commands that execute or evaluate them.
#pragma once

#include <string>
#include <vector>

#include "weir/traffic/goal/goal_file.h"
#include "weir/traffic/goal/loggp_times.h"

namespace weir::tb {

/// A GOAL schedule. `key`: the option that names it, for messages.
goal_file read_schedule(const std::string& path, const std::string& key);
/// The files of liballprof's traces: of rank 0, whose name ends with that number, and of ranks 1, 2 and so on,
/// as long as there is one. None where the name does not say 0.
std::vector<std::string> trace_files(const std::string& first);
/// liballprof's traces: of rank 0, whose name ends with that number, and of ranks 1, 2 and so on beside it.
/// `request_bytes`: of a request's handle.
goal_file read_traces(const std::string& first, unsigned request_bytes, const std::string& key);

/// Sends that no receive takes, and receives that no message comes for: those of the first rank that has any.
/// `source`: the schedule's file, for messages.
config_errors unmatched_messages(const goal_schedule& schedule, const loggp_times& times,
                                 const std::string& source);

}  // namespace weir::tb
