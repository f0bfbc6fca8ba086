// What `weir run --dry-run` prints: the fabric, its names, its paths and delays, and flow control's thresholds.
#pragma once

#include <ostream>

#include "tb/run/options/run_config.h"
#include "tb/run/topology/build_topology.h"
#include "weir/model/flow_control/pfc_thresholds.h"

namespace weir::tb {

void print_fabric(std::ostream& out, const run_config& config, const built_topology& built);

// Parts of it ----------------------------------------------------------------------------------------

/// One line: the times of the reserve, their sum, and the bytes.
void print_reserve_terms(std::ostream& out, const port_flow_control& control);

/// A line for each kind of switch: headroom of all its ports and lossless classes, and what its thresholds
/// leave for it. Range: memory is per port, and there is flow control.
void print_port_headroom(std::ostream& out, const run_config& config, const built_topology& built);

/// Lossless classes, and for each kind of link the headroom that a group needs, PFC's timing and the
/// `weir headroom` that computes the same. Range: the memory is shared.
void print_shared_headroom(std::ostream& out, const run_config& config, const built_topology& built);

/// Memories of one switch of each size, or of each that differs where files give values. Range: they are
/// shared.
void print_shared_memory(std::ostream& out, const run_config& config, const built_topology& built);

/// The switches whose blocks are RTL, which blocks, and what they take. Nothing where none is.
void print_rtl(std::ostream& out, const run_config& config, const topology& plan);

}  // namespace weir::tb
