// `weir options`: the reference of all options, of some, or what differs between two configurations.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "tb/arguments/argument_help.h"

namespace weir::tb {

/// `weir help WORD ...`, where no word is a command: options, and arguments of commands.
int help_on(const std::vector<std::string>& words, const std::vector<command_help>& commands, std::ostream& out,
            std::ostream& err);
int options_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err);

}  // namespace weir::tb
