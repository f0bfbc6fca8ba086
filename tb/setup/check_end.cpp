#include "tb/setup/check_end.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <numeric>

#include "tb/setup/traffic_classes.h"
#include "weir/base/unit_text.h"
#include "weir/model/fabric/fabric_changes.h"
#include "weir/model/forwarding/routing.h"

namespace weir {

namespace {

const char* const goes_on = ": without run.duration the run may go on to 4500s";

/// Below this chance that a frame and its ACK both pass, most transmissions end in a timeout that doubles, up
/// to seconds: a transfer hardly comes through in the longest run. A convention; the ACK is as short as frames
/// are.
constexpr double least_acknowledged = 0.5;
constexpr double shortest_frame = 64;

// --- the traffic by itself -------------------------------------------------------------------------------

struct endless {
    /// Empty: it ends.
    std::string why;
    /// What ends it.
    std::string expected;
};

endless endless_traffic(const workload_config& traffic) {
    const bool stops = traffic.stop > 0_ps;
    const auto without_stop = [&](const std::string& why) {
        return stops ? endless{} : endless{why, "traffic.stop"};
    };
    if (traffic.background_flows > 0 && !stops) {
        return without_stop("background flows (traffic.background_flows) follow one another without end");
    }
    switch (traffic.kind) {
        case workload_kind::none:
        case workload_kind::trace:
        case workload_kind::incast:
            return {};
        case workload_kind::permutation:
            if (traffic.flow_bytes == 0_B && traffic.transport == transport_kind::tcp) {
                return {
                    "a TCP flow without end (traffic.flow_bytes = 0B) never completes, also with traffic.stop",
                    "traffic.flow_bytes above 0B"};
            }
            return traffic.flow_bytes > 0_B && traffic.flows_per_host > 0
                       ? endless{}
                       : without_stop("each host's flows have no end");
        default:
            return without_stop("this traffic never does");
    }
}

bit_rate fastest_host_link(const built_topology& built) {
    const topology& plan = built.plan;
    const auto of_host = [&](link_id l) {
        return plan.link(l).a.node.is_host() || plan.link(l).b.node.is_host();
    };
    bit_rate fastest{1};  // not 0: it is divided by
    for (link_id l = 0; l < plan.links().size(); ++l) {
        fastest = of_host(l) ? std::max(fastest, plan.link(l).rate) : fastest;
    }
    for (const fabric_change& change : built.changes) {
        fastest = of_host(change.link) ? std::max(fastest, change.rate) : fastest;
    }
    return fastest;
}

/// The least that surely passes one host's link, and the option that says so. Unit: B.
struct host_bytes {
    double least = 0;
    const char* key = "";
};

host_bytes least_bytes(const workload_config& traffic) {
    const auto of = [](bytes each, std::uint64_t count) {
        return static_cast<double>(each.count()) * static_cast<double>(count);
    };
    host_bytes most{of(traffic.background_bytes, traffic.background_flows), "traffic.background_bytes"};
    host_bytes main;
    const std::uint64_t surely = traffic.stop > 0_ps ? 1 : std::max<std::uint64_t>(1, traffic.flows_per_host);
    if (traffic.kind == workload_kind::permutation) {
        main = {of(traffic.flow_bytes, surely), "traffic.flow_bytes"};
    } else if (traffic.kind == workload_kind::incast) {
        main = {of(traffic.incast_bytes, traffic.stop > 0_ps ? 1 : traffic.incast_rounds),
                "traffic.incast_bytes"};
    }
    return main.least > most.least ? main : most;
}

// --- what of the fabric is gone --------------------------------------------------------------------------

struct last_state : link_properties {
    bool up = true;
    /// Also at the start, and all the time between.
    bool never_up = false;
};

std::vector<last_state> last_states(const built_topology& built) {
    std::vector<last_state> links;
    for (const topology_link& link : built.plan.links()) {
        links.push_back({link, true, false});
    }
    for (const fabric_change& change : in_order(built.changes)) {
        last_state& link = links[change.link];
        if (change.up) {
            link.never_up = !*change.up && (link.never_up || change.at == 0_ps);
            link.up = *change.up;
        }
        link.frame_error_rate = change.frame_error_rate.value_or(link.frame_error_rate);
        link.bit_error_rate = change.bit_error_rate.value_or(link.bit_error_rate);
    }
    return links;
}

/// What of the fabric hangs together.
struct fabric_parts {
    /// By host.
    std::vector<std::uint32_t> part_of;
    /// By part.
    std::vector<std::uint32_t> hosts_in;
};

fabric_parts parts(const topology& plan, const link_states& up) {
    std::vector<std::uint32_t> above(plan.nodes());
    std::iota(above.begin(), above.end(), 0U);
    const auto part_of = [&](std::uint32_t node) {
        while (above[node] != node) {
            node = above[node] = above[above[node]];
        }
        return node;
    };
    for (link_id l = 0; l < plan.links().size(); ++l) {
        if (up[l]) {
            above[part_of(plan.node_index(plan.link(l).a.node))] =
                part_of(plan.node_index(plan.link(l).b.node));
        }
    }
    fabric_parts found;
    found.hosts_in.resize(plan.nodes());
    for (host_id h = 0; h < plan.hosts(); ++h) {
        found.part_of.push_back(part_of(h));
        ++found.hosts_in[found.part_of.back()];
    }
    return found;
}

/// Hosts outside the largest part.
std::vector<host_id> cut_off(const topology& plan, const link_states& up) {
    const fabric_parts found = parts(plan, up);
    const auto largest = std::max_element(found.hosts_in.begin(), found.hosts_in.end());
    std::vector<host_id> hosts;
    for (host_id h = 0; h < plan.hosts(); ++h) {
        if (found.part_of[h] != static_cast<std::uint32_t>(largest - found.hosts_in.begin())) {
            hosts.push_back(h);
        }
    }
    return hosts;
}

link_states links_up(const std::vector<last_state>& links, bool (*is_up)(const last_state&)) {
    link_states up;
    std::transform(links.begin(), links.end(), std::back_inserter(up), is_up);
    return up;
}

std::string names(const topology& plan, const std::vector<host_id>& hosts) {
    constexpr std::size_t most_named = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(hosts.size(), most_named); ++i) {
        text += (i == 0 ? "" : ", ") + plan.name(node_ref::of_host(hosts[i]));
    }
    return hosts.size() > most_named ? text + " and " + std::to_string(hosts.size() - most_named) + " more"
                                     : text;
}

/// Every host takes part, and none can do without another one.
bool needs_all_hosts(const workload_config& traffic) {
    return traffic.kind == workload_kind::permutation || traffic.kind == workload_kind::incast;
}

bool pauses_for_good(const run_config& config, const broken_adapter& adapter) {
    return adapter.to == never && config.flow_control.watchdog != watchdog_action::forward;
}

class_mask classes_in_use(const run_config& config) {
    class_mask used = 0;
    for (const unsigned c : traffic_classes(config)) {
        used = static_cast<class_mask>(used | 1U << c);
    }
    return used;
}

/// Of `needs_all_hosts`: a host that is surely not reached, as `fabric.link` or `host.broken` say.
std::string lost_host(const run_config& config, const built_topology& built) {
    const topology& plan = built.plan;
    const bool incast = config.traffic.kind == workload_kind::incast;
    const bool tcp = incast || config.traffic.transport == transport_kind::tcp;
    if (tcp) {  // UDP's datagrams are lost, and their transfers over
        const fabric_parts found =
            parts(plan, links_up(last_states(built), [](const last_state& l) { return !l.never_up; }));
        for (host_id h = 0; h < plan.hosts(); ++h) {
            const bool from_target =
                incast && found.part_of[h] != found.part_of[config.traffic.incast_target % plan.hosts()];
            if (from_target || found.hosts_in[found.part_of[h]] == 1) {
                return "fabric.link cuts " + names(plan, {h}) + " off from the start";
            }
        }
    }
    const class_mask used = classes_in_use(config);
    for (const broken_adapter& adapter : built.broken_adapters) {
        const bool surely = adapter.from <= config.traffic.start && (adapter.classes & used) == used &&
                            config.shared.kind != buffer_kind::shared &&
                            (tcp || config.flow_control.watchdog == watchdog_action::off);
        if (surely && pauses_for_good(config, adapter)) {
            return "host.broken pauses the link of " + names(plan, {adapter.host}) + " without end";
        }
    }
    return {};
}

void warn_of_links(const run_config& config, const built_topology& built, std::vector<std::string>& warnings) {
    const topology& plan = built.plan;
    const std::vector<last_state> links = last_states(built);
    const link_states up = links_up(links, [](const last_state& l) { return l.up; });
    const std::vector<host_id> hosts = cut_off(plan, up);
    if (!hosts.empty()) {
        warnings.push_back("fabric.link: links that stay down cut off " + names(plan, hosts) +
                           ": a transfer over them never completes" + goes_on);
    }
    const double bits = 8.0 * static_cast<double>(config.device.max_frame.count());
    for (link_id l = 0; l < links.size(); ++l) {
        const auto passing = [&](double frame_bits) {
            return (1 - links[l].frame_error_rate) *
                   std::exp(frame_bits * std::log1p(-links[l].bit_error_rate));
        };
        const double passes = passing(bits);
        if (up[l] && passes * passing(8.0 * shortest_frame) < least_acknowledged) {
            char text[64];
            std::snprintf(text, sizeof text, "%.4g %% of all full frames", 100 * (1 - passes));
            warnings.push_back(
                "fabric.link: " + plan.link(l).name + " loses " + text +
                " for good: fewer than half of them are acknowledged at the first try, so a transfer "
                "over it takes long or never completes" +
                goes_on);
            break;
        }
    }
    for (const static_route& route : built.routes) {
        const std::vector<link_id>& ports = plan.ports(node_ref::of_switch(route.at));
        bool any_up = false;
        for (unsigned port = 0; port < ports.size(); ++port) {
            any_up = any_up || (route.ports.test(port) && up[ports[port]]);
        }
        if (!any_up) {
            warnings.push_back("fabric.route: at " + plan.name(node_ref::of_switch(route.at)) + " to " +
                               names(plan, {route.to}) +
                               " all links of the route stay down: a transfer over them never completes" +
                               goes_on);
            break;
        }
    }
}

}  // namespace

config_errors check_end(const run_config& config, const built_topology& built) {
    if (config.run.duration > 0_ps) {
        return {};
    }
    const auto refuse = [](const std::string& why, const std::string& expected) {
        return config_errors{
            {{},
             0,
             "run.duration",
             "0 means to run until the traffic ends, but " + why + "; expected a duration" + expected}};
    };
    const endless found = endless_traffic(config.traffic);
    if (!found.why.empty()) {
        return refuse(found.why, ", or " + found.expected);
    }
    const host_bytes least = least_bytes(config.traffic);
    const double seconds = 8 * least.least / static_cast<double>(fastest_host_link(built).count());
    if (seconds > std::chrono::duration<double>(longest_time - config.traffic.start).count()) {
        return refuse("a host's transfers take " + std::to_string(std::llround(seconds)) +
                          " s at its link's rate, longer than a run can (" + to_text(longest_time) + ")",
                      std::string(", or less of ") + least.key);
    }
    const std::string cut = needs_all_hosts(config.traffic) ? lost_host(config, built) : std::string{};
    return cut.empty() ? config_errors{} : refuse(cut + ", so that transfers never complete", "");
}

std::vector<std::string> end_warnings(const run_config& config, const built_topology& built) {
    std::vector<std::string> warnings;
    if (config.run.duration > 0_ps) {
        return warnings;
    }
    if (config.traffic.uses_tcp()) {
        warn_of_links(config, built, warnings);
    }
    const class_mask used = classes_in_use(config);
    std::vector<host_id> paused;
    for (const broken_adapter& adapter : built.broken_adapters) {
        if (pauses_for_good(config, adapter) && (adapter.classes & used) != 0 &&
            std::find(paused.begin(), paused.end(), adapter.host) == paused.end()) {
            paused.push_back(adapter.host);
        }
    }
    if (!paused.empty()) {
        warnings.push_back("host.broken: " + names(built.plan, paused) +
                           (paused.size() == 1 ? " pauses its link" : " pause their links") +
                           " without end (no to=): what waits for it there never arrives" + goes_on);
    }
    return warnings;
}

}  // namespace weir
