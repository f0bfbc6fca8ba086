#include "tb/run/options/run_options.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "tb/run/options/check_hosts.h"
#include "tb/support/plugins/loaded_plugins.h"
#include "weir/model/host/nic_queues.h"
#include "weir/model/marking/marker.h"
#include "weir/model/memory/memory_organisation.h"
#include "weir/model/memory/queue_order.h"
#include "weir/model/overflow/overflow_action.h"
#include "weir/model/switch/block_kinds.h"
#include "weir/traffic/apps/workloads.h"
#include "weir/traffic/host/transports.h"
#include "weir/traffic/roce/rate_controls.h"
#include "weir/traffic/tcp/congestion_kinds.h"
#include "weir/traffic/tcp/path_choices.h"

namespace weir::tb {

namespace {

void add_fabric_options(option_table& table, run_config& config) {
    table.block("fabric", "Hosts, switches and the links between them.").add(config.fabric);
    table.condition("fabric.link with down or up", [&config] { return !config.fabric.link_overrides.empty(); });
}

void add_link_options(option_table& table, run_config& config) {
    table.block("link", "Properties of every link for which the topology gives no others.").add(config.link);
    // The default of a property has an effect where a tier has none of its own.
    const auto some_tier_lacks = [&](const char* name, auto property) {
        table.condition(
            std::string(
                "a generated fabric (fabric.topology other than file) with a tier of links that has no ") +
                name + " of its own",
            [&config, property] {
                const std::vector<link_tier>& tiers = fabric_kinds()[config.fabric.topology].tiers;
                return std::any_of(tiers.begin(), tiers.end(),
                                   [&](link_tier tier) { return !(config.fabric.links_of(tier).*property); });
            });
    };
    some_tier_lacks("rate", &link_choice::rate);
    some_tier_lacks("latency", &link_choice::latency);
}

bool some_transport(const run_config& config, bool transport_traits::*trait) {
    const auto& known = transports().entries();
    for (std::size_t kind = 0; kind < known.size(); ++kind) {
        if (config.traffic.uses(static_cast<transport_kind>(kind)) && known[kind].traits.*trait) {
            return true;
        }
    }
    return transports()[config.traffic.transport].*trait;
}

void add_switch_options(option_table& table, run_config& config) {
    table.count_cells_of("switch.memory_cell");
    table.block("switch", "Switches: memory, lookup, crossbar, arbiter, classes and scheduler.")
        .add(config.device)
        .add(config);
    table.condition("a switch.balance that reads thresholds (adaptive)",
                    [&config] { return balance_policies()[config.device.balance].reads_favored_ports; });
    table.condition(
        "a switch.balance that hashes flows (flow_hash), or switch.overflow = detour with detour.policy = "
        "flow_based",
        [&config] {
            return balance_policies()[config.device.balance].hashes_flows ||
                   (overflow_kinds()[config.device.overflow].detours &&
                    config.detour.policy == detour_policy::flow_based);
        });
    table.condition("a switch.scheduler that reads weights (deficit_round_robin)",
                    [&config] { return scheduler_kinds()[config.device.scheduler].reads_weights; });
    table.condition("a traffic.transport or tcp.congestion that reads telemetry", [&config] {
        return some_transport(config, &transport_traits::reads_telemetry) || reads_telemetry(config);
    });
    table.condition("a traffic.transport that sets ranks",
                    [&config] { return some_transport(config, &transport_traits::sets_ranks); });
    table.condition(
        "switch.tcam = model, rtl.latency = model or rtl.switches other than all, or else pfc.mode = pause or "
        "pfc, whose thresholds count it",
        [&config] {
            const std::vector<std::string>& at = config.rtl.switches;
            return !has_rtl_lookup(config) || config.rtl.latency != rtl_latency::rtl ||
                   std::none_of(at.begin(), at.end(),
                                [](const std::string& text) { return text == "all" || text == "*"; }) ||
                   config.flow_control.mode != flow_control_mode::none;
        });
}

void add_shared_options(option_table& table, run_config& config) {
    table.block("shared", "Memory that all ports of a switch share (switch.buffer = shared).")
        .add(config.shared)
        .add(config.shared_tables);
    const auto some = [&config](bool lossless) {
        for (unsigned c = 0; c < config.device.classes; ++c) {
            const bool held_back =
                config.flow_control.mode != flow_control_mode::none && config.shared.is_lossless(c);
            if (held_back == lossless) {
                return true;
            }
        }
        return false;
    };
    table.condition(shared_buffer_config::when_lossless, [some] { return some(true); });
    table.condition(shared_buffer_config::when_lossy, [some] { return some(false); });
    const auto each_kind_its_own = [&](const char* clause, std::optional<bool> shared_buffer_config::*common) {
        table.condition(clause, [&config, some, common] {
            return !(config.shared.*common).value_or(false) || !some(true) || !some(false);
        });
    };
    each_kind_its_own(shared_buffer_config::when_own_pool, &shared_buffer_config::common_pool);
    each_kind_its_own(shared_buffer_config::when_own_queue_pool, &shared_buffer_config::common_queue_pool);
    // A table of SONiC's gives all lossless groups theirs.
    table.condition("no shared.pg_profile_lookup, or lossy classes",
                    [&config, some] { return config.shared_tables.pg_profile_lookup.empty() || some(false); });
    table.condition("traffic that heeds marks (tcp.congestion, roce.rate_control)",
                    [&config] { return heeds_marks(config); });
}

void add_marking_options(option_table& table, run_config& config) {
    table.block("marking", "Marking of frames (ECN) by the length of their egress queue.").add(config.marking);
    table.condition(
        "traffic that heeds marks (tcp.congestion, roce.rate_control), or marking.kind = red or qcn",
        [&config] {
            const marker_traits& marker = marker_kinds()[config.marking.kind];
            return heeds_marks(config) || marker.drops_early || marker.notifies;
        });
    table
        .block("qcn",
               "QCN: congestion points at egress queues (marking.kind = qcn), rate limiters in adapters; "
               "docs/blocks/qcn.md.")
        .add(config.qcn);
}

void add_rtl_options(option_table& table, run_config& config) {
    table.block("mac", "MACs of switches.").add(config.blocks);
    table.block("rtl", "RTL in the loop (docs/rtl.md).").add(config.rtl);
    table.condition(
        "switch.arbiter (with switch.buffer = partitioned), switch.tcam or mac.pfc (with pfc.mode = pfc) = rtl",
        [&config] { return has_rtl(config); });
    table.condition("a block that is rtl", [&config] { return has_rtl(config); });
    table.condition("a block that is rtl, with rtl.latency = rtl",
                    [&config] { return has_rtl(config) && config.rtl.latency == rtl_latency::rtl; });
}

void add_tcp_options(option_table& table, run_config& config) {
    table.block("tcp", "TCP at the hosts.").add(config.tcp);
    table.condition(tcp_config::used, [&config] { return config.traffic.uses_tcp(); });
    const auto if_congestion = [&config](bool (congestion_control::*holds)() const) {
        const auto kind = config.tcp.congestion;
        return !kind || (congestion_kinds()[*kind](config.tcp).get()->*holds)();
    };
    table.condition("a tcp.congestion that listens to marks",
                    [if_congestion] { return if_congestion(&congestion_control::ecn_capable); });
    table.condition("a tcp.congestion that grows as NewReno does",
                    [if_congestion] { return if_congestion(&congestion_control::reads_avoidance); });
    table.block("cubic", "CUBIC: TCP's window as a cubic function of time.").add(config.tcp.cubic);
    table.block("vegas", "Vegas: TCP's window by how many segments wait in queues.").add(config.tcp.vegas);
    table.block("flowbender", "FlowBender: senders that leave congested paths.").add(config.tcp.flowbender);
}

void add_udp_options(option_table& table, run_config& config) {
    table.block("udp", "UDP at the hosts.").add(config.udp);
    table.condition(udp_config::used, [&config] { return config.traffic.uses_udp(); });
    table.condition(
        "traffic.transport = udp with traffic.kind = poisson, permutation or trace, or traffic.stream_rate",
        [&config] {
            return config.traffic.stream.is_on() ||
                   (config.traffic.uses_udp() && workloads()[config.traffic.kind].carried != carriage::udp);
        });
}

void add_roce_options(option_table& table, run_config& config) {
    table.block("roce", "RoCEv2 at the hosts, and DCQCN.").add(config.roce);
    table.condition(roce_config::used, [&config] { return config.traffic.uses_roce(); });
}

void add_traffic_options(option_table& table, run_config& config) {
    const workload_config& traffic = config.traffic;
    table.block("traffic", "What the hosts send.").add(config.traffic).add(config.files);
    table.condition(workload_config::front_ends, [&traffic] {
        return traffic.has_requests() || (traffic.background.is_on() && traffic.background.to_back_ends);
    });
    table.condition("a traffic.split other than everyone and named", [&traffic] {
        return traffic.effective_split() != server_split::everyone &&
               traffic.effective_split() != server_split::named;
    });
    table.condition(workload_config::kinds_with_places(), [&traffic] { return traffic.has_places(); });
    table.condition("traffic.kind = query, or poisson without traffic.distribution", [&traffic] {
        const auto draws = workloads()[traffic.kind].draws_sizes;
        return draws != nullptr && draws(traffic);
    });
    table.condition(workload_config::loads, [&traffic] {
        const auto reads = workloads()[traffic.kind].reads_load;
        return (reads != nullptr && reads(traffic)) || (traffic.has_requests() && !traffic.rate);
    });
    table.condition("traffic.kind = poisson, or requests with traffic.rate = auto",
                    [&traffic] { return traffic.offers_load(); });
    table.condition(cdf_file_units::used, [&traffic] { return traffic.reads_sizes(); });
    table.condition(background_config::used, [&traffic] { return traffic.background.is_on(); });
}

}  // namespace

option_table make_option_table(run_config& config) {
    option_table table;
    table.block("run", "The simulation as a whole.").add(config.run).add(config.plugins);
    add_fabric_options(table, config);
    add_link_options(table, config);
    add_switch_options(table, config);
    add_shared_options(table, config);
    table
        .block("sram",
               "Bandwidth of packet memories: each port's ingress and egress memory, or each slice of a shared "
               "one.")
        .add(config.sram);
    add_marking_options(table, config);
    table
        .block("detour",
               "Detours of frames whose egress port is full (switch.overflow = detour); docs/blocks/detour.md.")
        .add(config.detour);
    table.block("pfc", "Link-level flow control: switches send and obey pauses, hosts only obey them.")
        .add(config.flow_control);
    add_rtl_options(table, config);
    table.block("host", "Hosts and their NICs.").add(config.host);
    table.condition(host_config::has_voqs, [&config] { return config.has_voqs(); });
    add_tcp_options(table, config);
    add_udp_options(table, config);
    add_roce_options(table, config);
    table.block("pfabric", "pFabric at the hosts.").add(config.pfabric);
    table.condition(pfabric_config::used, [&config] { return config.traffic.uses_pfabric(); });
    add_traffic_options(table, config);
    table.block("output", "What a run writes besides its summary.").add(config.output);
    table.block("trace", "Traces: captures, causes of pauses and drops, waveforms and frame journeys.")
        .add(config.trace);
    config.extensions.add_to(table);
    table.finish();
    table.check([&config] { return config.validate(); });
    return table;
}

const option_table& known_options() {
    struct default_options {
        run_config config;
        option_table table = make_option_table(config);
    };
    static std::mutex guard;
    // One table for each pair of the numbers of plugins and of registered blocks. Neither number ever falls, so
    // the same pair means the same options.
    static std::map<std::pair<std::size_t, std::size_t>, default_options> tables;
    const std::lock_guard lock(guard);
    return tables[{loaded_plugins().size(), extension_blocks::registered().size()}].table;
}

}  // namespace weir::tb
