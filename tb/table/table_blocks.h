// A table of results as blocks of cells for people: what text and Markdown have in common.
//
//   for (const table_block& block : upright_blocks(table)) { ... }
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tb/table/data_table.h"

namespace weir::tb {

struct table_block {
    /// What it is about; empty where its header says so.
    std::string title;
    /// Lines of equal length; the first is the header.
    std::vector<std::vector<std::string>> lines{};
    /// Places of the header whose cells stand beside the one before, as a ratio beside its value.
    std::vector<std::size_t> companions{};
    /// The first cells of a line, which say what it is.
    std::size_t labels = 1;
    /// The first of these, which name it; the others say how it came about.
    std::size_t names = 0;

    bool is_empty() const { return lines.size() < 2; }
};

/// One for each section: a line per column of the table, and of each row its value and, where some column is
/// compared, the ratio to the first.
std::vector<table_block> turned_blocks(const data_table& table);
/// A line per row. One block for each section and group of columns whose labels differ in the name only.
std::vector<table_block> upright_blocks(const data_table& table);

}  // namespace weir::tb
