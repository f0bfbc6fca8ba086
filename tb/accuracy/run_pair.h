// How far the completion times of two runs of the same traffic are apart: `weir accuracy` with two runs'
// directories.
//
//   config_errors errors;
//   out << run_pair_table("out/rtl", "out/model", errors);
#pragma once

#include <string>

#include "weir/base/config_error.h"

namespace weir::tb {

/// Markdown: mean, 99th percentile and largest completion time of both, and of the difference of each transfer,
/// in ns and in percent of the reference. Empty where there are errors: no flows.csv, or no transfer in both.
std::string run_pair_table(const std::string& run, const std::string& reference, config_errors& errors);

}  // namespace weir::tb
