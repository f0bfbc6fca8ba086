#include "tb/table/run_table.h"

#include <utility>

#include "tb/table/option_columns.h"

namespace weir::tb {

namespace {

std::vector<const measured_run*> pointers_to(const std::vector<measured_run>& runs) {
    std::vector<const measured_run*> all;
    for (const measured_run& run : runs) {
        all.push_back(&run);
    }
    return all;
}

/// Column of what a row is; tables for people have its name instead.
table_column row_column(const char* key, std::size_t section) {
    return {key, column_part::name, section, {key}, metric_unit::number, false, false};
}

}  // namespace

made_table run_table(const std::vector<measured_run>& runs, const std::vector<std::string>& labels,
                     const metric_filter& filter) {
    made_table made;
    data_table& table = made.table;
    const std::size_t options = table.add_section("options");
    for (const char* key : {"run", "directory", "complete"}) {
        table.columns.push_back(row_column(key, options));
    }
    std::vector<const effective_options*> effective;
    for (const measured_run& run : runs) {
        effective.push_back(&run.options);
    }
    const std::vector<std::string> keys = differing_options(effective);
    const option_columns option_part(keys);
    option_part.add_to(table, options);
    const measure_columns columns(pointers_to(runs), filter);
    columns.add_to(table);
    made.without_groups = columns.without_groups();
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const measured_run& run = runs[r];
        table.rows.push_back({labels[r], run.is_complete ? "" : "incomplete", {}});
        table.rows[r].cells = {{labels[r], {}}, {run.directory.string(), {}}, {run.is_complete, {}}};
        option_part.add_cells(table.rows[r], [&](const std::string& key) { return run.options.find(key); });
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const run_measure* const measure = columns.find(run, c);
            table.rows[r].cells.push_back(measure != nullptr
                                              ? table_cell{measure->value, {}, measure->is_lower_bound}
                                              : table_cell{});
        }
    }
    return made;
}

}  // namespace weir::tb
