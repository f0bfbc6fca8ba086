#include "tb/table/data_table.h"

#include <algorithm>
#include <cmath>

#include "tb/results/summary_texts.h"
#include "tb/sweep/quantity.h"
#include "tb/text/grouped_number.h"
#include "tb/text/joined.h"
#include "tb/text/text_format.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

/// Digits of means and ratios: more than any of them deserves, fewer than machines may differ in.
constexpr int mean_digits = 12;

const std::string at_least = "at least ";

std::string list_of_texts(const ordered_json& list) {
    return list.empty() ? "none"
                        : joined(list, ", ", [](const ordered_json& each) { return each.get<std::string>(); });
}

std::string number_for_people(const ordered_json& value) {
    if (value.is_number_unsigned()) {
        return tally_text(value);
    }
    const double number = value.get<double>();
    return std::fabs(number) < 100    ? decimal_text(number, 3)
           : std::fabs(number) < 1000 ? decimal_text(number, 2)
                                      : grouped(decimal_text(rounded(number, 5)));
}

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

std::string people_text(const ordered_json& value, metric_unit unit) {
    if (value.is_null()) {
        return "-";
    }
    if (value.is_array()) {
        return list_of_texts(value);
    }
    if (value.is_string()) {
        return value.get<std::string>();
    }
    if (!value.is_number()) {
        return value.dump();
    }
    switch (unit) {
        case metric_unit::time:
            return time_text(value);
        case metric_unit::rate:
            return rate_text(std::llround(value.get<double>()));
        case metric_unit::percent:
            return percent_text(value);
        case metric_unit::bytes:
            return number_for_people(value) + " B";
        case metric_unit::number:
            break;
    }
    return number_for_people(value);
}

std::string people_text(const table_cell& cell, const table_column& column) {
    if (column.part == column_part::option && cell.value.is_number()) {
        return cell.value.dump();
    }
    const std::string text = (cell.is_lower_bound ? at_least : "") + people_text(cell.value, column.unit);
    if (!cell.interval.has_width() || cell.interval.mean == 0) {
        return text;
    }
    const double percent = 100 * cell.interval.half_width / std::fabs(cell.interval.mean);
    return text + " +-" + decimal_text(percent, percent < 100 ? 1 : 0) + "%";
}

std::string plain_text(const ordered_json& value) {
    if (value.is_null() || value.is_string()) {
        return value.is_null() ? "" : value.get<std::string>();
    }
    // The library's own text of a number need not be the shortest.
    return value.is_array()          ? list_of_texts(value)
           : value.is_number_float() ? decimal_text(value.get<double>())
                                     : value.dump();
}

ordered_json plain_number(double value) {
    const double short_value = rounded(value, mean_digits);
    const bool is_whole = std::fabs(short_value) < 1e15 && short_value == std::floor(short_value);
    return !is_whole          ? ordered_json(short_value)
           : short_value >= 0 ? ordered_json(static_cast<std::uint64_t>(short_value))
                              : ordered_json(static_cast<std::int64_t>(short_value));
}

}  // namespace weir::tb
