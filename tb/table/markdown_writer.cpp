#include "tb/table/table_blocks.h"
#include "tb/table/table_writers.h"
#include "tb/text/text_table.h"

namespace weir::tb {

namespace {

/// More would make lines that nobody reads.
constexpr std::size_t most_turned_rows = 4;

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
        out << text_table::of(block.lines).markdown(markdown_text, block.labels);
        is_first = false;
    }
}

}  // namespace weir::tb
