// ports.csv: what went through each port, class by class, and what its memories held.
//
//   write_port_table(file, network, averaged);
#pragma once

#include "tb/files/run_directory.h"
#include "tb/results/averaged_time.h"
#include "weir/model/fabric/fabric.h"

namespace weir::tb {

/// Drops count from the start of the run, as in the summary; everything else from the end of the warm-up, and
/// averages cover `averaged`. The fabric has been settled. Throws output_error.
void write_port_table(output_file& file, fabric& made, const averaged_time& averaged);

}  // namespace weir::tb
