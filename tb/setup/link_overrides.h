// `fabric.link`: changes of single links, from the start or at a given time.
//
//     agg0.0-core1 rate=100Mbps            this link is slower
//     agg0.0-core1 down at=5ms             is cut at 5 ms
//     agg0.0-core1 up at=9ms               and mended
//     agg0.0-core1 latency=3us at=12ms     and is shorter: frames that leave from 12 ms on take 3 us
//
// Words: rate=, latency=, frame_error_rate=, bit_error_rate=, down, up, at=. With at=, all that the text says
// holds from that time on.
#pragma once

#include <string>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/model/fabric/fabric.h"
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

}  // namespace weir::tb
