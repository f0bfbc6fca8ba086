// Links as flow control sees them, with the changes that are scheduled.
#pragma once

#include <string>
#include <vector>

#include "tb/options/run_config.h"
#include "tb/setup/build_topology.h"
#include "weir/model/link/port_config.h"

namespace weir::tb {

/// One port of each kind of link (rate, latency, and the most of both that is to come), in the order of the
/// first link of the kind.
std::vector<port_config> kinds_of_links(const built_topology& built, bytes wire_overhead);

/// Changes in which a lossless class can lose frames although its thresholds hold before and after: a rate that
/// rises while a port is in the middle of a frame, a latency that grows by more than a pause outlasts its
/// refresh. Once per kind of change.
std::vector<std::string> link_change_warnings(const run_config& config, const built_topology& built);

}  // namespace weir::tb
