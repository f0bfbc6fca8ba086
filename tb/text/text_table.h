// Lines of cells for people. The tables of `weir size` are not yet a data_table (tb/record).
#pragma once

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "tb/text/markdown_cell.h"

namespace weir::tb {

/// Columns as wide as their widest cell: the first to the left, the others to the right.
class text_table {
 public:
    using row = std::vector<std::string>;

    explicit text_table(row head) { add(std::move(head)); }
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
                line += (i == 0 ? "" : "  ") + (i == 0 ? cells[i] + fill : fill + cells[i]);
            }
            line.erase(line.find_last_not_of(' ') + 1);
            out << line << '\n';
        }
    }

 private:
    std::vector<row> m_rows;
    std::vector<std::size_t> m_widths;
};

}  // namespace weir::tb
