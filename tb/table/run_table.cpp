#include "tb/table/run_table.h"

#include <algorithm>
#include <utility>

#include "tb/results/failed_run.h"
#include "tb/table/option_columns.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

std::string mark_of(const measured_run& run) {
    return run.failure ? verdict_text(*run.failure) : run.is_complete ? "" : "incomplete";
}

ordered_json verdict_json(const std::optional<run_failure>& failure) {
    return failure && failure->verdict ? ordered_json(name_of(*failure->verdict)) : ordered_json();
}

}  // namespace

data_table run_table(const std::vector<measured_run>& runs, const std::vector<std::string>& labels,
                     const metric_filter& filter) {
    data_table table;
    const std::size_t options = table.add_section("options");
    std::vector<const effective_options*> effective;
    std::vector<const measured_run*> all;
    bool any_failed = false;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        table.rows.push_back({labels[r], mark_of(runs[r])});
        effective.push_back(&runs[r].options);
        all.push_back(&runs[r]);
        if (runs[r].failure) {
            any_failed = true;
            table.verdicts.push_back(labels[r] + " failed (" + verdict_text(*runs[r].failure) +
                                     "): " + message_text(*runs[r].failure));
        }
    }
    // Tables for people begin with the row's name instead.
    const auto add = [&](const char* key, const auto& value_of) {
        table.add({key, column_part::name, options, {key}, metric_unit::number, false, false},
                  [&](std::size_t r) -> table_cell { return {value_of(r)}; });
    };
    add("run", [&](std::size_t r) { return labels[r]; });
    add("directory", [&](std::size_t r) { return runs[r].directory.string(); });
    add("complete", [&](std::size_t r) { return runs[r].is_complete; });
    if (any_failed) {
        add("verdict", [&](std::size_t r) { return verdict_json(runs[r].failure); });
        add("error", [&](std::size_t r) {
            return runs[r].failure ? ordered_json(runs[r].failure->error) : ordered_json();
        });
    }
    add_option_columns(table, options, differing_options(effective),
                       [&](std::size_t r, const std::string& key) { return runs[r].options.find_shown(key); });
    add_measures(table, all, filter, [&](std::size_t r, const std::string& key) {
        const run_measure* const measure = runs[r].find(key);
        return measure == nullptr
                   ? table_cell{}
                   : table_cell{measure->value, {}, measure->is_lower_bound, measure->is_of_completed_only};
    });
    return table;
}

}  // namespace weir::tb
