#include <algorithm>
#include <numeric>
#include <utility>

#include "tb/support/record/table_writers.h"
#include "tb/support/text/markdown_cell.h"

namespace weir::tb {

namespace {

/// More rows would make lines too long to read.
constexpr std::size_t most_turned_rows = 4;

bool any_compared(const data_table& table) {
    return std::any_of(table.columns.begin(), table.columns.end(),
                       [](const table_column& column) { return column.is_printed && column.is_compared; });
}

std::vector<std::size_t> printed_columns(const data_table& table, std::size_t section) {
    std::vector<std::size_t> places;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        const table_column& column = table.columns[c];
        if (column.is_printed && column.section == section &&
            (column.part == column_part::option || column.part == column_part::metric)) {
            places.push_back(c);
        }
    }
    return places;
}

std::string ratio_cell(const data_table& table, std::size_t row, std::size_t column) {
    return row > 0 && table.columns[column].is_compared ? table.ratio_text(row, column) : "";
}

/// `query, size 2KB, priority 7`: all words but the name, behind their headings but the first.
std::string group_text(const table_section& section, const table_column& column) {
    std::string text;
    for (std::size_t w = 0; w + 1 < column.words.size(); ++w) {
        const std::string& word = column.words[w];
        if (!word.empty()) {
            text += (text.empty() ? "" : ", ") + (w > 0 ? section.headings[w] + " " : "") + word;
        }
    }
    return text;
}

void add_column(table_block& block, const data_table& table, std::size_t column) {
    const table_column& of = table.columns[column];
    const bool with_ratio = of.is_compared && table.rows.size() > 1;
    if (with_ratio) {
        block.companions.push_back(block.lines[0].size() + 1);
    }
    if (of.format.is_left) {
        block.lefts.push_back(block.lines[0].size());
    }
    std::vector<std::string> texts = table.texts(column);
    texts.insert(texts.begin(), of.title());
    for (std::size_t line = 0; line <= table.rows.size(); ++line) {
        std::vector<std::string>& cells = block.lines[line];
        cells.push_back(texts[line]);
        if (with_ratio) {
            cells.push_back(line == 0 ? "ratio" : ratio_cell(table, line - 1, column));
        }
    }
}

/// Start of each line: the row's name, or its options.
table_block empty_block(const data_table& table) {
    table_block block;
    block.lines.resize(1 + table.rows.size());
    for (const table_column& column : table.columns) {
        if (table.begins_with_options && column.part != column_part::metric && column.is_printed) {
            add_column(block, table, static_cast<std::size_t>(&column - table.columns.data()));
            block.names += column.part == column_part::name ? 1 : 0;
        }
    }
    if (block.lines[0].empty()) {
        block.lines[0].push_back(table.row_kind);
        for (std::size_t r = 0; r < table.rows.size(); ++r) {
            block.lines[1 + r].push_back(table.rows[r].heading());
        }
    }
    block.labels = block.lines[0].size();
    block.names = std::max<std::size_t>(block.names, 1);
    return block;
}

}  // namespace

std::vector<std::size_t> table_block::widths() const {
    std::vector<std::size_t> widest;
    for (const auto& cells : lines) {
        widest.resize(std::max(widest.size(), cells.size()), 0);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            widest[i] = std::max(widest[i], shown_width(cells[i]));
        }
    }
    return widest;
}

std::size_t table_block::width() const {
    const std::vector<std::size_t> all = widths();
    return std::accumulate(all.begin(), all.end(), all.empty() ? 0 : 2 * (all.size() - 1));
}

void table_block::print(std::ostream& out, const std::string& indent) const {
    const std::vector<std::size_t> widest = widths();
    for (const auto& cells : lines) {
        std::string line = indent;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::string fill(widest[i] - shown_width(cells[i]), ' ');
            const bool is_left = i == 0 || std::find(lefts.begin(), lefts.end(), i) != lefts.end();
            line += (i == 0 ? "" : "  ") + (is_left ? cells[i] + fill : fill + cells[i]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out << line << '\n';
    }
}

std::string table_block::markdown(std::string (*shown)(const std::string&)) const {
    std::string text;
    for (const auto& cells : lines) {
        for (const std::string& cell : cells) {
            text += "| " + shown(cell) + " ";
        }
        text += "|\n";
        for (std::size_t i = 0; &cells == &lines.front() && i < cells.size(); ++i) {
            text += i < labels ? "|---" : "|---:";
        }
        text += &cells == &lines.front() ? "|\n" : "";
    }
    return text;
}

std::vector<table_block> turned_blocks(const data_table& table) {
    const bool with_ratios = any_compared(table);
    std::vector<table_block> blocks;
    for (std::size_t s = 0; s < table.sections.size(); ++s) {
        const std::vector<std::size_t> places = printed_columns(table, s);
        if (places.empty()) {
            continue;
        }
        const table_section& section = table.sections[s];
        table_block block;
        std::vector<std::string> header = section.headings;
        header.push_back(section.headings.empty() ? section.title : "");
        block.labels = header.size();
        for (std::size_t r = 0; r < table.rows.size(); ++r) {
            header.push_back(table.rows[r].heading());
            if (r > 0 && with_ratios) {
                header.emplace_back("ratio");
            }
        }
        block.lines.push_back(std::move(header));
        for (const std::size_t c : places) {
            std::vector<std::string> line = table.columns[c].words;
            const std::vector<std::string> texts = table.texts(c);
            for (std::size_t r = 0; r < table.rows.size(); ++r) {
                line.push_back(texts[r]);
                if (r > 0 && with_ratios) {
                    line.push_back(ratio_cell(table, r, c));
                }
            }
            block.lines.push_back(std::move(line));
        }
        blocks.push_back(std::move(block));
    }
    return blocks;
}

std::vector<table_block> upright_blocks(const data_table& table) {
    std::vector<table_block> blocks;
    const table_block start = empty_block(table);
    for (std::size_t s = 0; s < table.sections.size(); ++s) {
        const table_section& section = table.sections[s];
        std::string group;
        bool is_open = false;
        for (const std::size_t c : printed_columns(table, s)) {
            const table_column& column = table.columns[c];
            if (table.begins_with_options && column.part == column_part::option) {
                continue;
            }
            const std::string its_group = group_text(section, column);
            if (!is_open || its_group != group) {
                blocks.push_back(start);
                blocks.back().title = section.title + (its_group.empty() ? "" : ": " + its_group);
                group = its_group;
                is_open = true;
            }
            add_column(blocks.back(), table, c);
        }
    }
    // Rows without a metric are printed, too.
    if (blocks.empty() && table.begins_with_options) {
        blocks.push_back(start);
    }
    return blocks;
}

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
        out << block.markdown(markdown_text);
        is_first = false;
    }
}

table_block plain_block(const data_table& table) {
    table_block block;
    block.lines.resize(1 + table.rows.size());
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (table.columns[c].is_printed) {
            add_column(block, table, c);
        }
    }
    return block;
}

void print_table(std::ostream& out, const data_table& table, const std::string& indent) {
    plain_block(table).print(out, indent);
}

std::string markdown_of(const data_table& table) {
    table_block block = plain_block(table);
    block.labels = block.lines[0].size();
    return block.markdown(markdown_cell);
}

}  // namespace weir::tb
