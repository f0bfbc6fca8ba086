// The events that are compared: a table of texts, whatever file it was read from. A CSV file's lines stand in
// it as they are; a waveform's events have the columns cycle, signal and value (see waveform_events.h).
//
//   event_table table = read_event_csv("rx_events.csv", errors);
//   const std::optional<std::size_t> cycle = table.find("cycle");
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tb/support/text/joined.h"
#include "weir/base/config_error.h"

namespace weir::tb {

struct event_row {
    /// Where it was read: a line of a CSV file. Unit: line, from 1; 0 for a waveform.
    int line = 0;
    /// Of a waveform: when the clock's edge was, `125.5 ns`; empty where the file has no timescale.
    std::string time;
    std::vector<std::string> fields;
};

struct event_table {
    std::string path;
    /// Without what a header says in brackets: `first_index(-1=miss)` is `first_index`.
    std::vector<std::string> columns;
    std::vector<event_row> rows;
    /// For the report: what is odd, and no error.
    std::vector<std::string> notes;

    std::optional<std::size_t> find(const std::string& column) const;
};

/// Rows to keep: the column holds one of these values.
struct event_filter {
    std::string column;
    std::vector<std::string> values;
};

/// What is wrong with the file goes to `errors`, at most 20.
event_table read_event_csv(const std::string& path, config_errors& errors);

/// Leaves the rows that pass the filter. Errors: a column that a table does not have, nothing left in a table,
/// a value that neither table has.
void keep_only(event_table& expected, event_table& actual, const event_filter& filter, config_errors& errors);

}  // namespace weir::tb
