#include <algorithm>
#include <numeric>
#include <string_view>

#include "tb/support/record/table_writers.h"
#include "tb/support/text/markdown_cell.h"
#include "tb/support/text/text_format.h"

namespace weir::tb {

namespace {

/// Unit: characters.
constexpr std::size_t widest_cell = 24;
/// Used if cells of that width make the table too wide.
constexpr std::size_t narrow_cell = 18;

/// Octets of the first `most` characters.
std::size_t octets_of(const std::string& text, std::size_t from, std::size_t most) {
    std::size_t at = from;
    for (std::size_t seen = 0; at < text.size(); ++at) {
        const bool begins = (text[at] & 0xC0) != 0x80;
        if (begins && seen == most) {
            break;
        }
        seen += begins ? 1 : 0;
    }
    return at - from;
}

/// Ends after the last blank, comma or slash, or else the last point, hyphen or underscore.
std::size_t length_to_break(std::string_view line) {
    for (const char* marks : {" ,/", ".-_"}) {
        const std::size_t last = line.find_last_of(marks);
        if (last != std::string_view::npos && last > 0) {
            return last + 1;
        }
    }
    return line.size();
}

/// One line of cells, or several if a cell but the first is wider than `widest`.
void add_cell_lines(table_block& block, const std::vector<std::string>& cells,
                    std::size_t widest = widest_cell) {
    const std::size_t first = block.lines.size();
    block.lines.emplace_back(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::vector<std::string> parts =
            i == 0 ? std::vector<std::string>{in_one_line(cells[i])} : cell_lines(cells[i], widest);
        for (std::size_t line = 0; line < parts.size(); ++line) {
            if (first + line == block.lines.size()) {
                block.lines.emplace_back(cells.size());
            }
            block.lines[first + line][i] = parts[line];
        }
    }
}

/// Labels of one block as one text: the first word to the left, the others to the right.
std::vector<std::string> label_texts(const table_block& block) {
    const std::vector<std::size_t> widths = block.widths();
    std::vector<std::string> texts;
    for (const auto& line : block.lines) {
        texts.emplace_back();
        for (std::size_t i = 0; i < block.labels; ++i) {
            const std::string fill(widths[i] - shown_width(line[i]), ' ');
            texts.back() += i == 0 ? line[i] + fill : "  " + fill + line[i];
        }
    }
    return texts;
}

/// Joins all blocks, so that a run has the same column in each. The runs' names are above the first.
table_block turned_table(const std::vector<table_block>& blocks, std::size_t widest) {
    table_block table;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        const std::vector<std::string> labels = label_texts(blocks[b]);
        if (b > 0) {
            table.lines.push_back({""});
        }
        for (std::size_t i = 0; i < labels.size(); ++i) {
            std::vector<std::string> cells{labels[i]};
            if (i > 0 || b == 0) {
                const auto& line = blocks[b].lines[i];
                cells.insert(cells.end(), line.begin() + static_cast<std::ptrdiff_t>(blocks[b].labels),
                             line.end());
            }
            add_cell_lines(table, cells, i == 0 ? widest_cell : widest);
        }
    }
    return table;
}

/// The cells at these places of each line.
table_block part_of(const table_block& block, const std::vector<std::size_t>& places) {
    table_block table;
    for (const auto& line : block.lines) {
        std::vector<std::string> cells;
        for (const std::size_t place : places) {
            cells.push_back(line[place]);
        }
        add_cell_lines(table, cells);
    }
    return table;
}

/// Prints parts with as many columns as fit beside the labels, which each part repeats.
void print_in_parts(std::ostream& out, const table_block& block, std::size_t width) {
    std::vector<std::size_t> labels(block.labels);
    std::iota(labels.begin(), labels.end(), 0);
    // Labels that would leave no room for anything else stand there once.
    if (part_of(block, labels).width() > width / 2) {
        labels.resize(block.names);
    }
    const auto has_companion = [&](std::size_t place) {
        return std::find(block.companions.begin(), block.companions.end(), place + 1) != block.companions.end();
    };
    std::size_t next = labels.size();
    do {
        std::vector<std::size_t> places = labels;
        while (next < block.lines[0].size()) {
            std::vector<std::size_t> more = places;
            more.push_back(next);
            if (has_companion(next)) {
                more.push_back(next + 1);
            }
            if (places.size() > labels.size() && part_of(block, more).width() > width) {
                break;
            }
            next += more.size() - places.size();
            places = std::move(more);
        }
        part_of(block, places).print(out);
    } while (next < block.lines[0].size());
}

}  // namespace

std::vector<std::string> cell_lines(const std::string& text, std::size_t most) {
    const std::string whole = in_one_line(text);
    std::vector<std::string> lines;
    for (std::size_t from = 0; from < whole.size() || lines.empty();) {
        std::size_t length = octets_of(whole, from, most);
        if (from + length < whole.size()) {
            length = length_to_break(std::string_view(whole).substr(from, length));
        }
        std::string line = whole.substr(from, length);
        line.erase(line.find_last_not_of(' ') + 1);
        lines.push_back(std::move(line));
        from += length;
    }
    return lines;
}

void write_text(std::ostream& out, const data_table& table, std::size_t width) {
    for (const std::string& verdict : table.verdicts) {
        out << verdict << '\n';
    }
    out << (table.verdicts.empty() ? "" : "\n");
    if (!table.begins_with_options) {
        const std::vector<table_block> blocks = turned_blocks(table);
        for (const std::size_t widest : {widest_cell, narrow_cell}) {
            const table_block turned = turned_table(blocks, widest);
            if (turned.width() <= width) {
                turned.print(out);
                return;
            }
        }
    }
    bool is_first = true;
    for (const table_block& block : upright_blocks(table)) {
        out << (is_first ? "" : "\n");
        if (!block.title.empty()) {
            out << in_one_line(block.title) << '\n';
        }
        print_in_parts(out, block, width);
        is_first = false;
    }
}

}  // namespace weir::tb
