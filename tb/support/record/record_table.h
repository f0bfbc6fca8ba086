// Writes a table whose rows describe their columns (column.h).
//
//   record_table<watchdog_row> table(directory.create<watchdog_row>());
//   table.write(row);                              // allocates nothing
//   table.finish();
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tb/support/files/output_file.h"
#include "tb/support/record/cell.h"
#include "tb/support/record/cell_groups.h"

namespace weir::tb {

/// Names of the columns of tables that have this row, with the end of the line.
template <class Row>
std::string header_of(const Row& row) {
    std::string text;
    for_each_name(row, [&](std::string_view name) { text.append(text.empty() ? "" : ",").append(name); });
    return text + "\n";
}

/// `Sink`: an output_file, or kept_lines.
template <class Sink, class Row>
void put_line(Sink& sink, const Row& row) {
    std::size_t most = 0;
    for_each_column(row, [&](const auto& facts, const auto& value) {
        most += csv_cell<std::decay_t<decltype(value)>>::most(value, facts) + 1;
    });
    csv_row line(sink.room(most));
    for_each_column(row, [&](const auto& facts, const auto& value) {
        csv_cell<std::decay_t<decltype(value)>>::put(line, value, facts);
    });
    sink.written(line.end());
}

/// Lines that are kept until somebody writes them.
class kept_lines {
 public:
    char* room(std::size_t most) {
        if (m_text.size() < m_size + most) {
            m_text.resize(2 * (m_size + most));
        }
        return m_text.data() + m_size;
    }
    void write(std::string_view text) { written(std::copy(text.begin(), text.end(), room(text.size()))); }
    void written(const char* end) { m_size = static_cast<std::size_t>(end - m_text.data()); }
    std::string_view text() const { return {m_text.data(), m_size}; }
    void clear() { m_size = 0; }

 private:
    std::string m_text;
    std::size_t m_size = 0;
};

/// `Sink`: as for `put_line`; a reference to lines that somebody else writes.
template <class Row, class Sink = output_file>
class record_table {
 public:
    /// Writes the header. `like`: a row that has the optional columns and groups of all others. Throws
    /// output_error, as the other functions do.
    explicit record_table(Sink file, const Row& like = {}) : m_file(std::forward<Sink>(file)) {
        m_file.write(header_of(like));
    }

    void write(const Row& row) { put_line(m_file, row); }
    /// Lines that `put_line` has made of such rows.
    void write_lines(std::string_view lines) { m_file.write(lines); }
    void finish() { m_file.finish(); }
    /// All lines of a sink that keeps them.
    std::string_view text() const { return m_file.text(); }

 private:
    Sink m_file;
};

/// Writes a table of these rows. Throws output_error.
template <class Row>
void write_rows(output_file file, const std::vector<Row>& rows) {
    record_table<Row> table(std::move(file));
    for (const Row& row : rows) {
        table.write(row);
    }
    table.finish();
}

}  // namespace weir::tb
