// Links that are cut, mended or made another during a run, and what that means before it begins: how far nodes
// may run ahead of each other, and what flow control has to be ready for.
#pragma once

#include <optional>
#include <vector>

#include "weir/model/link/port_config.h"
#include "weir/model/topology/topology.h"

namespace weir::model {

/// A change of a link at a given time, in both directions. What is left open stays as it is.
struct fabric_change {
    picoseconds at;
    link_id link;
    /// Cut or mended.
    std::optional<bool> up;
    /// 0 leaves the rate as it is.
    bit_rate rate{0};
    /// Range: > 0. Counts towards the lookahead of the whole run.
    std::optional<picoseconds> latency{};
    /// Range of both: 0-1.
    std::optional<double> frame_error_rate{};
    std::optional<double> bit_error_rate{};
};

/// In order of time; at the same time in the order given.
std::vector<fabric_change> in_order(std::vector<fabric_change> changes);

/// The smallest latency that any link has at any time of the run: how far nodes may run ahead of each other.
/// `never` without links.
picoseconds smallest_latency(const topology& plan, const std::vector<fabric_change>& changes);

/// The ends of each link, by `link_id` (both are alike), with what it will have at most.
std::vector<port_config> ports_of_links(const topology& plan, const std::vector<fabric_change>& changes,
                                        bytes wire_overhead);

}  // namespace weir::model
