// Fabrics as text: the project's own format (docs/topology-format.md), and those of two other simulators.
//
//   std::istringstream text("host h0\nhost h1\nswitch s0\n"
//                           "link h0 s0 rate=10Gbps latency=1us\nlink h1 s0 rate=10Gbps latency=1us\nend\n");
//   topology_file read = parse_topology(text, "tiny.topology");
//   if (read.errors.empty()) { use(read.fabric); }
//
// Readers report everything that is wrong with a file at once, each with its line. A fabric that comes with
// errors is not to be used; one without is finished and valid.
#pragma once

#include <array>
#include <istream>
#include <string>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/base/time.h"
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

/// Reads HPCC's format: `nodes switches links`, the switches' ids, then per link
/// `a b rate latency error_rate`. All ids that are not a switch's are hosts; hosts and switches are numbered
/// in the order of their ids, and keep these as names. The declared counts govern; what follows is ignored
/// with a warning. Error rates are per frame.
topology_file parse_hpcc_topology(std::istream& text, const std::string& file);

/// A fat-tree of htsim, and what its file says of the switches, by tier (0 = ToR, 1 = aggregation, 2 = core).
struct htsim_topology_file : topology_file {
    /// Number of tiers. Range: 2-3.
    unsigned tiers = 0;
    /// Switch_Latency_ns: from a switch's ingress to its egress queue. Not part of the fabric: to be used as
    /// the lookup delay.
    std::array<picoseconds, 3> switch_latency{};
    /// Oversubscribed: capacity down over capacity up. The numbers of links come from the radices.
    std::array<unsigned, 3> oversubscription{1, 1, 1};
};

/// Reads htsim's .topo format. Names are those of pods_config; the wiring to the cores is htsim's.
htsim_topology_file parse_htsim_topology(std::istream& text, const std::string& file);

}  // namespace weir::model
