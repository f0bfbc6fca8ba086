#include "tb/run/checks/run_checks.h"

#include <algorithm>

#include "tb/run/options/run_traits.h"
#include "weir/model/forwarding/routing.h"
#include "weir/model/overflow/overflow_action.h"
#include "weir/model/switch/block_kinds.h"
#include "weir/traffic/congestion/path_choices.h"

namespace weir::tb {

namespace {

/// Whether some switch has several shortest paths to a host, or a static route with several ports.
bool has_equal_paths(const built_topology& built) {
    const topology& plan = built.plan;
    if (std::any_of(built.routes.begin(), built.routes.end(),
                    [](const static_route& route) { return route.ports.count() > 1; })) {
        return true;
    }
    std::vector<bool> has_hosts(plan.switches());
    for (host_id h = 0; h < plan.hosts(); ++h) {
        has_hosts[plan.edge_switch(h)] = true;
    }
    for (switch_id to = 0; to < plan.switches(); ++to) {
        if (!has_hosts[to]) {
            continue;
        }
        const std::vector<std::uint32_t> distances = distances_to(plan, all_links_up(plan), to);
        for (switch_id from = 0; from < plan.switches(); ++from) {
            const node_ref here = node_ref::of_switch(from);
            unsigned nearer = 0;
            for (unsigned port = 0; port < plan.ports(here).size(); ++port) {
                const node_ref next = plan.far_end(here, port).node;
                nearer += !next.is_host() && distances[from] != unreachable &&
                                  distances[next.index] + 1 == distances[from]
                              ? 1
                              : 0;
            }
            if (nearer > 1) {
                return true;
            }
        }
    }
    return false;
}

bool has_neighbours(const topology& plan) {
    return std::any_of(plan.links().begin(), plan.links().end(), [](const topology_link& link) {
        return !link.a.node.is_host() && !link.b.node.is_host();
    });
}

}  // namespace

config_errors idle_in_fabric(const loaded_config& loaded, const built_topology& built) {
    const run_config& config = loaded.config;
    const auto is_chosen = [&](const char* key, bool acts, bool by_scheme = false) {
        const auto origin = loaded.origins.find(key);
        return acts && origin != loaded.origins.end() && (by_scheme || !origin->second.preset);
    };
    config_errors idle;
    const auto tell = [&](const char* key, const char* needs) {
        const setting_origin& origin = loaded.origins.at(key);
        idle.push_back({origin.file, origin.line, key,
                        std::string("has no effect; it needs ") + needs +
                            (origin.preset ? " (set by switch.scheme)" : "")});
    };
    const bool balances = is_chosen("switch.balance", !balance_policies()[config.device.balance].hashes_flows);
    // Tables of segments count by path whether switches tell paths apart or not.
    const bool counts_paths = config.output.segments;
    // The rest of a scheme that balances matters without a choice; what flowbender and dibs are named after
    // does not.
    const bool tcp_moves = is_chosen(
        "tcp.path_choice",
        uses_tcp(config) && path_choices()[config.tcp.path_choice](config.tcp) != nullptr && !counts_paths,
        true);
    const bool udp_moves = is_chosen("udp.path_every", config.traffic.uses(datagram_transport) &&
                                                           config.udp.path_every > 0 && !counts_paths);
    // A detour by flow hashes with the salt too, and chooses among all ports that lead to switches.
    const bool detours = overflow_kinds()[config.device.overflow].detours;
    const bool detours_by_flow =
        detours && config.detour.policy == detour_policy::flow_based && has_neighbours(built.plan);
    const bool salts = is_chosen("switch.hash_salt",
                                 balance_policies()[config.device.balance].hashes_flows && !detours_by_flow);
    if ((balances || salts || tcp_moves || udp_moves) && !has_equal_paths(built)) {
        const char* const needs = "a fabric in which some switch has several shortest paths to a host";
        for (const auto& [chosen, key] :
             {std::pair(balances, "switch.balance"), std::pair(salts, "switch.hash_salt"),
              std::pair(tcp_moves, "tcp.path_choice"), std::pair(udp_moves, "udp.path_every")}) {
            if (chosen) {
                tell(key, needs);
            }
        }
    }
    if (is_chosen("switch.overflow", detours, true) && !has_neighbours(built.plan)) {
        tell("switch.overflow", "a fabric with links between switches, over which frames can be detoured");
    }
    return idle;
}

}  // namespace weir::tb
