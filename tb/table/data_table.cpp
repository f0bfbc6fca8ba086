#include "tb/table/data_table.h"

#include <algorithm>

#include "tb/sweep/swept_columns.h"
#include "tb/text/text_format.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

const std::string at_least = "at least ";

}  // namespace

std::optional<double> data_table::ratio(std::size_t row, std::size_t column) const {
    const ordered_json& here = cell(row, column).value;
    const ordered_json& first = cell(0, column).value;
    if (!here.is_number() || !first.is_number() || first.get<double>() == 0 || cell(0, column).is_lower_bound ||
        cell(0, column).has_no_ratio || cell(row, column).has_no_ratio) {
        return std::nullopt;
    }
    return here.get<double>() / first.get<double>();
}

std::string data_table::ratio_text(std::size_t row, std::size_t column) const {
    const std::optional<double> known = ratio(row, column);
    return !known ? "-" : (cell(row, column).is_lower_bound ? at_least : "") + decimal_text(*known, 3) + "x";
}

bool data_table::has_lower_bounds(std::size_t column) const {
    return std::any_of(rows.begin(), rows.end(),
                       [column](const table_row& row) { return row.cells[column].is_lower_bound; });
}

bool data_table::has_intervals() const {
    return std::any_of(rows.begin(), rows.end(), [](const table_row& row) {
        return std::any_of(row.cells.begin(), row.cells.end(),
                           [](const table_cell& cell) { return cell.interval.has_width(); });
    });
}

std::string people_text(const table_cell& cell, const table_column& column) {
    if (column.part == column_part::option && cell.value.is_number()) {
        return cell.value.dump();
    }
    return (cell.is_lower_bound ? at_least : "") + people_text(cell.value, column.unit) +
           width_text(cell.interval);
}

}  // namespace weir::tb
