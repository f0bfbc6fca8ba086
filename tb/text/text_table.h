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
#include <utility>
#include <vector>

namespace weir::tb {

/// Columns as wide as their widest cell: the first to the left, the others to the right.
class text_table {
 public:
    using row = std::vector<std::string>;

    void add(row cells) {
        m_widths.resize(std::max(m_widths.size(), cells.size()), 0);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            m_widths[i] = std::max(m_widths[i], cells[i].size());
        }
        m_rows.push_back(std::move(cells));
    }
    void print(std::ostream& out) const {
        for (const row& cells : m_rows) {
            std::string line;
            for (std::size_t i = 0; i < cells.size(); ++i) {
                const std::string fill(m_widths[i] - cells[i].size(), ' ');
                line += i == 0 ? cells[i] + fill : "  " + fill + cells[i];
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
