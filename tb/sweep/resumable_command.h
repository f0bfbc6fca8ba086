// What `weir sweep` and `weir size` have in common as commands: a call that can be made again goes on.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace weir {

/// Calls `run` with the command line as a shell takes it. What it throws (a full disk, a run that cannot be
/// started) is said, with what the same command does then; the exit status is that of `failure_of`.
int run_resumable(const std::string& command, const std::vector<std::string>& args, std::ostream& err,
                  const std::function<int(const std::string& command_line)>& run);

}  // namespace weir
