// `weir headroom [FILE.ini] [--key=value ...]`: PFC headroom term by term, as a table, as SONiC's file, beside
// such a file (docs/headroom.md).
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace weir::tb {

int headroom_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err);

}  // namespace weir::tb
