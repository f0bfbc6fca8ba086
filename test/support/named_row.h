// A line of a CSV file, with columns by the names of the header.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::test {

class named_row {
 public:
    using fields = std::vector<std::string>;

    named_row() = default;
    named_row(std::shared_ptr<const fields> header, fields cells)
        : m_header(std::move(header)), m_cells(std::move(cells)) {}

    /// Names of the columns. Range: a row of a file.
    const fields& columns() const { return *m_header; }
    bool has(std::string_view column) const { return place_of(column) < m_cells.size(); }
    /// Throws `std::out_of_range` if there is no such column.
    const std::string& at(std::string_view column) const {
        const std::size_t place = place_of(column);
        if (place >= m_cells.size()) {
            throw std::out_of_range("no column " + std::string(column));
        }
        return m_cells[place];
    }
    const std::string& operator[](std::string_view column) const { return at(column); }
    bool operator==(const named_row& other) const {
        return m_cells == other.m_cells && (m_header == other.m_header || *m_header == *other.m_header);
    }
    bool operator!=(const named_row& other) const { return !(*this == other); }

 private:
    std::size_t place_of(std::string_view column) const {
        std::size_t place = 0;
        while (m_header != nullptr && place < m_header->size() && (*m_header)[place] != column) {
            ++place;
        }
        return m_header != nullptr ? place : m_cells.size();
    }

    std::shared_ptr<const fields> m_header;
    fields m_cells;
};

}  // namespace weir::test
