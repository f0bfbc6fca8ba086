// nodes.csv: what a node is called in each table. Columns `node` and `peer` hold its name; `src` and `dst` of
// flows, jobs and causes a host's number, as traces have it; captures its address.
//
//   write_node_table(file, plan);
#pragma once

#include "tb/files/run_directory.h"
#include "weir/model/topology/topology.h"

namespace weir::tb {

/// Hosts, then switches. Throws output_error.
void write_node_table(output_file& file, const topology& plan);

}  // namespace weir::tb
