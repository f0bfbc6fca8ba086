// Classes that a run's frames can have, and whether any of them is lossless.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "tb/options/run_config.h"

namespace weir::tb {

/// As switches map priorities to classes. `in_trace`: priorities that the trace's flows have, as bits; all
/// where the trace has not been read.
std::set<unsigned> traffic_classes(const run_config& config, class_mask in_trace = 0xFF);

/// Some frame can be of a class that flow control keeps from being lost.
bool has_lossless_traffic(const run_config& config, class_mask in_trace = 0xFF);

/// Flow control is configured, and some traffic is of classes that it does not protect.
std::optional<std::string> lossy_traffic_warning(const run_config& config, class_mask in_trace = 0xFF);

}  // namespace weir::tb
