// What hosts do, against what the switches between them do: combinations of transports, congestion controls and
// choices of a path with balancing, marks and orders of service that make no sense.
#pragma once

#include "tb/options/run_config.h"
#include "weir/base/field_range.h"

namespace weir::tb {

/// Whether the congestion control reads what switches append to frames.
bool reads_telemetry(const run_config& config);

/// `config.tcp` has passed its own checks.
void check_hosts(range_check& check, const run_config& config);

}  // namespace weir::tb
