#include "tb/run/checks/run_checks.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <numeric>

#include "tb/run/checks/traffic_classes.h"
#include "tb/run/options/run_traits.h"
#include "weir/base/unit_text.h"
#include "weir/model/fabric/fabric_changes.h"
#include "weir/model/forwarding/routing.h"
#include "weir/model/memory/memory_organisation.h"
#include "weir/traffic/apps/workloads.h"

namespace weir::tb {

namespace {

const char* const goes_on = ": without run.duration the run may go on to 4500s";

/// Below this chance that a frame and its ACK both pass, most transmissions end in a timeout that doubles, up
/// to seconds: a transfer hardly comes through in the longest run. A convention; the ACK is as short as frames
/// are.
constexpr double least_acknowledged = 0.5;
constexpr double shortest_frame = 64;

// --- the traffic by itself -------------------------------------------------------------------------------

workload_end end_of(const workload_config& traffic) {
    const bool stops = traffic.stop > 0_ps;
    workload_end end;
    if (const auto& known = workloads()[traffic.kind].end) {
        end = known(traffic);
    } else if (!stops) {
        end.why_endless = "this traffic never ends";
        end.expected = "{traffic.stop}";
    }
    const auto goes_on_beside = [&](bool is_there, const char* why) {
        if (is_there && !stops) {
            end.why_endless = why;
            end.expected = "{traffic.stop}";
        }
    };
    goes_on_beside(traffic.background.flows > 0,
                   "background flows ({traffic.background_flows}) follow one another without end");
    goes_on_beside(traffic.background.interarrival > 0_ps,
                   "background flows ({traffic.background_interarrival}) begin without end");
    goes_on_beside(traffic.stream.is_on(), "the flow of {traffic.stream_rate} has no end");
    const double background = static_cast<double>(traffic.background.flow_bytes.count()) *
                              static_cast<double>(traffic.background.flows);
    if (end.least_bytes <= background) {
        end.least_bytes = background;
        end.least_key = "traffic.background_bytes";
    }
    return end;
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
struct connected_parts {
    /// By host.
    std::vector<std::uint32_t> part_of;
    /// By part.
    std::vector<std::uint32_t> hosts_in;
};

connected_parts parts(const topology& plan, const link_states& up) {
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
    connected_parts found;
    found.hosts_in.resize(plan.nodes());
    for (host_id h = 0; h < plan.hosts(); ++h) {
        found.part_of.push_back(part_of(h));
        ++found.hosts_in[found.part_of.back()];
    }
    return found;
}

/// Hosts outside the largest part.
std::vector<host_id> cut_off(const topology& plan, const link_states& up) {
    const connected_parts found = parts(plan, up);
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

bool pauses_for_good(const run_config& config, const broken_adapter& adapter) {
    return adapter.to == never && config.flow_control.watchdog != watchdog_action::forward;
}

class_mask classes_in_use(const run_config& config) {
    class_mask used = 0;
    for (const unsigned c : data_classes(config)) {
        used = static_cast<class_mask>(used | 1U << c);
    }
    return used;
}

/// A host, and why it is not reached; null: it is.
struct lost_host {
    const char* why = nullptr;
    std::string name;
};

/// Of a workload that needs all hosts: a host that is surely not reached, as `fabric.link` or `host.broken`
/// say.
lost_host find_lost(const run_config& config, const built_topology& built, std::optional<host_id> centre) {
    const topology& plan = built.plan;
    const bool confirmed = !config.traffic.uses(datagram_transport);
    if (confirmed) {  // UDP's datagrams are lost, and their transfers over
        const connected_parts found =
            parts(plan, links_up(last_states(built), [](const last_state& l) { return !l.never_up; }));
        for (host_id h = 0; h < plan.hosts(); ++h) {
            const bool from_centre = centre && found.part_of[h] != found.part_of[*centre % plan.hosts()];
            if (from_centre || found.hosts_in[found.part_of[h]] == 1) {
                return {"{fabric.link} cuts {} off from the start", names(plan, {h})};
            }
        }
    }
    const class_mask used = classes_in_use(config);
    for (const broken_adapter& adapter : built.broken_adapters) {
        const bool surely = adapter.from <= config.traffic.start && (adapter.classes & used) == used &&
                            !organisation_of(config.device).is_shared &&
                            (confirmed || config.flow_control.watchdog == watchdog_action::off);
        if (surely && pauses_for_good(config, adapter)) {
            return {"{host.broken} pauses the link of {} without end", names(plan, {adapter.host})};
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
            warnings.push_back("fabric.link: " + plan.link(l).name + " loses " + text +
                               " permanently: fewer than half of them are acknowledged at the first try, so a "
                               "transfer over it takes long or never completes" +
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
    const auto refuse = [](const std::string& why, const std::string& expected,
                           const std::vector<std::string>& values = {}) {
        return config_errors{option_error(
            "run.duration", "0 does not end this run: " + why + "; expected a duration" + expected, values)};
    };
    const workload_end end = end_of(config.traffic);
    if (!end.why_endless.empty()) {
        return refuse(end.why_endless, ", or " + end.expected);
    }
    const double seconds = 8 * end.least_bytes / static_cast<double>(fastest_host_link(built).count());
    if (seconds > std::chrono::duration<double>(longest_time - config.traffic.start).count()) {
        return refuse("a host's transfers take {} s at its link's rate, longer than the longest run ({})",
                      std::string(", or less of {") + end.least_key + "}",
                      {std::to_string(std::llround(seconds)), to_text(longest_time)});
    }
    const lost_host lost = end.needs_all_hosts ? find_lost(config, built, end.centre) : lost_host{};
    return lost.why == nullptr
               ? config_errors{}
               : refuse(lost.why + std::string(", so that transfers never complete"), "", {lost.name});
}

std::vector<std::string> end_warnings(const run_config& config, const built_topology& built) {
    std::vector<std::string> warnings;
    if (config.run.duration > 0_ps) {
        return warnings;
    }
    if (uses_transport(config, &transport_traits::confirms)) {
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
                           " without end (no to=): frames that wait for it never arrive" + goes_on);
    }
    return warnings;
}

}  // namespace weir::tb
