// The points of a statement, as the columns `at`, `of` and `against` of statements.csv name them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tb/reproduce/statement_table.h"
#include "tb/text/csv_file.h"

namespace weir::tb {

struct scope_columns {
    std::size_t at;
    std::size_t of;
    std::size_t against;
};

/// Reads the points of `scope` in an experiment with these axes, and the ranks of an order. `at` may have `*`
/// (all options that no other column names), `mean(KEY)` and `mean(seeds)`. Returns false, with an error in the
/// table, if the columns do not name points of the experiment.
bool read_scope(csv_file& table, const scope_columns& columns, paper_statement& s,
                const std::vector<sweep_axis>& axes, statement_scope& scope);

/// The parts of `a|b|c`, without blanks around them; one empty part of an empty text.
std::vector<std::string> split_at_bars(const std::string& text);

/// The metrics of `A/B`, or `A` alone.
std::vector<std::string> metric_parts(const std::string& metric);

}  // namespace weir::tb
