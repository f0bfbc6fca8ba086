// `weir options [--format=ini|md]`: the reference of all options.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace weir::tb {

int options_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err);

}  // namespace weir::tb
