// A table of results in each format. None of them knows what a column is about.
//
//   write_text(std::cout, table);
//   write_csv(std::cout, table);
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "tb/support/record/data_table.h"

namespace weir::tb {

/// Lines of text are no wider than this, unless one column alone is. Unit: characters.
inline constexpr std::size_t terminal_width = 110;

/// Parts of at most `most` characters: broken behind a blank, comma, slash, point, hyphen or underscore, else
/// anywhere. At least one.
std::vector<std::string> cell_lines(const std::string& text, std::size_t most);

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

/// All rows and printed columns as they are, whatever their sections. A line per row, as wide as it is. Each
/// line begins with `indent`.
void print_table(std::ostream& out, const data_table& table, const std::string& indent = {});
/// `print_table` in Markdown. Cells may be Markdown.
std::string markdown_of(const data_table& table);

// A table of results as blocks of cells for people: what text, Markdown and pages have in common.
//
//   for (const table_block& block : upright_blocks(table)) { ... }

struct table_block {
    /// Subject; empty if the header says it.
    std::string title;
    /// Lines of cells; the first is the header.
    std::vector<std::vector<std::string>> lines{};
    /// Places of the header whose cells stand beside the one before, as a ratio beside its value.
    std::vector<std::size_t> companions{};
    /// Number of cells at the start of a line that say what it is.
    std::size_t labels = 1;
    /// Number of these that name it; the others are its options.
    std::size_t names = 0;
    /// Places of columns that stand to the left; that of the first is not among them.
    std::vector<std::size_t> lefts{};

    bool is_empty() const { return lines.size() < 2; }
    /// Unit: characters.
    std::vector<std::size_t> widths() const;
    /// Width of the longest line.
    std::size_t width() const;
    /// Columns as wide as their widest cell.
    void print(std::ostream& out, const std::string& indent = {}) const;
    /// `shown`: how a cell is written. Cells behind the labels stand to the right.
    std::string markdown(std::string (*shown)(const std::string&)) const;
};

/// All rows and printed columns.
table_block plain_block(const data_table& table);
/// One for each section: a line per column of the table, and of each row its value and, where some column is
/// compared, the ratio to the first.
std::vector<table_block> turned_blocks(const data_table& table);
/// A line per row. One block for each section and group of columns whose labels differ in the last word only.
std::vector<table_block> upright_blocks(const data_table& table);

}  // namespace weir::tb
