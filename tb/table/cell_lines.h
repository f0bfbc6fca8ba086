// Cells of text that are too long for one line of a terminal.
//
//   add_cell_lines(table, {"traffic.file", "/data/traces/a_long_name_of_a_trace.csv"});    // three lines
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tb/text/text_table.h"

namespace weir::tb {

/// Unit: characters.
inline constexpr std::size_t widest_cell = 24;
/// Where those are too wide.
inline constexpr std::size_t narrow_cell = 18;

/// Characters that a terminal would obey, such as a line's end, as `\n` and `\x1b`.
std::string in_one_line(const std::string& text);
/// Parts of at most `most` characters: broken behind a blank, comma, slash, point, hyphen or underscore, else
/// anywhere. At least one.
std::vector<std::string> cell_lines(const std::string& text, std::size_t most = widest_cell);
/// One row of the table, or several where a cell but the first is too long.
void add_cell_lines(text_table& table, const std::vector<std::string>& cells, std::size_t most = widest_cell);

}  // namespace weir::tb
