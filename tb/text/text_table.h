// A table for people, in plain text.
//
//   text_table table;
//   table.add({"size", "p99"});
//   table.add({"8KiB", "1.250 ms"});
//   table.print(std::cout);
#pragma once

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::tb {

/// Characters of a text in UTF-8, each as wide as one on a terminal.
inline std::size_t shown_width(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

/// Columns as wide as their widest cell: the first to the left, the others to the right.
class text_table {
 public:
    using row = std::vector<std::string>;

    void add(row cells) {
        m_widths.resize(std::max(m_widths.size(), cells.size()), 0);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            m_widths[i] = std::max(m_widths[i], shown_width(cells[i]));
        }
        m_rows.push_back(std::move(cells));
    }
    void print(std::ostream& out) const {
        for (const row& cells : m_rows) {
            std::string line;
            for (std::size_t i = 0; i < cells.size(); ++i) {
                const std::string fill(m_widths[i] - shown_width(cells[i]), ' ');
                line += i == 0 ? cells[i] + fill : "  " + fill + cells[i];
            }
            line.erase(line.find_last_not_of(' ') + 1);
            out << line << '\n';
        }
    }
    /// Of the longest line.
    std::size_t width() const {
        std::size_t sum = 0;
        for (const std::size_t each : m_widths) {
            sum += each + 2;
        }
        return sum > 0 ? sum - 2 : 0;
    }

 private:
    std::vector<row> m_rows;
    std::vector<std::size_t> m_widths;
};

}  // namespace weir::tb
