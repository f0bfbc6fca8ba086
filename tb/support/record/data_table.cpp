#include "tb/support/record/data_table.h"

#include "tb/support/record/table_writers.h"
#include "tb/support/text/text_format.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

const std::string at_least = "at least ";

ordered_json ratio_json(const data_table& table, std::size_t row, std::size_t column) {
    const std::optional<double> ratio = table.ratio(row, column);
    return ratio ? plain_number(*ratio) : ordered_json();
}

ordered_json mean_json(const table_cell& cell) {
    ordered_json j = json_of(cell.interval);
    j["mean"] = cell.value;
    return j;
}

ordered_json row_json(const data_table& table, std::size_t row) {
    ordered_json j = ordered_json::object();
    ordered_json options = ordered_json::object();
    ordered_json metrics = ordered_json::object();
    ordered_json ratios = ordered_json::object();
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        const table_column& column = table.columns[c];
        const table_cell& cell = table.cell(row, c);
        if (column.part == column_part::name || column.part == column_part::row) {
            j[column.key] = cell.value;
        } else if (column.part == column_part::option) {
            options[column.key] = cell.value;
        } else {
            // Texts have no mean.
            metrics[column.key] = table.confidence && !cell.value.is_string() ? mean_json(cell) : cell.value;
            if (cell.is_lower_bound) {
                metrics[lower_bound_key(column.key)] = true;
            }
            if (column.is_compared) {
                ratios[column.key] = ratio_json(table, row, c);
            }
        }
    }
    j["options"] = std::move(options);
    j["metrics"] = std::move(metrics);
    if (!ratios.empty() && table.rows.size() > 1) {
        j["ratios"] = std::move(ratios);
    }
    return j;
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

void data_table::add_row(std::vector<table_cell> cells) {
    cells.resize(columns.size(), table_cell(""));
    rows.push_back({"", "", std::move(cells)});
}

std::vector<std::string> data_table::texts(std::size_t column) const {
    std::vector<const ordered_json*> values;
    for (const table_row& row : rows) {
        values.push_back(&row.cells[column].value);
    }
    const column_format format = columns[column].format.fit_to(values);
    std::vector<std::string> made;
    for (const table_row& row : rows) {
        const table_cell& cell = row.cells[column];
        made.push_back(columns[column].part == column_part::option && cell.value.is_number()
                           ? cell.value.dump()
                           : (cell.is_lower_bound ? at_least : "") + people_text(cell.value, format) +
                                 width_text(cell.interval));
    }
    return made;
}

void write_csv(std::ostream& out, const data_table& table) {
    std::vector<std::vector<std::string>> lines(1 + table.rows.size());
    const auto add = [&](const std::string& name, const auto& value_of) {
        lines[0].push_back(name);
        for (std::size_t r = 0; r < table.rows.size(); ++r) {
            lines[1 + r].push_back(plain_text(value_of(r)));
        }
    };
    const auto any_cell = [&](std::size_t column, const auto& holds) {
        return std::any_of(table.rows.begin(), table.rows.end(),
                           [&](const table_row& row) { return holds(row.cells[column]); });
    };
    bool intervals = false;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        intervals = intervals || any_cell(c, [](const table_cell& cell) { return cell.interval.has_width(); });
    }
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        const table_column& column = table.columns[c];
        add(column.key, [&](std::size_t r) { return table.cell(r, c).value; });
        if (any_cell(c, [](const table_cell& cell) { return cell.is_lower_bound; })) {
            add(lower_bound_key(column.key), [&](std::size_t r) { return table.cell(r, c).is_lower_bound; });
        }
        if (intervals && column.part == column_part::metric) {
            for (const char* const end : {"n", "low", "high"}) {
                add(column.key + "." + end,
                    [&](std::size_t r) { return json_of(table.cell(r, c).interval)[end]; });
            }
        }
        if (column.is_compared && table.rows.size() > 1) {
            add(column.key + ".ratio", [&](std::size_t r) { return ratio_json(table, r, c); });
        }
    }
    for (const std::vector<std::string>& line : lines) {
        out << csv_line(line);
    }
}

void write_json(std::ostream& out, const data_table& table) {
    ordered_json document = ordered_json::object();
    if (table.confidence) {
        document["confidence"] = *table.confidence;
    }
    ordered_json& rows = document[table.row_kind + "s"] = ordered_json::array();
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        rows.push_back(row_json(table, r));
    }
    out << document.dump(2, ' ', false, ordered_json::error_handler_t::replace) << '\n';
}

}  // namespace weir::tb
