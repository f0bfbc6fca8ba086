// `weir table DIR [DIR ...]`: several runs in one table, the first one being what the others are compared to.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace weir::tb {

int table_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err);

}  // namespace weir::tb
