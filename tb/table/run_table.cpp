#include "tb/table/run_table.h"

#include <algorithm>
#include <utility>

#include "tb/results/failed_run.h"
#include "tb/table/option_columns.h"

namespace weir::tb {

using nlohmann::ordered_json;

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

std::string mark_of(const measured_run& run) {
    return run.failure ? verdict_text(*run.failure) : run.is_complete ? "" : "incomplete";
}

ordered_json verdict_json(const std::optional<run_failure>& failure) {
    return failure && failure->verdict ? ordered_json(name_of(*failure->verdict)) : ordered_json();
}

}  // namespace

made_table run_table(const std::vector<measured_run>& runs, const std::vector<std::string>& labels,
                     const metric_filter& filter) {
    made_table made;
    data_table& table = made.table;
    const std::size_t options = table.add_section("options");
    std::vector<const char*> row_keys{"run", "directory", "complete"};
    const bool any_failed =
        std::any_of(runs.begin(), runs.end(), [](const measured_run& run) { return run.failure.has_value(); });
    if (any_failed) {
        row_keys.insert(row_keys.end(), {"verdict", "error"});
    }
    for (const char* const key : row_keys) {
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
        table.rows.push_back({labels[r], mark_of(run), {}});
        table.rows[r].cells = {{labels[r], {}}, {run.directory.string(), {}}, {run.is_complete, {}}};
        if (any_failed) {
            table.rows[r].cells.push_back({verdict_json(run.failure), {}});
            table.rows[r].cells.push_back(
                {run.failure ? ordered_json(run.failure->error) : ordered_json(), {}});
        }
        if (run.failure) {
            table.verdicts.push_back(labels[r] + " failed (" + verdict_text(*run.failure) +
                                     "): " + message_text(*run.failure));
        }
        option_part.add_cells(table.rows[r],
                              [&](const std::string& key) { return run.options.find_shown(key); });
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const run_measure* const measure = columns.find(run, c);
            table.rows[r].cells.push_back(
                measure != nullptr
                    ? table_cell{measure->value, {}, measure->is_lower_bound, measure->is_of_completed_only}
                    : table_cell{});
        }
    }
    return made;
}

}  // namespace weir::tb
