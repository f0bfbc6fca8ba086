// Means over seeds and how far to trust them: intervals of Student's t.
//
//   interval_of({10, 12, 11}, 0.95);                     // 11, from 8.52 to 13.48
//   paired_difference({{10, 20}, {12, 23}}, 0.95);       // 10.5: of pairs, the second less the first
#pragma once

#include <utility>
#include <vector>

#include "tb/support/record/column_format.h"

namespace weir::tb {

/// Of values that are independent and roughly normal, as means and percentiles of long runs with different
/// seeds are. Range of confidence: above 0, below 1.
mean_interval interval_of(const std::vector<double>& values, double confidence);

/// Of second less first. Pairs ran with the same seed, so what chance does to both falls out.
mean_interval paired_difference(const std::vector<std::pair<double, double>>& pairs, double confidence);

}  // namespace weir::tb
