#include <algorithm>
#include <numeric>

#include "tb/table/cell_lines.h"
#include "tb/table/table_blocks.h"
#include "tb/table/table_writers.h"
#include "tb/text/text_table.h"

namespace weir::tb {

namespace {

/// Labels of one block as one text: the first word to the left, the others to the right.
std::vector<std::string> label_texts(const table_block& block) {
    std::vector<std::size_t> widths(block.labels, 0);
    for (const auto& line : block.lines) {
        for (std::size_t i = 0; i < block.labels; ++i) {
            widths[i] = std::max(widths[i], shown_width(line[i]));
        }
    }
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

/// One table for all blocks, so that a run is the same column in each. The runs' names stand above the first.
text_table turned_table(const std::vector<table_block>& blocks, std::size_t widest) {
    text_table table;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        const std::vector<std::string> labels = label_texts(blocks[b]);
        if (b > 0) {
            table.add({""});
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
text_table part_of(const table_block& block, const std::vector<std::size_t>& places) {
    text_table table;
    for (const auto& line : block.lines) {
        std::vector<std::string> cells;
        for (const std::size_t place : places) {
            cells.push_back(line[place]);
        }
        add_cell_lines(table, cells);
    }
    return table;
}

/// As many columns as fit behind the labels, which each part has.
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

void write_text(std::ostream& out, const data_table& table, std::size_t width) {
    for (const std::string& verdict : table.verdicts) {
        out << verdict << '\n';
    }
    out << (table.verdicts.empty() ? "" : "\n");
    if (!table.begins_with_options) {
        const std::vector<table_block> blocks = turned_blocks(table);
        for (const std::size_t widest : {widest_cell, narrow_cell}) {
            const text_table turned = turned_table(blocks, widest);
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
