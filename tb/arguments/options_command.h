// `weir options`: the reference of all options, of some, or what differs between two configurations.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace weir::tb {

/// `weir help WORD ...`, where no word is a command.
int help_on_options(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);
int options_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err);

}  // namespace weir::tb
