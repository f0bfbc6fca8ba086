// Routes set by hand, beside the shortest paths that are computed: detours, bounces after a
// failure, rings. They stay as they are when links are cut and mended.
//
//   std::vector<static_route> routes{{s0, h2, {1}}};    // s0 sends what is for host h2 out of port 1
//   add_static_routes(fabric, routes, tables);
#pragma once

#include <vector>

#include "weir/model/forwarding/routing.h"

namespace weir::model {

struct static_route {
    switch_id at = 0;
    host_id to = 0;
    /// Acceptable ports. Not empty.
    port_bitmap ports;
};

/// Puts each route into its switch's table in place of the computed one. `tables`: by switch. Of several routes
/// of a switch for one host the last counts.
void add_static_routes(const topology& fabric, const std::vector<static_route>& routes,
                       std::vector<route_table>& tables);
/// Those of one switch, into its table.
void add_static_routes(const topology& fabric, const std::vector<static_route>& routes, switch_id at,
                       route_table& table);

/// A circle that frames for a host can go round, as switches in the order of travel; empty if there is none
/// for any host that routes are set for.
std::vector<switch_id> find_routing_loop(const topology& fabric, const std::vector<static_route>& routes);

}  // namespace weir::model
