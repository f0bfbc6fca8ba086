// Names of nodes and links as options give them: `*` stands for any text, also for none.
//
//   fits_pattern("tor*", "tor3");
#pragma once

#include <cstddef>
#include <string_view>

namespace weir::tb {

inline bool fits_pattern(std::string_view pattern, std::string_view name) {
    // Where the last star stands, and what it has taken so far.
    std::size_t star = std::string_view::npos;
    std::size_t taken = 0;
    std::size_t p = 0;
    for (std::size_t n = 0; n < name.size();) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            taken = n;
        } else if (p < pattern.size() && pattern[p] == name[n]) {
            ++p;
            ++n;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            n = ++taken;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace weir::tb
