// The numbers of a statement, seed by seed: values, ratios or differences at each place, and what `take` makes
// of several places.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tb/study/statements/statement_cells.h"
#include "tb/study/statements/statement_table.h"
#include "tb/study/sweep/sweep_statistics.h"

namespace weir::tb {

/// Numbers by seed, in the paper's unit. A seed without a value has none.
struct number_series {
    std::string name;
    seed_values values;
    /// Kind whose scale the numbers have (`effect_of`). A change of ratios is a ratio, a change of shares is a
    /// difference.
    statement_kind scale = statement_kind::value;
};

/// A mean with an interval that need not lie evenly round it.
struct judged_mean {
    /// Seeds that have a value.
    std::size_t n = 0;
    double mean = 0;
    double low = 0;
    double high = 0;
    bool has_width = false;
};

/// The numbers at one place, seed by seed. With `mean(seeds)` operands are averaged over the seeds first, and
/// the numbers are the jackknife's pseudo-values.
number_series series_of(const paper_statement& s, const statement_cell& cell);

/// The series that the statement is about: one for each place, or those that `take` makes of them.
std::vector<number_series> taken_series(const paper_statement& s, const std::vector<statement_cell>& cells,
                                        double confidence);

/// The mean over the seeds that have a value, with its interval of Student's t on the series' scale.
judged_mean measured(const number_series& series, double confidence);

}  // namespace weir::tb
