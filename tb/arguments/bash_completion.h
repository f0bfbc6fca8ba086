// `weir --bash-completion`: commands, their arguments, options of a run and their values, for bash.
#pragma once

#include <ostream>
#include <vector>

#include "tb/arguments/argument_help.h"

namespace weir::tb {

/// A script that bash reads; it needs no other one. Options of loaded plugins are among them.
void write_bash_completion(std::ostream& out, const std::vector<command_help>& commands);

}  // namespace weir::tb
