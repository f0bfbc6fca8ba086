// buffers.csv: how far the pools of shared packet memories were filled, as SONiC's watermarks count it.
#pragma once

#include "tb/files/run_directory.h"
#include "weir/model/fabric/fabric.h"

namespace weir::tb {

/// Lines for each switch's slices and pools, and for each group and queue that ever held a cell. Throws
/// output_error.
void write_buffer_table(output_file& file, fabric& made);

}  // namespace weir::tb
