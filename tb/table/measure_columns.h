// From what is known of single runs to the columns of a table: those of all runs, side by side.
//
//   add_measures(table, runs, metric_filter{}, [&](std::size_t row, const std::string& key) -> table_cell {
//       return {runs[row]->find(key)->value};
//   });
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "tb/sweep/metrics.h"
#include "tb/table/data_table.h"
#include "tb/table/run_measures.h"

namespace weir::tb {

/// Adds a section for each subject, in the order of `measure_subject`, and a column for each measure that some
/// run has. `filter`: which metrics; without names all, but for groups where there are more than
/// `most_shown_groups`. What a filter names is shown to people, too. `cell_of`: cell of a row and a measure.
void add_measures(data_table& table, const std::vector<const measured_run*>& runs, const metric_filter& filter,
                  const std::function<table_cell(std::size_t row, const std::string& key)>& cell_of);

/// Names that a filter wants and no run has: errors of `--metric`.
config_errors unknown_metrics(const metric_filter& filter, const std::vector<const measured_run*>& runs);

}  // namespace weir::tb
