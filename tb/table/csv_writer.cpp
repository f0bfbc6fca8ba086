#include "tb/results/summary_writer.h"
#include "tb/table/table_writers.h"
#include "tb/text/text_format.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

/// What stands behind the value of a column.
struct csv_form {
    bool has_ratio;
    bool has_interval;
    bool has_lower_bound;
};

std::vector<csv_form> forms_of(const data_table& table) {
    const bool intervals = table.has_intervals();
    std::vector<csv_form> forms;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        const table_column& column = table.columns[c];
        forms.push_back({column.is_compared && table.rows.size() > 1,
                         intervals && column.part == column_part::metric, table.has_lower_bounds(c)});
    }
    return forms;
}

void add_ends(csv_line& line, const mean_interval& interval) {
    line.add_name(std::to_string(interval.n));
    if (interval.has_width()) {
        line.add_name(plain_text(plain_number(interval.low())))
            .add_name(plain_text(plain_number(interval.high())));
    } else {
        line.add_nothing(2);
    }
}

}  // namespace

void write_csv(std::ostream& out, const data_table& table) {
    const std::vector<csv_form> forms = forms_of(table);
    csv_line line;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        const std::string& key = table.columns[c].key;
        line.add_name(key);
        if (forms[c].has_lower_bound) {
            line.add_name(lower_bound_key(key));
        }
        if (forms[c].has_interval) {
            line.add_name(key + ".n").add_name(key + ".low").add_name(key + ".high");
        }
        if (forms[c].has_ratio) {
            line.add_name(key + ".ratio");
        }
    }
    out << line.end();
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        for (std::size_t c = 0; c < table.columns.size(); ++c) {
            const table_cell& cell = table.cell(r, c);
            line.add_name(plain_text(cell.value));
            if (forms[c].has_lower_bound) {
                line.add_name(cell.is_lower_bound ? "true" : "false");
            }
            if (forms[c].has_interval) {
                add_ends(line, cell.interval);
            }
            if (forms[c].has_ratio) {
                const std::optional<double> ratio = table.ratio(r, c);
                line.add_name(ratio ? plain_text(plain_number(*ratio)) : "");
            }
        }
        out << line.end();
    }
}

}  // namespace weir::tb
