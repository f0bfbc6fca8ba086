// Files that a configuration names.
#pragma once

#include <string>
#include <vector>

#include "tb/options/option_table.h"

namespace weir::tb {

/// Each path once, in the order of options. Not in it: files that belong to one that is named, as the traces of
/// further ranks do.
std::vector<std::string> input_paths(const option_table& table);

}  // namespace weir::tb
