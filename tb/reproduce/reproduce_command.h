// `weir reproduce PAPER --out DIR`: a paper's figures and statements, from runs of this model.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace weir::tb {

int reproduce_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err);

}  // namespace weir::tb
