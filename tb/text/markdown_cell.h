// A text in a cell of a Markdown table.
#pragma once

#include <string>

namespace weir::tb {

/// A bar would end the cell.
inline std::string markdown_cell(const std::string& text) {
    std::string safe;
    for (const char c : text) {
        safe += c == '|' ? std::string("\\|") : std::string(1, c);
    }
    return safe;
}

}  // namespace weir::tb
