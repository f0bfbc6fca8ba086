// Fabrics in the formats of two other simulators: HPCC (ns-3) and htsim. As topology_files.h otherwise.
#pragma once

#include <array>
#include <istream>
#include <string>

#include "weir/base/time.h"
#include "weir/model/topology/topology_files.h"

namespace weir::model {

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
