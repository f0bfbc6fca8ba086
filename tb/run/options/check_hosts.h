// Combinations of options that make no sense. Hosts: transports, congestion controls and choices of a path
// beside the switches' balancing, marks and orders of service. [sram]: memories and what waits in front of
// them.
#pragma once

#include "tb/run/options/run_config.h"
#include "weir/base/field_range.h"

namespace weir::tb {

/// Whether the congestion control reads what switches append to frames.
bool reads_telemetry(const run_config& config);

/// Whether queue pairs, and whether some transport of the run, react to marks. Only frames of those that do are
/// marked.
bool roce_heeds_marks(const run_config& config);
bool heeds_marks(const run_config& config);
/// Whether switches mark frames of transports that heed marks.
bool has_marks(const run_config& config);

/// `config.tcp` has passed its own checks.
void check_hosts(range_check& check, const run_config& config);

config_errors check_sram(const run_config& config);

}  // namespace weir::tb
