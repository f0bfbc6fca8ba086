// Names of nodes and links as options give them: `*` stands for any text, also for none.
//
//   fits_pattern("tor*", "tor3");
//   part_in("*_frames", "link_down_frames");            // link_down
//   with_part("Frames lost: *", "link_down");           // Frames lost: link_down
#pragma once

#include <cstddef>
#include <string>
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

/// Text that `*` stands for; empty without one. Precondition: the name fits the pattern, which has one at most.
inline std::string_view part_in(std::string_view pattern, std::string_view name) {
    const std::size_t star = pattern.find('*');
    return star == std::string_view::npos ? "" : name.substr(star, name.size() + 1 - pattern.size());
}

/// Text with `part` in the place of its first `*`, if it has one.
inline std::string with_part(std::string text, std::string_view part) {
    const std::size_t star = text.find('*');
    return star == std::string::npos ? text : text.replace(star, 1, part);
}

}  // namespace weir::tb
