// Fabrics as text, in the project's own format (docs/topology-format.md). foreign_topology_files.h has those of
// two other simulators.
//
//   std::istringstream text("host h0\nhost h1\nswitch s0\n"
//                           "link h0 s0 rate=10Gbps latency=1us\nlink h1 s0 rate=10Gbps latency=1us\nend\n");
//   topology_file read = parse_topology(text, "tiny.topology");
//   if (read.errors.empty()) { use(read.fabric); }
//
// Readers report everything that is wrong with a file at once, each with its line. A fabric that comes with
// errors is not to be used; one without is finished and valid.
#pragma once

#include <istream>
#include <string>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/model/topology/topology.h"

namespace weir::model {

/// What a reader found.
struct topology_file {
    topology fabric;
    config_errors errors;
    /// What was left out although it does no harm, as `file:line: what`.
    std::vector<std::string> warnings;
};

/// Reads the project's own format. `defaults`: rate and latency of links that do not state theirs; 0 = each
/// link has to. `file` is used in messages only.
topology_file parse_topology(std::istream& text, const std::string& file, const link_properties& defaults = {});

/// Writes a fabric so that `parse_topology` gives the same nodes, ports, links and addresses.
std::string write_topology(const topology& fabric);

}  // namespace weir::model
