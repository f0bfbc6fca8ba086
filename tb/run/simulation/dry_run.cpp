#include "tb/run/simulation/dry_run.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <sstream>
#include <tuple>

#include "tb/asic/profiles/read_profiles.h"
#include "tb/run/checks/rtl_blocks.h"
#include "tb/run/options/run_traits.h"
#include "tb/run/results/results_collector.h"
#include "tb/run/topology/name_ranges.h"
#include "tb/support/text/joined.h"
#include "weir/base/field_range.h"
#include "weir/base/how_many.h"
#include "weir/base/unit_text.h"
#include "weir/model/analysis/unloaded_path.h"
#include "weir/model/flow_control/pfc_headroom.h"
#include "weir/model/flow_control/pfc_thresholds.h"
#include "weir/model/forwarding/routing.h"
#include "weir/model/memory/egress_share.h"
#include "weir/model/memory/memory_organisation.h"
#include "weir/model/switch/block_kinds.h"

namespace weir::tb {

namespace {

void print_nodes(std::ostream& out, const topology& plan) {
    std::map<unsigned, unsigned> tiers;
    for (switch_id s = 0; s < plan.switches(); ++s) {
        ++tiers[plan.tier(s)];
    }
    out << "Fabric: " << how_many(plan.hosts(), "host") << ", "
        << how_many(plan.switches(), "switch", "switches") << " ("
        << joined(tiers, ", ",
                  [](const auto& tier) {
                      return std::to_string(tier.second) + " in tier " + std::to_string(tier.first);
                  })
        << "), " << how_many(plan.links().size(), "link") << '\n';
}

void print_links(std::ostream& out, const topology& plan) {
    using kind = std::tuple<std::string, std::int64_t, std::int64_t>;
    std::map<kind, std::pair<unsigned, std::string>> kinds;
    const auto tier_of = [&](const node_ref& n) {
        return n.is_host() ? std::string("host") : "tier " + std::to_string(plan.tier(n.index));
    };
    for (const topology_link& link : plan.links()) {
        auto& entry = kinds[{tier_of(link.a.node) + " - " + tier_of(link.b.node), link.rate.count(),
                             link.latency.count()}];
        ++entry.first;
        if (entry.second.empty()) {
            entry.second = link.name;
        }
    }
    out << "\nLinks:\n";
    for (const auto& [k, entry] : kinds) {
        out << "  " << entry.first << " x " << std::get<0>(k) << ": " << to_text(bit_rate{std::get<1>(k)})
            << ", " << to_text(picoseconds{std::get<2>(k)}) << " one way, such as " << entry.second << '\n';
    }
}

// As options that choose nodes and links want them.
void print_names(std::ostream& out, const topology& plan) {
    constexpr std::size_t most_ranges = 12;
    const auto print = [&](const char* what, std::size_t count, const auto& name_of) {
        std::vector<std::string> names;
        for (std::uint32_t n = 0; n < count; ++n) {
            names.push_back(name_of(n));
        }
        if (count > 0) {
            out << "  " << what << ": " << name_ranges(names, most_ranges) << '\n';
        }
    };
    out << "\nNames:\n";
    print("hosts", plan.hosts(), [&](std::uint32_t n) { return plan.name(node_ref::of_host(n)); });
    print("switches", plan.switches(), [&](std::uint32_t n) { return plan.name(node_ref::of_switch(n)); });
    print("links", plan.links().size(), [&](std::uint32_t n) { return plan.links()[n].name; });
}

/// The transport whose frames a run's paths are timed with: that of the workload, or of what runs beside it.
transport_kind main_transport(const run_config& config) {
    const workload_config& traffic = config.traffic;
    for (const transport_kind each : {traffic.transport, datagram_transport, traffic.background.transport}) {
        if (traffic.uses(each)) {
            return each;
        }
    }
    return traffic.transport;
}

void print_path(std::ostream& out, const run_config& config, const topology& plan, host_id src, host_id dst) {
    const link_states up = all_links_up(plan);
    const shortest_path_summary paths = shortest_paths(plan, up, src, dst);
    if (paths.paths == 0) {
        out << "  " << plan.name(node_ref::of_host(src)) << " to " << plan.name(node_ref::of_host(dst))
            << ": none\n";
        return;
    }
    const unloaded_delays delays = ideal_delays_of(
        config, shortest_lookup(config, plan))[static_cast<std::size_t>(main_transport(config))];
    const path_stages stages = stages_of(plan, paths.example, delays);
    const bytes full = std::min(delays.frame_length(delays.segment_payload), config.device.max_frame);
    const picoseconds stacks = delays.stack_out + delays.stack_in;
    out << "  " << plan.name(node_ref::of_host(src)) << " (" << to_text(plan.address_of(src)) << ") to "
        << plan.name(node_ref::of_host(dst)) << " (" << to_text(plan.address_of(dst))
        << "): " << how_many(paths.paths, "shortest path") << ", such as\n    " << to_text(plan, paths.example)
        << "\n    unloaded time, stacks included: frame of " << to_text(full) << ": "
        << to_text(frame_time(stages, full, delays) + stacks)
        << (full > 64_B ? "; frame of 64B: " + to_text(frame_time(stages, 64_B, delays) + stacks) : "")
        << "; transfer of 8KB with an infinite window: " << to_text(ideal_completion(stages, 8_KB, delays))
        << '\n';
}

// From the first host: the nearest other host, and the first at each greater distance.
void print_paths(std::ostream& out, const run_config& config, const built_topology& built) {
    const topology& plan = built.plan;
    if (plan.hosts() < 2) {
        return;
    }
    const std::vector<std::uint32_t> distance = distances_to(plan, all_links_up(plan), plan.edge_switch(0));
    std::map<std::uint32_t, host_id> first_at;
    for (host_id h = 1; h < plan.hosts(); ++h) {
        first_at.emplace(distance[plan.edge_switch(h)], h);
    }
    out << "\nPaths" << (built.changes.empty() ? "" : ", with all links as at the start")
        << (config.device.crossbar == crossbar_mode::cell
                ? ", times for the start that fits the crossbar slots best"
                : "")
        << ":\n";
    for (const auto& [hops, h] : first_at) {
        print_path(out, config, plan, 0, h);
    }
}

std::string error_rate_text(double share) {
    std::ostringstream text;
    text << share;
    return text.str();
}

/// `Scheduler: deficit_round_robin; class 7 before all others; weights: class 0 1 (25%), class 1 3 (75%)`
void print_scheduler(std::ostream& out, const switch_config& device) {
    if (device.classes == 1) {
        return;
    }
    out << "  Scheduler: " << scheduler_kinds().of(device.scheduler).name;
    if (!scheduler_kinds()[device.scheduler].reads_weights) {
        out << ", class " << device.classes - 1 << " first\n";
        return;
    }
    std::vector<std::string> before;
    std::vector<std::string> shares;
    const double sum = std::accumulate(device.weights.begin(), device.weights.begin() + device.classes, 0.0);
    for (unsigned c = 0; c < device.classes; ++c) {
        if (device.weights[c] > 0) {
            shares.push_back("class " + std::to_string(c) + " " + std::to_string(device.weights[c]) + " (" +
                             field_text(std::round(1000 * (device.weights[c] / sum)) / 10) + "%)");
        } else {
            before.insert(before.begin(), std::to_string(c));
        }
    }
    if (!before.empty()) {
        out << (sum > 0 ? "; strictly before the others, in this order: class "
                        : "; all are strict, in this order: class ")
            << joined(before, ", ");
    }
    out << (shares.empty() ? "" : "; weights: ") << joined(shares, ", ");
    out << '\n';
}

void print_switch(std::ostream& out, const run_config& config) {
    const switch_config& d = config.device;
    const bool crossed = organisation_of(config.device).has_crossbar();
    out << "\nSwitch: lookup " << to_text(d.lookup_delay) << ", ";
    if (crossed) {
        out << "crossbar speedup " << d.speedup << " ("
            << (d.crossbar == crossbar_mode::frame ? "whole frames" : "cells of " + to_text(d.cell)) << "), "
            << to_text(d.ingress_buffer) << " ingress and ";
    } else {
        out << "output-queued, ";
    }
    if (organisation_of(config.device).stays_at_ingress()) {
        out << to_text(d.ingress_buffer) << " ingress memory per port until frames have left, ";
    } else {
        out << to_text(d.egress_buffer) << " egress memory per port, ";
    }
    out << how_many(d.classes, "class", "classes") << '\n';
    out << "  A single class fills an egress port up to " << lone_class_fill(d).most.count()
        << " B; further frames "
        << (!crossed || d.drop == drop_policy::egress_tail ? "are dropped there\n" : "wait at ingress\n");
    print_scheduler(out, d);
    if (balance_policies()[d.balance].reads_favored_ports) {
        out << "  Ports with fewer drain bytes are favoured; thresholds: "
            << joined(d.balance_thresholds, ", ", [](bytes t) { return to_text(t); }) << '\n';
    }
}

// What memories and the lookup can do, where that is limited.
void print_limits(std::ostream& out, const run_config& config) {
    if (config.device.lookup_interval > 0_ps) {
        out << "  At most one lookup per " << to_text(config.device.lookup_interval)
            << " in the whole switch: " << 1'000'000'000'000 / config.device.lookup_interval.count()
            << " frames/s\n";
    }
    const sram_config& sram = config.sram;
    if (sram.is_limited()) {
        out << "  Each "
            << (organisation_of(config.device).is_shared ? "slice" : "port's ingress and egress memory") << ": "
            << how_many(sram.banks, "bank") << ", " << to_text(config.device.memory_cell) << " each "
            << to_text(sram.access_time) << ": " << to_text(sram.bandwidth(config.device.memory_cell))
            << (sram.ports == sram_ports::one_read_or_write ? " for reads and writes together\n"
                                                            : " for reads, and as much for writes\n");
    }
}

// Each threshold as a sum that can be checked by hand.
void print_terms(std::ostream& out, const run_config& config, const port_flow_control& control) {
    if (config.flow_control.xoff) {
        out << "  XOFF: pfc.xoff\n";
    } else {
        out << "  XOFF = " << control.class_memory.count() << " B of memory - " << control.reserve.count()
            << " B reserve";
        if (control.crossing > 0_B) {
            out << " - " << control.crossing.count() << " B of the frame that crosses it";
        }
        out << '\n';
    }
    if (config.flow_control.reserve) {
        out << "  Reserve: pfc.reserve\n";
        return;
    }
    print_reserve_terms(out, control);
    if (control.profile != config.flow_control.profile) {
        out << "  pfc.profile = detail gives no threshold for PAUSE: all terms are used\n";
    }
}

/// A value at the start, and the largest that is to come.
template <class Value>
std::string at_most(Value start, Value most) {
    return most > start ? "up to " + to_text(most) : to_text(start);
}

void print_flow_control(std::ostream& out, const run_config& config, const built_topology& built) {
    if (config.flow_control.mode == flow_control_mode::none) {
        out << "Flow control: none; when memory is full, frames are dropped at "
            << (organisation_of(config.device).stays_at_ingress() ||
                        (organisation_of(config.device).has_crossbar() &&
                         config.device.drop == drop_policy::ingress_tail)
                    ? "ingress"
                    : "egress")
            << "\n";
        return;
    }
    for (const port_config& port : kinds_of_links(built, config.link.wire_overhead)) {
        const port_flow_control control = resolve_flow_control(config.device, config.flow_control, port);
        out << "Flow control at " << at_most(port.rate, port.fastest_rate()) << ", "
            << at_most(port.latency, port.longest_latency()) << ": XOFF at " << control.limits.xoff
            << " B, XON below " << control.limits.xon << " B, reserve " << to_text(control.reserve)
            << (control.limits.one_class ? " (PAUSE, all classes)" : " per class") << ", response time "
            << to_text(control.response) << '\n';
        print_terms(out, config, control);
    }
    print_port_headroom(out, config, built);
}

void print_tcp(std::ostream& out, const run_config& config) {
    const picoseconds least = config.tcp.least_rto();
    out << "TCP: minimum RTO " << to_text(least)
        << (least > config.tcp.min_rto ? " (tcp.min_rto = " + to_text(config.tcp.min_rto) +
                                             " is below the terms added to "
                                             "a round trip)"
                                       : "")
        << ", initial RTO " << to_text(config.tcp.first_rto()) << ", fast retransmit ";
    if (config.tcp.duplicate_acks == 0) {
        out << "off\n";
    } else {
        out << "at " << config.tcp.duplicate_acks << " duplicate ACKs\n";
    }
}

void print_change(std::ostream& out, const fabric_change& change, const topology& plan) {
    std::vector<std::string> what;
    if (change.up) {
        what.emplace_back(*change.up ? "up" : "down");
    }
    if (change.rate.count() > 0) {
        what.push_back(to_text(change.rate));
    }
    if (change.latency) {
        what.push_back(to_text(*change.latency) + " one way");
    }
    if (change.frame_error_rate) {
        what.push_back("frame error rate " + error_rate_text(*change.frame_error_rate));
    }
    if (change.bit_error_rate) {
        what.push_back("bit error rate " + error_rate_text(*change.bit_error_rate));
    }
    out << "  At " << to_text(change.at) << ": " << plan.link(change.link).name << (what.empty() ? "" : " ")
        << joined(what, ", ") << '\n';
}

// One line each, as they are set.
void print_routes(std::ostream& out, const built_topology& built) {
    const topology& plan = built.plan;
    for (const static_route& route : built.routes) {
        const node_ref at = node_ref::of_switch(route.at);
        std::vector<std::string> links;
        route.ports.for_each([&](unsigned port) { links.push_back(plan.link(plan.ports(at)[port]).name); });
        out << "  Static route: " << plan.name(at) << " to " << plan.name(node_ref::of_host(route.to))
            << " via " << joined(links, ", ") << '\n';
    }
}

}  // namespace

void print_fabric(std::ostream& out, const run_config& config, const built_topology& built) {
    print_nodes(out, built.plan);
    print_names(out, built.plan);
    print_links(out, built.plan);
    for (const fabric_change& change : in_order(built.changes)) {
        print_change(out, change, built.plan);
    }
    print_routes(out, built);
    out << "  Lookahead (longest quantum): " << to_text(smallest_latency(built.plan, built.changes)) << '\n';
    print_paths(out, config, built);
    if (organisation_of(config.device).is_shared) {
        print_shared_memory(out, config, built);
        print_scheduler(out, config.device);
        print_limits(out, config);
    } else {
        print_switch(out, config);
        print_limits(out, config);
        print_flow_control(out, config, built);
    }
    print_rtl(out, config, built.plan);
    if (uses_tcp(config)) {
        print_tcp(out, config);
    }
}

}  // namespace weir::tb
