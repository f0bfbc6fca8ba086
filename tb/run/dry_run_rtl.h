// What a dry run says of RTL in the loop.
#pragma once

#include <ostream>

#include "tb/options/run_config.h"
#include "weir/model/topology/topology.h"

namespace weir::tb {

/// The switches whose blocks are RTL, which blocks, and what they take. Nothing where none is.
void print_rtl(std::ostream& out, const run_config& config, const topology& plan);

}  // namespace weir::tb
