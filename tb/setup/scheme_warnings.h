// Choices that go together and yet do not do what their names say: an algorithm that waits for marks where
// nothing marks, and the like.
#pragma once

#include <string>
#include <vector>

#include "tb/options/run_config.h"

namespace weir::tb {

std::vector<std::string> scheme_warnings(const run_config& config);

}  // namespace weir::tb
