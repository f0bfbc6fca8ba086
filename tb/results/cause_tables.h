// Why classes were paused and frames were lost, as tables: pause_causes.csv, pause_flows.csv, pause_tree.json
// and drop_causes.csv (docs/causes.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tb/files/run_directory.h"
#include "weir/model/analysis/cause_log.h"
#include "weir/model/fabric/fabric.h"

namespace weir::tb {

/// Writes what `options` asks for. `flows`: most that a cause names. `paused_classes`: those of which pauses
/// count. All nodes have run to `end`. Returns which of pause_causes.csv and drop_causes.csv has no row.
/// Collective.
std::vector<std::string> write_causes(const run_directory& directory, const fabric& made,
                                      const switch_setup& setup, const cause_options& options,
                                      std::uint32_t flows, class_mask paused_classes, picoseconds end);

}  // namespace weir::tb
