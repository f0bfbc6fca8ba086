// The table that `weir run` prints: a summary for people. Several runs side by side are in tb/view/table.
//
//   result_table(std::cout, summary);
#pragma once

#include <nlohmann/json.hpp>
#include <ostream>

#include "tb/run/help/given_units.h"
#include "weir/base/time.h"

namespace weir::tb {

/// `summary` is the contents of a summary.json. Sizes of groups are printed as `units` has them. `warmup` is
/// the run's `run.warmup`, which summary.json does not have.
void result_table(std::ostream& out, const nlohmann::ordered_json& summary, const given_units& units = {},
                  picoseconds warmup = picoseconds{0});

}  // namespace weir::tb
