// `fabric.route`: routes set by hand, beside the shortest paths.
//
//     s0 to h2 via s1                  frames for host h2 that are at switch s0 go to s1, over any link there
//     agg1.0 to tor1.0 via tor1.1      the same for all hosts of switch tor1.0
//     s0 to h2 via s1,s2               to either, as switch.balance chooses
//     s0 to h2 via s0-s1.2             over the link of that name
#pragma once

#include <string>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/model/forwarding/static_routes.h"
#include "weir/model/topology/topology.h"

namespace weir::tb {

struct parsed_routes {
    std::vector<static_route> routes;
    /// Keys are `fabric.route[n]` for the n-th text, from 0 (`loaded_config::locate`).
    config_errors errors;
    /// Frames can go round in a circle; empty if they cannot.
    std::string loop_warning;
};

parsed_routes parse_routes(const topology& plan, const std::vector<std::string>& texts);

}  // namespace weir::tb
