// Several runs side by side, the first one being what the others are compared to.
//
//   data_table table = run_table(runs, {"baseline", "detail"}, metric_filter{});
#pragma once

#include <string>
#include <vector>

#include "tb/table/data_table.h"
#include "tb/table/measure_columns.h"
#include "tb/table/run_measures.h"

namespace weir::tb {

/// `labels`: of the runs, in their order. The options in which the runs differ stand before the results.
data_table run_table(const std::vector<measured_run>& runs, const std::vector<std::string>& labels,
                     const metric_filter& filter);

}  // namespace weir::tb
