#include "tb/run/options/schemes.h"

#include <algorithm>
#include <string_view>

namespace weir::tb {

namespace {

/// DeTail's Baseline. All schemes set the same options, or one would have a choice of its own, and the others
/// whatever the default happens to be.
const std::vector<scheme_setting> baseline = {
    {"switch.balance", "flow_hash"}, {"switch.classes", "1"},      {"switch.scheduler", "strict"},
    {"switch.drop", "egress_tail"},  {"switch.overflow", "hold"},  {"switch.queue_order", "fifo"},
    {"marking.kind", "none"},        {"pfc.mode", "none"},         {"tcp.min_rto", "10ms"},
    {"tcp.initial_rto", "auto"},     {"tcp.duplicate_acks", "3"},  {"tcp.congestion", "auto"},
    {"tcp.path_choice", "fixed"},    {"traffic.transport", "tcp"}, {"traffic.background_transport", "tcp"}};

/// Baseline, but for these.
std::vector<scheme_setting> but(const std::vector<scheme_setting>& others) {
    std::vector<scheme_setting> all = baseline;
    for (const scheme_setting& other : others) {
        const auto found = std::find_if(all.begin(), all.end(), [&](const scheme_setting& each) {
            return std::string_view(each.key) == other.key;
        });
        found->value = other.value;
    }
    return all;
}

}  // namespace

const std::vector<scheme_preset>& scheme_presets() {
    static const std::vector<scheme_preset> presets = {
        {switch_scheme::none, "none", "sets nothing: every option has its own default", {}},
        {switch_scheme::baseline, "baseline",
         "DeTail's Baseline: flow hashing, no priorities, no flow control; a full egress memory drops frames "
         "(DeTail 5.2); minimum and initial RTO 10 ms (8.1)",
         baseline},
        {switch_scheme::priority, "priority", "DeTail's Priority: baseline with eight strict priorities",
         but({{"switch.classes", "8"}})},
        {switch_scheme::fc, "fc",
         "DeTail's FC: baseline with 802.3x PAUSE; a full egress memory makes frames wait at ingress; minimum "
         "and initial RTO 50 ms",
         but({{"switch.drop", "ingress_tail"}, {"pfc.mode", "pause"}, {"tcp.min_rto", "50ms"}})},
        {switch_scheme::priority_pfc, "priority_pfc",
         "DeTail's Priority+PFC: fc with eight strict priorities, PFC per class",
         but({{"switch.classes", "8"},
              {"switch.drop", "ingress_tail"},
              {"pfc.mode", "pfc"},
              {"tcp.min_rto", "50ms"}})},
        {switch_scheme::packet_scatter, "packet_scatter",
         "LPS of the 2013 presentation: priority_pfc, a random port per frame; fast retransmit off, because "
         "frames overtake each other",
         but({{"switch.balance", "packet_scatter"},
              {"switch.classes", "8"},
              {"switch.drop", "ingress_tail"},
              {"pfc.mode", "pfc"},
              {"tcp.min_rto", "50ms"},
              {"tcp.duplicate_acks", "0"}})},
        {switch_scheme::detail, "detail",
         "DeTail: priority_pfc with priority-aware adaptive balancing per frame; fast retransmit off (as "
         "FlowBender says of DeTail); the receiver's buffer restores the order",
         but({{"switch.balance", "adaptive"},
              {"switch.classes", "8"},
              {"switch.drop", "ingress_tail"},
              {"pfc.mode", "pfc"},
              {"tcp.min_rto", "50ms"},
              {"tcp.duplicate_acks", "0"}})},
        {switch_scheme::dctcp, "dctcp",
         "DCTCP over flow hashing: frames are marked by the length of their queue (marking.threshold), without "
         "priorities and flow control. FlowBender's ECMP, and the rival that DIBS is compared with",
         but({{"marking.kind", "step"}, {"tcp.congestion", "dctcp"}})},
        {switch_scheme::rps, "rps",
         "Random packet scatter (Dixit et al., INFOCOM 2013) as FlowBender compares it: dctcp, and a random "
         "port per frame; fast retransmit off, because frames overtake each other",
         but({{"switch.balance", "packet_scatter"},
              {"marking.kind", "step"},
              {"tcp.duplicate_acks", "0"},
              {"tcp.congestion", "dctcp"}})},
        {switch_scheme::flowbender, "flowbender",
         "FlowBender (CoNEXT 2014): dctcp, and senders change their paths when these are congested or broken",
         but({{"marking.kind", "step"}, {"tcp.congestion", "dctcp"}, {"tcp.path_choice", "flowbender"}})},
        {switch_scheme::dibs, "dibs",
         "DIBS (EuroSys 2014, section 5.3): dctcp, and frames whose egress port is full are detoured instead "
         "of dropped; fast retransmit off",
         but({{"switch.overflow", "detour"},
              {"marking.kind", "step"},
              {"tcp.duplicate_acks", "0"},
              {"tcp.congestion", "dctcp"}})},
        {switch_scheme::pfabric, "pfabric",
         "pFabric (SIGCOMM 2013): egress queues serve and keep the frames of the transfers with the least "
         "left, and hosts send at line rate. switch.egress_buffer is to be small: two bandwidth-delay "
         "products, 24 frames at 1 Gb/s (DIBS 5.8)",
         but({{"switch.queue_order", "rank"},
              {"traffic.transport", "pfabric"},
              {"traffic.background_transport", "pfabric"}})},
        {switch_scheme::dcqcn, "dcqcn",
         "RoCEv2 with DCQCN (SIGCOMM 2015): a lossless class with PFC, marks on a ramp (marking.k_min, k_max, "
         "p_max), queue pairs whose rates follow CNPs",
         but({{"switch.drop", "ingress_tail"},
              {"marking.kind", "ramp"},
              {"pfc.mode", "pfc"},
              {"traffic.transport", "roce"},
              {"traffic.background_transport", "roce"}})},
        {switch_scheme::red, "red",
         "RED with ECN (cross-layer study 2012): baseline, and frames are marked by the average length of "
         "their queue (marking.k_min, k_max, p_max, weight); NewReno takes marks as losses",
         but({{"marking.kind", "red"}})},
        {switch_scheme::qcn, "qcn",
         "QCN (IEEE 802.1Qau) on a lossless class: fc's losslessness with PFC, switches notify the sources of "
         "congested queues ([qcn]), adapters limit their rates",
         but({{"switch.drop", "ingress_tail"}, {"marking.kind", "qcn"}, {"pfc.mode", "pfc"}})},
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
