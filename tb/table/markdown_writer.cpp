#include "tb/table/table_blocks.h"
#include "tb/table/table_writers.h"
#include "tb/text/markdown_cell.h"

namespace weir::tb {

namespace {

/// More would make lines that nobody reads.
constexpr std::size_t most_turned_rows = 4;

void write_line(std::ostream& out, const std::vector<std::string>& cells) {
    out << '|';
    for (const std::string& cell : cells) {
        out << ' ' << markdown_text(cell) << " |";
    }
    out << '\n';
}

}  // namespace

void write_markdown(std::ostream& out, const data_table& table) {
    const bool is_turned = !table.begins_with_options && table.rows.size() <= most_turned_rows;
    for (const std::string& verdict : table.verdicts) {
        out << "**" << markdown_text(verdict) << "**\n\n";
    }
    bool is_first = true;
    for (const table_block& block : is_turned ? turned_blocks(table) : upright_blocks(table)) {
        out << (is_first ? "" : "\n");
        if (!block.title.empty()) {
            out << "**" << markdown_text(block.title) << "**\n\n";
        }
        write_line(out, block.header);
        out << '|';
        for (std::size_t i = 0; i < block.header.size(); ++i) {
            out << (i < block.labels ? "---|" : "---:|");
        }
        out << '\n';
        for (const auto& line : block.lines) {
            write_line(out, line);
        }
        is_first = false;
    }
}

}  // namespace weir::tb
