// Records that are texts of options: what single links, routes and adapters of a fabric have.
//
// `fabric.link`: changes of single links, from the start or at a given time.
//
//     agg0.0-core1 rate=100Mbps            this link is slower
//     agg0.0-core1 down at=5ms             is cut at 5 ms
//     agg0.0-core1 up at=9ms               and mended
//     agg0.0-core1 latency=3us at=12ms     and is shorter: frames that leave from 12 ms on take 3 us
//
// Words: rate=, latency=, frame_error_rate=, bit_error_rate=, down, up, at=. With at=, all that the text says
// holds from that time on.
//
// `fabric.route`: routes set by hand, beside the shortest paths.
//
//     s0 to h2 via s1                  frames for host h2 that are at switch s0 go to s1, over any link there
//     agg1.0 to tor1.0 via tor1.1      the same for all hosts of switch tor1.0
//     s0 to h2 via s1,s2               to either, as switch.balance chooses
//     s0 to h2 via s0-s1.2             over the link of that name
//
// `host.broken`: adapters that pause their link without end.
//
//     h3                              host h3, all classes, from the start to the end
//     h3 classes=3,4 from=2ms to=9ms  those classes, from 2 ms on; at 9 ms it sends XON
#pragma once

#include <string>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/model/fabric/fabric.h"
#include "weir/model/forwarding/static_routes.h"
#include "weir/model/topology/topology.h"

namespace weir::tb {

struct link_overrides {
    /// The fabric with all changes that hold from the start, but for links that are down.
    topology plan;
    /// Changes during the run, in the order given; a link that is down from the start changes at 0.
    std::vector<fabric_change> changes;
    /// Keys are `fabric.link[n]` for the n-th text, from 0 (`loaded_config::locate`).
    config_errors errors;
};

link_overrides apply_link_overrides(const topology& plan, const std::vector<std::string>& texts);

struct parsed_routes {
    std::vector<static_route> routes;
    /// Keys are `fabric.route[n]` for the n-th text, from 0 (`loaded_config::locate`).
    config_errors errors;
    /// Frames can go round in a circle; empty if they cannot.
    std::string loop_warning;
};

parsed_routes parse_routes(const topology& plan, const std::vector<std::string>& texts);

struct parsed_adapters {
    std::vector<broken_adapter> adapters;
    /// Keys are `host.broken[n]` for the n-th text, from 0.
    config_errors errors;
};

/// `classes`: those in use in the fabric. Two texts that break one class of one host at the same time are an
/// error.
parsed_adapters parse_adapters(const topology& plan, unsigned classes, const std::vector<std::string>& texts);

}  // namespace weir::tb
