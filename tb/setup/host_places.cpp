#include "tb/setup/host_places.h"

#include <map>

#include "tb/text/name_pattern.h"

namespace weir::tb {

std::vector<host_id> hosts_of_names(const std::vector<std::string>& names, const char* key,
                                    const topology& plan, config_errors& errors) {
    std::vector<bool> used(names.size());
    std::vector<host_id> hosts;
    for (host_id h = 0; h < plan.hosts(); ++h) {
        bool is_named = false;
        for (std::size_t n = 0; n < names.size(); ++n) {
            const bool fits = fits_pattern(names[n], plan.name(node_ref::of_host(h))) ||
                              fits_pattern(names[n], plan.name(node_ref::of_switch(plan.edge_switch(h))));
            used[n] = used[n] || fits;
            is_named = is_named || fits;
        }
        if (is_named) {
            hosts.push_back(h);
        }
    }
    for (std::size_t n = 0; n < names.size(); ++n) {
        if (!used[n]) {
            errors.push_back(
                {{},
                 0,
                 key,
                 "'" + names[n] +
                     "' is no host, and no switch with hosts; expected names that `weir run --dry-run` lists, "
                     "such as " +
                     plan.name(node_ref::of_switch(plan.edge_switch(0))) + "; * stands for any text"});
        }
    }
    return hosts;
}

std::vector<std::uint32_t> nodes_of_names(const std::vector<std::string>& names, const char* key,
                                          const topology& plan, config_errors& errors) {
    std::vector<std::uint32_t> chosen;
    std::vector<bool> used(names.size());
    for (std::uint32_t n = 0; n < plan.nodes(); ++n) {
        bool any = names.empty();
        for (std::size_t t = 0; t < names.size(); ++t) {
            if (fits_pattern(names[t], plan.name(plan.node_at(n)))) {
                used[t] = true;
                any = true;
            }
        }
        if (any) {
            chosen.push_back(n);
        }
    }
    for (std::size_t t = 0; t < used.size(); ++t) {
        if (!used[t]) {
            errors.push_back(
                {{},
                 0,
                 key,
                 "'" + names[t] +
                     "' matches no node; expected hosts and switches that `weir run --dry-run` lists, "
                     "such as " +
                     plan.name(plan.node_at(0)) + "; * stands for any text"});
        }
    }
    return chosen;
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
