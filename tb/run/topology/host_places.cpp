#include "tb/run/topology/host_places.h"

#include <map>

#include "tb/support/text/fitting_places.h"
#include "tb/support/text/name_pattern.h"

namespace weir::tb {

std::vector<host_id> hosts_of_names(const std::vector<std::string>& names, const char* key,
                                    const topology& plan, config_errors& errors) {
    return fitting_places(
        names, plan.hosts(),
        [&](const std::string& pattern, host_id h) {
            return fits_pattern(pattern, plan.name(node_ref::of_host(h))) ||
                   fits_pattern(pattern, plan.name(node_ref::of_switch(plan.edge_switch(h))));
        },
        [&](const std::string& pattern) {
            errors.push_back(
                {{},
                 0,
                 key,
                 "'" + pattern +
                     "' is no host, and no switch with hosts; expected names that `weir run --dry-run` lists, "
                     "such as " +
                     plan.name(node_ref::of_switch(plan.edge_switch(0))) + "; * stands for any text"});
        });
}

std::vector<std::uint32_t> nodes_of_names(const std::vector<std::string>& names, const char* key,
                                          const topology& plan, config_errors& errors) {
    return fitting_places(
        names.empty() ? std::vector<std::string>{"*"} : names, plan.nodes(),
        [&](const std::string& pattern, std::uint32_t n) {
            return fits_pattern(pattern, plan.name(plan.node_at(n)));
        },
        [&](const std::string& pattern) {
            errors.push_back(
                {{},
                 0,
                 key,
                 "'" + pattern +
                     "' matches no node; expected hosts and switches that `weir run --dry-run` lists, "
                     "such as " +
                     plan.name(plan.node_at(0)) + "; * stands for any text"});
        });
}

fabric_parts parts_of(const topology& plan) {
    const std::vector<std::uint32_t> pods = plan.pods();
    std::map<std::uint32_t, std::uint32_t> part_of_pod;
    fabric_parts parts;
    for (host_id h = 0; h < plan.hosts(); ++h) {
        const auto next = static_cast<std::uint32_t>(part_of_pod.size());
        parts.part_of.push_back(part_of_pod.try_emplace(pods[plan.edge_switch(h)], next).first->second);
    }
    if (part_of_pod.size() < 2) {
        return {};
    }
    parts.up_rate.resize(part_of_pod.size());
    for (const topology_link& link : plan.links()) {
        if (link.a.node.is_host() || link.b.node.is_host() ||
            pods[link.a.node.index] == pods[link.b.node.index]) {
            continue;
        }
        for (const node_ref end : {link.a.node, link.b.node}) {
            const auto part = part_of_pod.find(pods[end.index]);
            if (part != part_of_pod.end()) {
                parts.up_rate[part->second] += static_cast<double>(link.rate.count());
            }
        }
    }
    return parts;
}

}  // namespace weir::tb
