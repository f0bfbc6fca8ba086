// A table for people, in plain text or Markdown.
//
//   text_table table({"size", "p99"});
//   table.add({"8KiB", "1.250 ms"});
//   table.print(std::cout);
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tb/text/markdown_cell.h"

namespace weir::tb {

/// Characters of a text in UTF-8, each as wide as one on a terminal.
inline std::size_t shown_width(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

/// Columns as wide as their widest cell: the first and those from `texts` on to the left, the others to the
/// right.
class text_table {
 public:
    using row = std::vector<std::string>;

    text_table() = default;
    explicit text_table(row head, std::size_t texts = SIZE_MAX) : m_texts(texts) { add(std::move(head)); }
    /// The first row is the header.
    static text_table of(const std::vector<row>& rows) {
        text_table table;
        std::for_each(rows.begin(), rows.end(), [&](const row& cells) { table.add(cells); });
        return table;
    }

    void add(row cells) {
        m_widths.resize(std::max(m_widths.size(), cells.size()), 0);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            m_widths[i] = std::max(m_widths[i], shown_width(cells[i]));
        }
        m_rows.push_back(std::move(cells));
    }
    /// Each line begins with `indent`.
    void print(std::ostream& out, const std::string& indent = {}) const {
        for (const row& cells : m_rows) {
            std::string line = indent;
            for (std::size_t i = 0; i < cells.size(); ++i) {
                const std::string fill(m_widths[i] - shown_width(cells[i]), ' ');
                line += (i == 0 ? "" : "  ") + (i == 0 || i >= m_texts ? cells[i] + fill : fill + cells[i]);
            }
            line.erase(line.find_last_not_of(' ') + 1);
            out << line << '\n';
        }
    }
    /// `shown`: how a cell is written. Cells behind the first `labels` stand to
    /// the right.
    std::string markdown(std::string (*shown)(const std::string&) = markdown_cell,
                         std::size_t labels = SIZE_MAX) const {
        std::string text;
        for (const row& cells : m_rows) {
            for (const std::string& cell : cells) {
                text += "| " + shown(cell) + " ";
            }
            text += "|\n";
            for (std::size_t i = 0; &cells == &m_rows.front() && i < cells.size(); ++i) {
                text += i < labels ? "|---" : "|---:";
            }
            text += &cells == &m_rows.front() ? "|\n" : "";
        }
        return text;
    }
    bool is_empty() const { return m_rows.size() < 2; }
    /// Of the longest line.
    std::size_t width() const {
        std::size_t sum = 0;
        for (const std::size_t each : m_widths) {
            sum += each + 2;
        }
        return sum > 0 ? sum - 2 : 0;
    }

 private:
    std::size_t m_texts = SIZE_MAX;
    std::vector<row> m_rows;
    std::vector<std::size_t> m_widths;
};

}  // namespace weir::tb
