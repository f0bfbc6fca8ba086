// The table that `weir run` prints: a summary for people. Several runs side by side are in tb/table.
//
//   result_table(std::cout, summary);
#pragma once

#include <nlohmann/json.hpp>
#include <ostream>

namespace weir::tb {

/// `summary` is the contents of a summary.json.
void result_table(std::ostream& out, const nlohmann::ordered_json& summary);

}  // namespace weir::tb
