#include "tb/run/options/schemes.h"

#include <algorithm>

namespace weir::tb {

namespace {

/// DeTail's Baseline. All other schemes of the list set the same options, so that no scheme leaves one of these
/// options at a default that another scheme replaces.
const scheme_settings& baseline() {
    static const scheme_settings settings{
        {"switch.balance", "flow_hash"}, {"switch.classes", "1"},      {"switch.scheduler", "strict"},
        {"switch.drop", "egress_tail"},  {"switch.overflow", "hold"},  {"switch.queue_order", "fifo"},
        {"marking.kind", "none"},        {"pfc.mode", "none"},         {"tcp.min_rto", "10ms"},
        {"tcp.initial_rto", "auto"},     {"tcp.duplicate_acks", "3"},  {"tcp.congestion", "auto"},
        {"tcp.path_choice", "fixed"},    {"traffic.transport", "tcp"}, {"traffic.background_transport", "tcp"}};
    return settings;
}

scheme_traits baseline_with(const scheme_settings& changes) {
    return {changed(baseline(), changes)};
}

}  // namespace

scheme_registry& schemes() {
    static scheme_registry known{
        {"none", "sets nothing: every option has its own default", {}},
        {"baseline",
         "DeTail's Baseline: flow hashing, no priorities, no flow control; a full egress memory drops frames "
         "(DeTail 5.2); minimum and initial RTO 10 ms (8.1)",
         {baseline()}},
        {"priority", "DeTail's Priority: baseline with eight strict priorities",
         baseline_with({{"switch.classes", "8"}})},
        {"fc",
         "DeTail's FC: baseline with 802.3x PAUSE; a full egress memory makes frames wait at ingress; minimum "
         "and initial RTO 50 ms",
         baseline_with({{"switch.drop", "ingress_tail"}, {"pfc.mode", "pause"}, {"tcp.min_rto", "50ms"}})},
        {"priority_pfc", "DeTail's Priority+PFC: fc with eight strict priorities, PFC per class",
         baseline_with({{"switch.classes", "8"},
                        {"switch.drop", "ingress_tail"},
                        {"pfc.mode", "pfc"},
                        {"tcp.min_rto", "50ms"}})},
        {"packet_scatter",
         "LPS of the 2013 presentation: priority_pfc, a random port per frame; fast retransmit off, because "
         "frames overtake each other",
         baseline_with({{"switch.balance", "packet_scatter"},
                        {"switch.classes", "8"},
                        {"switch.drop", "ingress_tail"},
                        {"pfc.mode", "pfc"},
                        {"tcp.min_rto", "50ms"},
                        {"tcp.duplicate_acks", "0"}})},
        {"detail",
         "DeTail: priority_pfc with priority-aware adaptive balancing per frame; fast retransmit off (as "
         "FlowBender says of DeTail); the receiver's buffer restores the order",
         baseline_with({{"switch.balance", "adaptive"},
                        {"switch.classes", "8"},
                        {"switch.drop", "ingress_tail"},
                        {"pfc.mode", "pfc"},
                        {"tcp.min_rto", "50ms"},
                        {"tcp.duplicate_acks", "0"}})},
        {"dctcp",
         "DCTCP over flow hashing: frames are marked by the length of their queue (marking.threshold), without "
         "priorities and flow control. FlowBender's ECMP, and the rival that DIBS is compared with",
         baseline_with({{"marking.kind", "step"}, {"tcp.congestion", "dctcp"}})},
        {"rps",
         "Random packet scatter (Dixit et al., INFOCOM 2013) as FlowBender compares it: dctcp, and a random "
         "port per frame; fast retransmit off, because frames overtake each other",
         baseline_with({{"switch.balance", "packet_scatter"},
                        {"marking.kind", "step"},
                        {"tcp.duplicate_acks", "0"},
                        {"tcp.congestion", "dctcp"}})},
        {"flowbender",
         "FlowBender (CoNEXT 2014): dctcp, and senders change their paths when these are congested or broken",
         baseline_with(
             {{"marking.kind", "step"}, {"tcp.congestion", "dctcp"}, {"tcp.path_choice", "flowbender"}})},
        {"dibs",
         "DIBS (EuroSys 2014, section 5.3): dctcp, and frames whose egress port is full are detoured instead "
         "of dropped; fast retransmit off",
         baseline_with({{"switch.overflow", "detour"},
                        {"marking.kind", "step"},
                        {"tcp.duplicate_acks", "0"},
                        {"tcp.congestion", "dctcp"}})},
        {"pfabric",
         "pFabric (SIGCOMM 2013): egress queues serve and keep the frames of the transfers with the least "
         "left, and hosts send at line rate. switch.egress_buffer is to be small: two bandwidth-delay "
         "products, 24 frames at 1 Gb/s (DIBS 5.8)",
         baseline_with({{"switch.queue_order", "rank"},
                        {"traffic.transport", "pfabric"},
                        {"traffic.background_transport", "pfabric"}})},
        {"dcqcn",
         "RoCEv2 with DCQCN (SIGCOMM 2015): a lossless class with PFC, marks on a ramp (marking.k_min, k_max, "
         "p_max), queue pairs whose rates follow CNPs",
         baseline_with({{"switch.drop", "ingress_tail"},
                        {"marking.kind", "ramp"},
                        {"pfc.mode", "pfc"},
                        {"traffic.transport", "roce"},
                        {"traffic.background_transport", "roce"}})},
        {"red",
         "RED with ECN (cross-layer study 2012): baseline, and frames are marked by the average length of "
         "their queue (marking.k_min, k_max, p_max, weight); NewReno takes marks as losses",
         baseline_with({{"marking.kind", "red"}})},
        {"qcn",
         "QCN (IEEE 802.1Qau) on a lossless class: fc's losslessness with PFC, switches notify the sources of "
         "congested queues ([qcn]), adapters limit their rates",
         baseline_with({{"switch.drop", "ingress_tail"}, {"marking.kind", "qcn"}, {"pfc.mode", "pfc"}})},
    };
    return known;
}

scheme_settings changed(scheme_settings base, const scheme_settings& changes) {
    for (const scheme_setting& change : changes) {
        const auto found = std::find_if(base.begin(), base.end(),
                                        [&](const scheme_setting& each) { return each.key == change.key; });
        if (found == base.end()) {
            base.push_back(change);
        } else {
            found->value = change.value;
        }
    }
    return base;
}

std::string schemes_of(const std::string& key) {
    std::string all;
    for (const scheme_entry& scheme : schemes().entries()) {
        for (const scheme_setting& setting : scheme.traits.settings) {
            if (setting.key == key) {
                all += (all.empty() ? "" : ", ") + scheme.name + " " + setting.value;
            }
        }
    }
    return all;
}

}  // namespace weir::tb
