#include <functional>

#include "tb/results/summary_writer.h"
#include "tb/sweep/swept_columns.h"
#include "tb/table/table_writers.h"
#include "tb/text/text_format.h"

namespace weir::tb {

namespace {

struct csv_field {
    std::string name;
    /// The index is the row.
    std::function<std::string(std::size_t)> text;
};

std::vector<csv_field> fields_of(const data_table& table) {
    const bool intervals = table.has_intervals();
    std::vector<csv_field> fields;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        const table_column& column = table.columns[c];
        fields.push_back({column.key, [&, c](std::size_t r) { return plain_text(table.cell(r, c).value); }});
        if (table.has_lower_bounds(c)) {
            fields.push_back({lower_bound_key(column.key),
                              [&, c](std::size_t r) { return plain_text(table.cell(r, c).is_lower_bound); }});
        }
        if (intervals && column.part == column_part::metric) {
            for (const char* const end : {"n", "low", "high"}) {
                fields.push_back({column.key + "." + end, [&, c, end](std::size_t r) {
                                      return plain_text(json_of(table.cell(r, c).interval)[end]);
                                  }});
            }
        }
        if (column.is_compared && table.rows.size() > 1) {
            fields.push_back({column.key + ".ratio", [&, c](std::size_t r) {
                                  const std::optional<double> ratio = table.ratio(r, c);
                                  return ratio ? plain_text(plain_number(*ratio)) : "";
                              }});
        }
    }
    return fields;
}

}  // namespace

void write_csv(std::ostream& out, const data_table& table) {
    const std::vector<csv_field> fields = fields_of(table);
    csv_line line;
    for (const csv_field& field : fields) {
        line.add_name(field.name);
    }
    out << line.end();
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        for (const csv_field& field : fields) {
            line.add_name(field.text(r));
        }
        out << line.end();
    }
}

}  // namespace weir::tb
