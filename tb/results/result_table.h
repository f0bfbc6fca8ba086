// Summaries for people: the table that `weir run` prints, and several runs side by side.
//
//   result_table(std::cout, summary);
//   comparison_table(std::cout, {"out/baseline", "out/detail"}, errors);
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <ostream>
#include <vector>

#include "weir/base/config_error.h"

namespace weir::tb {

/// `summary` is the contents of a summary.json.
void result_table(std::ostream& out, const nlohmann::ordered_json& summary);

/// Each path is a run's directory or a summary.json; the first run is the baseline, and the others' times are
/// given with their ratio to its. A run that was ended before its time is marked. Prints nothing where there
/// are errors: a file that cannot be read or is no summary. Returns the runs that were ended before their time.
std::vector<std::string> comparison_table(std::ostream& out, const std::vector<std::filesystem::path>& runs,
                                          config_errors& errors);

}  // namespace weir::tb
