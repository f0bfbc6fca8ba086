// Which rank has which node: a cut of the fabric in which ranks have about as much to do, and few frames cross.
//
// What there is to do is estimated before the run: what a host sends goes to all others, by what they receive,
// and all shortest paths share. METIS (Karypis, Kumar: A fast and high quality multilevel scheme for
// partitioning irregular graphs, SIAM J. Sci. Comput. 20, 1998) cuts the graph of switches, weighted so; hosts
// go with their switch. No result depends on the cut.
//
//   const std::vector<std::uint32_t> rank_of = cut_fabric(plan, 4, {});
#pragma once

#include <cstdint>
#include <vector>

#include "weir/model/topology/topology.h"
#include "weir/traffic/traces/flow.h"

namespace weir::tb {

using model::topology;
using traffic::host_traffic;

/// The rank of each node, by `topology::node_index`. `expected`: of each host, in any unit; empty: all alike.
/// Range: ranks >= 1. A rank may have no node, where there are fewer switches. Throws std::logic_error if
/// `expected` has another number of hosts, std::bad_alloc if METIS has no memory, std::runtime_error if it
/// fails otherwise.
std::vector<std::uint32_t> cut_fabric(const topology& plan, unsigned ranks,
                                      const std::vector<host_traffic>& expected);

/// Frames that are expected to leave each switch, and to pass each link between switches (0 for others), for
/// each unit sent and each received, multiplied; for `cut_fabric`.
struct expected_load {
    std::vector<double> switches;
    std::vector<double> links;
};
expected_load expect_load(const topology& plan, const std::vector<host_traffic>& expected);

}  // namespace weir::tb
