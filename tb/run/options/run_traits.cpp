#include "tb/run/options/run_traits.h"

#include "weir/model/marking/marker.h"
#include "weir/model/memory/memory_organisation.h"
#include "weir/model/overflow/overflow_action.h"
#include "weir/model/switch/block_kinds.h"
#include "weir/traffic/congestion/congestion_kinds.h"
#include "weir/traffic/roce/rate_controls.h"

namespace weir::tb {

bool uses_transport(const run_config& config, const char* block) {
    return config.traffic.uses(named<transport_kind>(block));
}

bool uses_transport(const run_config& config, bool transport_traits::*trait, bool value) {
    std::uint8_t number = 0;
    for (const auto& each : transports().entries()) {
        if (each.traits.*trait == value && config.traffic.uses(static_cast<transport_kind>(number))) {
            return true;
        }
        ++number;
    }
    return false;
}

endpoint_options endpoint_options_of(const run_config& config) {
    endpoint_options options;
    options.tcp = config.tcp;
    options.udp = config.udp;
    options.roce = config.roce;
    options.pfabric = config.pfabric;
    return options;
}

bool reads_telemetry(const run_config& config) {
    const tcp_config& tcp = config.tcp;
    return uses_tcp(config) && tcp.congestion && congestion_kinds()[*tcp.congestion](tcp)->wants_telemetry();
}

bool roce_heeds_marks(const run_config& config) {
    return rate_controls()[config.roce.rate_control](config.roce, config.link.rate)->heeds_marks();
}

bool heeds_marks(const run_config& config) {
    const tcp_config& tcp = config.tcp;
    // auto is an ECN-capable congestion control where switches mark.
    const bool by_tcp =
        uses_tcp(config) && (!tcp.congestion || congestion_kinds()[*tcp.congestion](tcp)->ecn_capable());
    return by_tcp || (uses_roce(config) && roce_heeds_marks(config));
}

bool has_marks(const run_config& config) {
    const bool by_shared_memory = organisation_of(config.device).is_shared &&
                                  (config.shared.ecn_threshold || !config.shared_tables.are_none());
    const bool by_detour = overflow_kinds()[config.device.overflow].detours && config.detour.mark;
    return marker_kinds()[config.marking.kind].marks || by_detour ||
           (!config.marking.is_on() && by_shared_memory);
}

bool has_rtl_arbiter(const run_config& config) {
    return organisation_of(config.device).has_crossbar() && arbiter_kinds()[config.device.arbiter].is_rtl;
}

bool has_rtl_pfc(const run_config& config) {
    return config.flow_control.mode == flow_control_mode::pfc && pfc_kinds()[config.blocks.pfc].is_rtl;
}

bool has_rtl_lookup(const run_config& config) {
    return lookup_kinds()[config.blocks.lookup].is_rtl;
}

bool has_rtl(const run_config& config) {
    return has_rtl_arbiter(config) || has_rtl_pfc(config) || has_rtl_lookup(config);
}

}  // namespace weir::tb
