#include "tb/run/options/check_hosts.h"

#include "weir/model/marking/marker.h"
#include "weir/model/memory/memory_organisation.h"
#include "weir/model/memory/queue_order.h"
#include "weir/model/overflow/overflow_action.h"
#include "weir/model/switch/block_kinds.h"
#include "weir/traffic/roce/rate_controls.h"
#include "weir/traffic/tcp/congestion_kinds.h"
#include "weir/traffic/tcp/path_choices.h"

namespace weir::tb {

bool reads_telemetry(const run_config& config) {
    const tcp_config& tcp = config.tcp;
    return config.traffic.uses_tcp() && tcp.congestion &&
           congestion_kinds()[*tcp.congestion](tcp)->wants_telemetry();
}

bool roce_heeds_marks(const run_config& config) {
    return rate_controls()[config.roce.rate_control](config.roce, config.link.rate)->heeds_marks();
}

bool heeds_marks(const run_config& config) {
    const tcp_config& tcp = config.tcp;
    // auto is an ECN-capable congestion control where switches mark.
    const bool by_tcp = config.traffic.uses_tcp() &&
                        (!tcp.congestion || congestion_kinds()[*tcp.congestion](tcp)->ecn_capable());
    return by_tcp || (config.traffic.uses_roce() && roce_heeds_marks(config));
}

bool has_marks(const run_config& config) {
    const bool by_shared_memory = organisation_of(config.device).is_shared &&
                                  (config.shared.ecn_threshold || !config.shared_tables.are_none());
    const bool by_detour = overflow_kinds()[config.device.overflow].detours && config.detour.mark;
    return marker_kinds()[config.marking.kind].marks || by_detour ||
           (!config.marking.is_on() && by_shared_memory);
}

static void check_path_choice(range_check& check, const run_config& config) {
    const tcp_config& tcp = config.tcp;
    const auto path = config.traffic.uses_tcp() ? path_choices()[tcp.path_choice](tcp) : nullptr;
    if (path == nullptr) {
        return;
    }
    const std::string& name = path_choices().of(tcp.path_choice).name;
    // auto is `newreno_ecn` where switches mark; its receivers repeat marks (RFC 3168).
    const auto congestion = congestion_kinds()[tcp.congestion.value_or(default_congestion(true))](tcp);
    const std::string of_congestion = tcp.congestion ? congestion_kinds().of(*tcp.congestion).name : "auto";
    check.refuse(path->counts_marks() && congestion->latches_echo(), "tcp.path_choice",
                 "'{}' counts marked ACKs, but with {tcp.congestion} = {} receivers repeat a mark until the "
                 "sender answers it; expected tcp.congestion = dctcp",
                 name, of_congestion);
    check.refuse(path->counts_marks() && !congestion->ecn_capable(), "tcp.path_choice",
                 "'{}' reacts to marks, but with {tcp.congestion} = {} no frame is marked; expected "
                 "tcp.congestion = dctcp",
                 name, of_congestion);
    check.refuse(!balance_policies()[config.device.balance].hashes_flows, "tcp.path_choice",
                 "'{}' changes a field that only {switch.balance} = flow_hash reads; expected fixed, or "
                 "switch.balance = flow_hash",
                 name);
}

// Frames of other transports have rank 0, which is served first.
static void check_ranks(range_check& check, const run_config& config) {
    const workload_config& traffic = config.traffic;
    const bool ranked = traffic.uses_pfabric() && queue_orders()[config.device.queue_order].reads_ranks;
    check.refuse(
        ranked && (traffic.uses_tcp() || traffic.uses_udp() || traffic.uses_roce()), "switch.queue_order",
        "'{}' serves frames without a rank first, so all other transports go before pFabric; expected fifo, "
        "or all traffic over pFabric ({traffic.transport}, {traffic.background_transport})",
        queue_orders().of(config.device.queue_order).name);
}

void check_hosts(range_check& check, const run_config& config) {
    check.refuse(reads_telemetry(config) && !config.device.telemetry, "tcp.congestion",
                 "'{}' needs the telemetry that switches append to frames; expected {switch.telemetry} = on",
                 congestion_kinds().of(config.tcp.congestion.value_or(congestion_kind{})).name);
    check_path_choice(check, config);
    check_ranks(check, config);
    const std::optional<bit_rate> least = config.roce.dcqcn.min_rate;
    check.require(!config.traffic.uses_roce() || !least || *least <= config.link.rate, "roce.min_rate",
                  least.value_or(config.link.rate), "at most {link.rate} ({})", config.link.rate);
    check.require(!marker_kinds()[config.marking.kind].notifies || config.qcn.min_rate <= config.link.rate,
                  "qcn.min_rate", config.qcn.min_rate, "at most {link.rate} ({})", config.link.rate);
}

}  // namespace weir::tb
