#include "tb/options/schemes.h"

namespace weir::tb {

const std::vector<scheme_preset>& scheme_presets() {
    static const std::vector<scheme_preset> presets = {
        {switch_scheme::none, "none", "sets nothing: every option has its own default", {}},
        {switch_scheme::baseline,
         "baseline",
         "DeTail's Baseline: flow hashing, no priorities, no flow control; a full egress memory drops frames "
         "(DeTail 5.2); minimum and initial RTO 10 ms (8.1)",
         {{"switch.balance", "flow_hash"},
          {"switch.classes", "1"},
          {"switch.scheduler", "strict"},
          {"switch.drop", "egress_tail"},
          {"pfc.mode", "none"},
          {"tcp.min_rto", "10ms"},
          {"tcp.initial_rto", "auto"},
          {"tcp.duplicate_acks", "3"}}},
        {switch_scheme::priority,
         "priority",
         "DeTail's Priority: baseline with eight strict priorities",
         {{"switch.balance", "flow_hash"},
          {"switch.classes", "8"},
          {"switch.scheduler", "strict"},
          {"switch.drop", "egress_tail"},
          {"pfc.mode", "none"},
          {"tcp.min_rto", "10ms"},
          {"tcp.initial_rto", "auto"},
          {"tcp.duplicate_acks", "3"}}},
        {switch_scheme::fc,
         "fc",
         "DeTail's FC: baseline with 802.3x PAUSE; a full egress memory makes frames wait at ingress; minimum "
         "and "
         "initial "
         "RTO 50 ms",
         {{"switch.balance", "flow_hash"},
          {"switch.classes", "1"},
          {"switch.scheduler", "strict"},
          {"switch.drop", "ingress_tail"},
          {"pfc.mode", "pause"},
          {"tcp.min_rto", "50ms"},
          {"tcp.initial_rto", "auto"},
          {"tcp.duplicate_acks", "3"}}},
        {switch_scheme::priority_pfc,
         "priority_pfc",
         "DeTail's Priority+PFC: fc with eight strict priorities, PFC per class",
         {{"switch.balance", "flow_hash"},
          {"switch.classes", "8"},
          {"switch.scheduler", "strict"},
          {"switch.drop", "ingress_tail"},
          {"pfc.mode", "pfc"},
          {"tcp.min_rto", "50ms"},
          {"tcp.initial_rto", "auto"},
          {"tcp.duplicate_acks", "3"}}},
        {switch_scheme::packet_scatter,
         "packet_scatter",
         "LPS of the 2013 presentation: priority_pfc, a random port per frame; fast retransmit off, because "
         "frames overtake each other",
         {{"switch.balance", "packet_scatter"},
          {"switch.classes", "8"},
          {"switch.scheduler", "strict"},
          {"switch.drop", "ingress_tail"},
          {"pfc.mode", "pfc"},
          {"tcp.min_rto", "50ms"},
          {"tcp.initial_rto", "auto"},
          {"tcp.duplicate_acks", "0"}}},
        {switch_scheme::detail,
         "detail",
         "DeTail: priority_pfc with priority-aware adaptive balancing per frame; fast retransmit off (as "
         "FlowBender says of DeTail); the receiver's buffer restores the order",
         {{"switch.balance", "adaptive"},
          {"switch.classes", "8"},
          {"switch.scheduler", "strict"},
          {"switch.drop", "ingress_tail"},
          {"pfc.mode", "pfc"},
          {"tcp.min_rto", "50ms"},
          {"tcp.initial_rto", "auto"},
          {"tcp.duplicate_acks", "0"}}},
    };
    return presets;
}

const scheme_preset& find_scheme(switch_scheme scheme) {
    return scheme_presets()[static_cast<std::size_t>(scheme)];
}

std::string schemes_of(const std::string& key) {
    std::string all;
    for (const scheme_preset& preset : scheme_presets()) {
        for (const scheme_setting& setting : preset.settings) {
            if (key == setting.key) {
                all += (all.empty() ? "" : ", ") + std::string(preset.name) + " " + setting.value;
            }
        }
    }
    return all;
}

}  // namespace weir::tb
