#include "tb/run/options/run_conditions.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tb/run/options/run_traits.h"
#include "weir/model/marking/marker.h"
#include "weir/model/overflow/overflow_action.h"
#include "weir/model/switch/block_kinds.h"
#include "weir/traffic/apps/workloads.h"
#include "weir/traffic/congestion/congestion_kinds.h"
#include "weir/traffic/host/transports.h"

namespace weir::tb {

namespace {

struct run_condition {
    std::string name;
    /// For help and messages.
    std::string words;
    std::function<bool(const run_config&)> holds;
};

/// True if some tier of links of the fabric leaves the property to [link].
template <auto Property>
bool some_tier_lacks(const run_config& config) {
    const std::vector<link_tier>& tiers = fabric_kinds()[config.fabric.topology].tiers;
    return std::any_of(tiers.begin(), tiers.end(),
                       [&](link_tier tier) { return !(config.fabric.links_of(tier).*Property); });
}

template <bool Lossless>
bool has_class(const run_config& config) {
    for (unsigned c = 0; c < config.device.classes; ++c) {
        if ((config.flow_control.mode != flow_control_mode::none && config.shared.is_lossless(c)) == Lossless) {
            return true;
        }
    }
    return false;
}

/// True if lossy classes do not share this pool with lossless ones.
template <std::optional<bool> shared_buffer_config::*Common>
bool have_own_pool(const run_config& config) {
    return !(config.shared.*Common).value_or(false) || !has_class<true>(config) || !has_class<false>(config);
}

bool lookup_delay_counts(const run_config& config) {
    const std::vector<std::string>& at = config.rtl.switches;
    return !has_rtl_lookup(config) || config.rtl.latency != rtl_latency::rtl ||
           std::none_of(at.begin(), at.end(),
                        [](const std::string& text) { return text == "all" || text == "*"; }) ||
           config.flow_control.mode != flow_control_mode::none;
}

bool some_transport(const run_config& config, bool transport_traits::*trait) {
    return uses_transport(config, trait) || transports()[config.traffic.transport].*trait;
}

/// True if the congestion control, which `auto` leaves open, has the property.
bool if_congestion(const run_config& config, bool (congestion_control::*holds)() const) {
    const auto kind = config.tcp.congestion;
    return !kind || (congestion_kinds()[*kind](config.tcp).get()->*holds)();
}

bool load_is_read(const workload_config& traffic) {
    const auto reads = workloads()[traffic.kind].reads_load;
    return (reads != nullptr && reads(traffic)) || (traffic.has_requests() && !traffic.rate);
}

bool sizes_are_drawn(const workload_config& traffic) {
    const auto draws = workloads()[traffic.kind].draws_sizes;
    return draws != nullptr && draws(traffic);
}

bool split_has_a_fraction(const workload_config& traffic) {
    return traffic.effective_split() != server_split::everyone &&
           traffic.effective_split() != server_split::named;
}

std::vector<run_condition> fabric_conditions() {
    const std::string lacks =
        "a generated fabric (fabric.topology other than file) with a tier of links that has no ";
    return {
        {"some_tier_has_no_rate", lacks + "rate of its own", some_tier_lacks<&link_choice::rate>},
        {"some_tier_has_no_latency", lacks + "latency of its own", some_tier_lacks<&link_choice::latency>},
    };
}

std::vector<run_condition> switch_conditions() {
    const std::string detours =
        overflow_kinds().condition("switch.overflow", [](const auto& kind) { return kind.detours; });
    const auto acts_alone = [](const marker_traits& kind) { return kind.drops_early || kind.notifies; };
    const std::string heeded = "traffic that heeds marks (tcp.congestion, roce.rate_control)";
    return {
        {"balance_reads_thresholds",
         balance_policies().condition("switch.balance",
                                      [](const auto& kind) { return kind.reads_favored_ports; }),
         [](const run_config& c) { return balance_policies()[c.device.balance].reads_favored_ports; }},
        {"flows_are_hashed",
         balance_policies().condition("switch.balance", [](const auto& kind) { return kind.hashes_flows; }) +
             ", or " + detours + " with detour.policy = flow_based",
         [](const run_config& c) {
             return balance_policies()[c.device.balance].hashes_flows ||
                    (overflow_kinds()[c.device.overflow].detours &&
                     c.detour.policy == detour_policy::flow_based);
         }},
        {"scheduler_reads_weights",
         scheduler_kinds().condition("switch.scheduler", [](const auto& kind) { return kind.reads_weights; }),
         [](const run_config& c) { return scheduler_kinds()[c.device.scheduler].reads_weights; }},
        {"lookup_delay_counts",
         "switch.tcam = model, rtl.latency = model or rtl.switches other than all, or else pfc.mode = pause or "
         "pfc, whose thresholds count it",
         lookup_delay_counts},
        {"telemetry_is_read", "a traffic.transport or tcp.congestion that reads telemetry",
         [](const run_config& c) {
             return some_transport(c, &transport_traits::reads_telemetry) || reads_telemetry(c);
         }},
        {"ranks_are_set",
         transports().condition("traffic.transport", [](const auto& kind) { return kind.sets_ranks; }),
         [](const run_config& c) { return some_transport(c, &transport_traits::sets_ranks); }},
        {"some_class_is_lossless", "lossless classes (pfc.mode, shared.lossless_classes)", has_class<true>},
        {"some_class_is_lossy", "lossy classes (pfc.mode, shared.lossless_classes)", has_class<false>},
        {"lossy_groups_have_a_pool", "a pool of the lossy groups alone (no shared.common_pool)",
         have_own_pool<&shared_buffer_config::common_pool>},
        {"lossy_queues_have_a_pool", "a pool of the lossy queues alone (no shared.common_queue_pool)",
         have_own_pool<&shared_buffer_config::common_queue_pool>},
        // A table of SONiC's gives all lossless groups theirs.
        {"some_group_has_no_profile", "no shared.pg_profile_lookup, or lossy classes",
         [](const run_config& c) { return c.shared_tables.pg_profile_lookup.empty() || has_class<false>(c); }},
        {"marks_are_heeded", heeded, heeds_marks},
        {"marker_has_an_effect", heeded + ", or " + marker_kinds().condition("marking.kind", acts_alone),
         [acts_alone](const run_config& c) {
             return heeds_marks(c) || acts_alone(marker_kinds()[c.marking.kind]);
         }},
        {"some_block_is_rtl",
         "switch.arbiter (with switch.buffer = partitioned), switch.tcam or mac.pfc (with pfc.mode = pfc) = "
         "rtl",
         has_rtl},
    };
}

std::vector<run_condition> host_conditions() {
    std::vector<run_condition> all{
        {"adapter_has_voqs", "an adapter with VOQs (host.nic = voq, or auto with marking.kind = qcn)",
         [](const run_config& c) { return c.has_voqs(); }},
        {"congestion_listens_to_marks", "a tcp.congestion that listens to marks",
         [](const run_config& c) { return if_congestion(c, &congestion_control::ecn_capable); }},
        {"congestion_reads_avoidance", "a tcp.congestion that grows as NewReno does",
         [](const run_config& c) { return if_congestion(c, &congestion_control::reads_avoidance); }},
        {"datagrams_are_paced",
         "traffic.transport = udp with traffic.kind = poisson, permutation or trace, or traffic.stream_rate",
         [](const run_config& c) {
             return c.traffic.stream.is_on() || (c.traffic.uses(datagram_transport) &&
                                                 workloads()[c.traffic.kind].carried != carriage::datagrams);
         }},
    };
    std::uint8_t number = 0;
    for (const auto& each : transports().entries()) {
        const auto kind = static_cast<transport_kind>(number++);
        all.push_back(
            {each.name + "_is_used",
             "traffic over " + each.name + " (" +
                 (kind == datagram_transport ? "traffic.kind = bernoulli, traffic.stream_rate, " : "") +
                 "traffic.transport, traffic.background_transport)",
             [kind](const run_config& c) { return c.traffic.uses(kind); }});
    }
    return all;
}

std::vector<run_condition> traffic_conditions() {
    const auto with_requests = workload_config::kinds_with_requests();
    return {
        {"front_ends_ask_back_ends", with_requests + ", or traffic.background_to_back_ends",
         [](const run_config& c) {
             return c.traffic.has_requests() ||
                    (c.traffic.background.is_on() && c.traffic.background.to_back_ends);
         }},
        {"split_has_a_fraction", "a traffic.split other than everyone and named",
         [](const run_config& c) { return split_has_a_fraction(c.traffic); }},
        {"hosts_have_places", workload_config::kinds_with_places(),
         [](const run_config& c) { return c.traffic.has_places(); }},
        {"sizes_are_drawn", "traffic.kind = query, or poisson without traffic.distribution",
         [](const run_config& c) { return sizes_are_drawn(c.traffic); }},
        {"load_is_read",
         "traffic.kind = poisson, bernoulli, permutation with traffic.transport = udp, or requests with "
         "traffic.rate = auto",
         [](const run_config& c) { return load_is_read(c.traffic); }},
        {"hosts_offer_load", "traffic.kind = poisson, or requests with traffic.rate = auto",
         [](const run_config& c) { return c.traffic.offers_load(); }},
    };
}

}  // namespace

void add_conditions(option_table& table, const run_config& config) {
    for (const auto& conditions :
         {fabric_conditions(), switch_conditions(), host_conditions(), traffic_conditions()}) {
        for (const run_condition& each : conditions) {
            table.condition(each.name, each.words, [&config, holds = each.holds] { return holds(config); });
        }
    }
}

}  // namespace weir::tb
