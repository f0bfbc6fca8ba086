#include "tb/results/summary_writer.h"
#include "tb/sweep/swept_columns.h"
#include "tb/table/table_writers.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

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
                const std::optional<double> ratio = table.ratio(row, c);
                ratios[column.key] = ratio ? plain_number(*ratio) : ordered_json();
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

void write_json(std::ostream& out, const data_table& table) {
    ordered_json document = ordered_json::object();
    if (table.confidence) {
        document["confidence"] = *table.confidence;
    }
    ordered_json& rows = document[table.row_kind + "s"] = ordered_json::array();
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        rows.push_back(row_json(table, r));
    }
    out << to_text(document);
}

}  // namespace weir::tb
