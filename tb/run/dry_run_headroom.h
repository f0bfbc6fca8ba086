// What a dry run says of PFC headroom: each term, and for a shared memory the `weir headroom` that has the
// same.
#pragma once

#include <ostream>
#include <string>

#include "tb/options/run_config.h"
#include "tb/plan/built_topology.h"
#include "weir/model/flow_control/headroom_budget.h"
#include "weir/model/flow_control/pfc_thresholds.h"

namespace weir::tb {

/// One line: the times of the reserve, their sum, and the bytes.
void print_reserve_terms(std::ostream& out, const port_flow_control& control);

/// A line for each kind of switch: headroom of all its ports and lossless classes, and what its thresholds
/// leave for it. Range: memory is per port, and there is flow control.
void print_port_headroom(std::ostream& out, const run_config& config, const built_topology& built);

/// Lossless classes, and for each kind of link the headroom that a group needs, PFC's timing and the command.
/// Range: the memory is shared.
void print_shared_headroom(std::ostream& out, const run_config& config, const built_topology& built);

/// The budget of `weir headroom` for a group behind this link, with the model's frames, cells and delays. The
/// link's latency is a cable of 5 ns/m; what is no whole millimetre of it is mac_phy.
headroom_budget_config budget_of_link(const run_config& config, const port_config& link);
/// `weir headroom --rate=40Gbps ...`, with the options that are not at their defaults.
std::string headroom_command_of(const headroom_budget_config& budget);

}  // namespace weir::tb
