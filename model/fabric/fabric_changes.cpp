#include "weir/model/fabric/fabric_changes.h"

#include <algorithm>

namespace weir::model {

// Stable: changes of one instant apply in the order in which they were given.
std::vector<fabric_change> in_order(std::vector<fabric_change> changes) {
    std::stable_sort(changes.begin(), changes.end(),
                     [](const fabric_change& a, const fabric_change& b) { return a.at < b.at; });
    return changes;
}

// The lookahead: of the whole run, since the quantum does not follow the changes.
picoseconds smallest_latency(const topology& plan, const std::vector<fabric_change>& changes) {
    picoseconds smallest = plan.smallest_latency();
    for (const fabric_change& change : changes) {
        smallest = std::min(smallest, change.latency.value_or(smallest));
    }
    return smallest;
}

std::vector<port_config> ports_of_links(const topology& plan, const std::vector<fabric_change>& changes,
                                        bytes wire_overhead) {
    std::vector<port_config> ports;
    ports.reserve(plan.links().size());
    for (const topology_link& link : plan.links()) {
        ports.push_back({link.rate, link.latency, wire_overhead, link.frame_error_rate, link.bit_error_rate});
    }
    for (const fabric_change& change : changes) {
        port_config& port = ports[change.link];
        port.later_rate = std::max(port.later_rate, change.rate);
        port.later_latency = std::max(port.later_latency, change.latency.value_or(port.later_latency));
    }
    return ports;
}

}  // namespace weir::model
