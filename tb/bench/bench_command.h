// `weir bench`: how fast this program is, on this machine, beside a peer.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace weir::tb {

/// Returns the exit status: 0; 2 bad input; 3 a measurement could not be made; 128 + n at signal n.
int bench_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err);

}  // namespace weir::tb
