// Files that a configuration names.
#pragma once

#include <string>
#include <vector>

#include "tb/run/fields/option_table.h"
#include "tb/run/options/run_config.h"

namespace weir::tb {

/// Each path once, in the order of options; after them, of a program's traces, those of ranks 1, 2 and so on,
/// of which the configuration names the first. `table`: of `config`.
std::vector<std::string> input_paths(const run_config& config, const option_table& table);

}  // namespace weir::tb
