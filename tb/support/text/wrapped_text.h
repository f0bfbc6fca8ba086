// Texts of a help, in lines.
#pragma once

#include <cstddef>
#include <ostream>
#include <sstream>
#include <string>

namespace weir::tb {

/// Unit: characters.
inline constexpr std::size_t line_width = 100;

/// Breaks at blanks; every line starts with `indent`, the first one with `first`.
inline void write_wrapped(std::ostream& out, const std::string& first, const std::string& indent,
                          const std::string& text) {
    std::istringstream words(text);
    std::string line = first;
    bool empty = true;
    for (std::string word; words >> word;) {
        if (!empty && line.size() + 1 + word.size() > line_width) {
            out << line << '\n';
            line = indent;
            empty = true;
        }
        line += (empty ? "" : " ") + word;
        empty = false;
    }
    out << line << '\n';
}

}  // namespace weir::tb
