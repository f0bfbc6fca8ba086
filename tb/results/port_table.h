// ports.csv: what went through each port, class by class, and what its memories held.
//
//   write_port_table(file, network, measured);
#pragma once

#include "tb/files/run_directory.h"
#include "weir/model/fabric/fabric.h"

namespace weir::tb {

/// Everything but drops since the end of the warm-up, `measured` ago; drops since the start of the run, as in
/// the summary. The fabric has been settled. Throws output_error.
void write_port_table(output_file& file, fabric& made, picoseconds measured);

}  // namespace weir::tb
