// Where in the fabric the hosts of a workload are, and nodes that are looked at: those that names stand for,
// and the parts of the fabric between which traffic crosses the bisection.
//
//   inputs.sources = hosts_of_names({"tor0.*", "h40"}, "traffic.sources", plan, errors);
//   inputs.parts = parts_of(plan);
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/model/topology/topology.h"
#include "weir/traffic/apps/workload_plan.h"

namespace weir::tb {

/// Hosts, or all hosts of switches, in ascending order; `*` in a name stands for any text. A name that stands
/// for no host is an error of option `key`.
std::vector<host_id> hosts_of_names(const std::vector<std::string>& names, const char* key,
                                    const topology& plan, config_errors& errors);

/// Hosts and switches, as their places among all nodes; all of them without names. As above.
std::vector<std::uint32_t> nodes_of_names(const std::vector<std::string>& names, const char* key,
                                          const topology& plan, config_errors& errors);

/// Pods, and the rate of the links that lead out of each. Nothing where no two pods have hosts.
fabric_parts parts_of(const topology& plan);

}  // namespace weir::tb
