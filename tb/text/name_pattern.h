// Names of nodes and links as options give them: `*` stands for any text, also for none.
//
//   fits_pattern("tor*", "tor3");
#pragma once

#include <string_view>

namespace weir::tb {

bool fits_pattern(std::string_view pattern, std::string_view name);

}  // namespace weir::tb
