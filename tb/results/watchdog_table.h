// watchdog.csv: what the PFC watchdogs of all switches did, in the order of time, then of switches.
#pragma once

#include "tb/files/run_directory.h"
#include "weir/model/fabric/fabric.h"

namespace weir::tb {

void write_watchdog_table(output_file& file, fabric& made);

}  // namespace weir::tb
