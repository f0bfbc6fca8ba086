// A table of results in each format. None of them knows what a column is about.
//
//   write_text(std::cout, table);
//   write_csv(std::cout, table);
#pragma once

#include <cstddef>
#include <ostream>

#include "tb/table/data_table.h"

namespace weir::tb {

/// Lines of text are no wider than this, unless one column alone is. Unit: characters.
inline constexpr std::size_t terminal_width = 110;

/// For a terminal: columns are rows of the data where that fits (a line per result, a column per run), else a
/// block of lines for each subject with a line per run, and further blocks where one is too wide.
void write_text(std::ostream& out, const data_table& table, std::size_t width = terminal_width);
/// Tables as GitHub shows them: as above, for up to four rows a line per result.
void write_markdown(std::ostream& out, const data_table& table);
/// A line per row, a column per result, RFC 4180. What is compared has a column `KEY.ratio` too, and a mean
/// `KEY.n`, `KEY.low`, `KEY.high`.
void write_csv(std::ostream& out, const data_table& table);
/// One document: a list with an object per row.
void write_json(std::ostream& out, const data_table& table);

}  // namespace weir::tb
