#include "tb/run/fields/field_terms.h"

#include <map>
#include <string>

#include "tb/support/text/joined.h"
#include "tb/support/text/word_stems.h"

namespace weir::tb {

namespace {

constexpr const char* no_cut_through = "Switches store and forward. There is no cut-through.";
constexpr const char* no_protocol = "No layer 2 or routing protocol.";
constexpr const char* no_layer_2 =
    "No IPv6, VLAN, LAG, learning, spanning tree, multicast, tunnels, access lists, mirroring or fragmentation";
constexpr const char* no_shaping =
    "No shaping or policing in schedulers, no packet trimming, no frame preemption, no FEC, no link-level "
    "retry, no credit-based flow control, no encryption, no clock domains.";
constexpr const char* ideal_hosts = "no CPU, DMA, PCIe or segmentation offload.";
constexpr const char* only_transport = "RDMA is its transport alone: no memory regions, no READ.";
constexpr const char* simple_tcp = "no SACK, timestamps, window scaling or pacing";
constexpr const char* no_such_control = "No HPCC, Swift, TIMELY or BBR";
constexpr const char* no_power = "Neither power nor area.";

}  // namespace

const std::vector<field_term>& field_terms() {
    static const std::vector<field_term> all{
        // --- queues and schedulers
        {{"DWRR", "DRR", "WRR", "WFQ", "deficit round robin", "deficit weighted round robin",
          "weighted round robin", "weighted fair queueing", "fair queueing"},
         {"switch.scheduler = deficit_round_robin", "switch.weights"}},
        {{"strict priority", "SP", "priority queue"}, {"switch.scheduler = strict", "switch.classes"}},
        {{"QoS", "CoS", "traffic class", "priority", "DSCP", "PCP", "802.1p"},
         {"switch.classes", "switch.scheduler", "switch.weights", "traffic.priorities",
          "traffic.default_priority"}},
        {{"ETS", "bandwidth allocation"}, {"switch.scheduler = deficit_round_robin", "switch.weights"}},
        {{"shaper", "shape", "traffic shaping", "CBS", "credit based shaper", "max rate"}, {}, no_shaping},
        {{"policer", "police", "token bucket"}, {}, no_shaping},
        {{"rate limiter"}, {"host.nic = voq", "marking.kind = qcn", "roce.rate_control"}},
        {{"preemption", "frame preemption", "TSN"}, {}, no_shaping},
        {{"VOQ", "virtual output queue", "head of line", "HOL", "head of line blocking"},
         {"switch.buffer", "switch.ingress_buffer", "switch.arbiter", "host.nic = voq"}},
        {{"watermark", "queue depth", "queue length", "occupancy"},
         {"output.series", "output.occupancy_nodes", "output.occupancy_interval"}},
        // --- memory
        {{"buffer", "packet buffer", "packet memory", "buffer size"},
         {"switch.buffer", "switch.ingress_buffer", "switch.egress_buffer", "shared.memory"}},
        {{"dynamic threshold", "DT", "alpha", "dynamic alpha", "Choudhury Hahne"},
         {"shared.alpha", "shared.lossy_alpha", "shared.queue_alpha", "switch.share = dynamic",
          "switch.share_alpha"}},
        {{"static threshold"}, {"shared.threshold", "switch.share = fixed"}},
        {{"shared buffer", "shared memory", "MMU"},
         {"switch.buffer = shared", "shared.memory", "shared.slices"}},
        {{"headroom", "headroom pool", "PG headroom", "xoff headroom", "shared headroom pool", "SHP"},
         {"shared.headroom", "shared.headroom_pool", "pfc.reserve", "pfc.profile"}},
        {{"guaranteed buffer", "reserved buffer", "minimum buffer", "min guarantee"},
         {"shared.minimum", "shared.queue_minimum"}},
        {{"pool", "service pool", "buffer pool"},
         {"shared.lossless_pool", "shared.lossy_pool", "shared.queue_pool", "shared.headroom_pool"}},
        {{"bank", "SRAM", "memory bandwidth"},
         {"sram.banks", "sram.access_time", "sram.ports", "switch.memory_cell"}},
        {{"cell size"}, {"switch.memory_cell", "switch.crossbar = cell", "switch.cell"}},
        // --- losses, pauses
        {{"tail drop", "drop", "packet loss", "discard"},
         {"switch.drop", "switch.overflow", "trace.drop_causes", "fabric.link"}},
        {{"trimming", "packet trimming", "NDP"}, {}, no_shaping},
        {{"pause", "pause frame", "flow control", "PFC", "802.3x", "802.1Qbb", "lossless"},
         {"pfc.mode", "pfc.xoff", "pfc.xon", "pfc.quanta", "shared.lossless_classes"}},
        {{"XOFF", "XON", "xoff threshold", "xon threshold"},
         {"pfc.xoff", "pfc.xon", "shared.threshold", "shared.alpha", "shared.xon_offset", "shared.xon"}},
        {{"pause storm", "PFC storm", "broken NIC", "slow receiver"}, {"host.broken", "pfc.watchdog"}},
        {{"deadlock", "deadlock recovery", "circular buffer dependency"},
         {"pfc.watchdog", "fabric.route", "trace.wave_trigger = deadlock"}},
        {{"credit", "credit based flow control", "CBFC", "InfiniBand"}, {}, no_shaping},
        {{"victim", "congestion spreading", "root cause"}, {"trace.pause_causes", "trace.cause_flows"}},
        // --- marks and telemetry
        {{"ECN", "ECN marking", "congestion experienced", "CE mark"},
         {"marking.kind = step", "marking.threshold", "marking.kind = ramp", "shared.ecn_threshold",
          "tcp.congestion"}},
        {{"WRED", "RED", "random early detection", "weighted random early detection", "AQM",
          "active queue management"},
         {"marking.kind = red", "marking.kind = ramp", "marking.k_min", "marking.k_max", "marking.p_max",
          "marking.weight", "marking.may_drop"}},
        {{"QCN", "802.1Qau", "congestion notification"}, {"marking.kind = qcn", "qcn.set_point"}},
        {{"INT", "in band telemetry", "in band network telemetry", "telemetry", "IFA"}, {"switch.telemetry"}},
        {{"mirroring", "port mirroring", "SPAN", "ERSPAN", "sFlow"}, {"trace.pcap"}, no_layer_2},
        // --- hosts and transports
        {{"DCQCN", "CNP"}, {"switch.scheme = dcqcn", "roce.rate_control = dcqcn", "roce.cnp_interval"}},
        {{"RoCE", "RoCEv2", "RDMA", "queue pair"},
         {"traffic.transport = roce", "roce.rate_control", "roce.recovery"}},
        {{"RDMA READ", "memory region", "verbs"}, {}, only_transport},
        {{"go back N", "selective repeat", "IRN", "selective retransmission"}, {"roce.recovery"}},
        {{"HPCC", "Swift", "TIMELY", "BBR"}, {"tcp.congestion", "roce.rate_control"}, no_such_control},
        {{"congestion control", "CC"}, {"tcp.congestion", "roce.rate_control", "marking.kind"}},
        {{"SACK", "selective acknowledgement", "TCP timestamp", "window scaling"},
         {"roce.recovery = selective"},
         simple_tcp},
        {{"pacing", "pacer"}, {"roce.rate_control"}, simple_tcp},
        {{"RTO", "retransmission timeout", "timeout"}, {"tcp.min_rto", "tcp.initial_rto", "roce.ack_timeout"}},
        {{"fast retransmit", "dupack"}, {"tcp.duplicate_acks"}},
        {{"IW", "slow start"}, {"tcp.initial_window", "tcp.slow_start_limit"}},
        {{"TSO", "LRO", "GRO", "GSO", "LSO", "segmentation offload", "PCIe", "DMA", "CPU"},
         {"host.stack_out", "host.stack_in"},
         ideal_hosts},
        {{"MTU", "jumbo", "jumbo frame", "frame size", "packet size"},
         {"switch.max_frame", "tcp.mss", "udp.payload", "roce.payload"}},
        // --- paths
        {{"ECMP", "flow hash", "hash seed", "equal cost multipath", "polarisation", "polarization",
          "hash polarisation", "hash polarization"},
         {"switch.balance = flow_hash", "switch.hash_salt"}},
        {{"load balancing", "load balancer"}, {"switch.balance"}},
        {{"spraying", "packet spraying", "random packet spraying", "RPS"},
         {"switch.balance = packet_scatter", "switch.scheme = rps"}},
        {{"adaptive routing", "AR", "adaptive load balancing", "dynamic load balancing", "DLB"},
         {"switch.balance = adaptive", "switch.balance = least_loaded", "switch.balance_thresholds",
          "tcp.path_choice"}},
        {{"detour", "deflection", "deflection routing"}, {"switch.overflow = detour", "detour.policy"}},
        {{"cut through", "wormhole"}, {}, no_cut_through},
        {{"store and forward", "switch latency", "pipeline latency"},
         {"switch.lookup_delay", "switch.lookup_interval"}},
        {{"multicast", "broadcast", "flooding", "IGMP"}, {}, no_layer_2},
        {{"VLAN", "802.1Q", "MAC learning", "spanning tree", "STP", "fragmentation", "IP fragmentation"},
         {},
         no_layer_2},
        {{"LACP", "LAG", "MLAG", "MC-LAG", "bonding", "port channel", "link aggregation"},
         {"fabric.links_per_root", "fabric.links_per_agg", "fabric.links_per_core"},
         no_layer_2},
        {{"VXLAN", "tunnel", "GRE", "overlay", "MPLS", "SRv6"}, {}, no_layer_2},
        {{"ACL", "access list", "IPv6"}, {}, no_layer_2},
        {{"BGP", "OSPF", "IS-IS", "routing protocol", "layer 2 protocol"},
         {"fabric.route", "fabric.reroute_delay"},
         no_protocol},
        // --- links
        {{"link failure", "link flap", "link down", "failover", "reroute"},
         {"fabric.link", "fabric.reroute_delay"}},
        {{"bit error", "BER", "CRC error", "frame error", "corruption"}, {"fabric.link"}},
        {{"FEC", "forward error correction"}, {}, no_shaping},
        {{"LLR", "link level retry", "link layer retry", "link layer retransmission"},
         {"fabric.link"},
         no_shaping},
        {{"encryption", "MACsec", "IPsec"}, {}, no_shaping},
        {{"clock domain", "clock drift", "PTP", "SyncE"}, {}, no_shaping},
        {{"cable", "propagation", "propagation delay", "fibre", "fiber"},
         {"link.latency", "fabric.host_latency"}},
        {{"IPG", "IFG", "inter frame gap", "preamble"}, {"link.wire_overhead"}},
        {{"RTT", "round trip time"}, {"link.latency", "switch.lookup_delay", "host.stack_out"}},
        // --- traffic
        {{"incast", "fan in", "many to one"},
         {"traffic.kind = incast", "traffic.incast_bytes", "traffic.incast_rounds", "traffic.incast_target",
          "traffic.incast_all_to_all"}},
        {{"all reduce", "allreduce", "collective", "NCCL", "MPI", "AI training"},
         {"traffic.kind = goal", "traffic.program", "traffic.ranks"}},
        {{"all to all", "expert parallelism", "MoE"},
         {"traffic.program = all_to_all", "traffic.incast_all_to_all"}},
        {{"offered load", "injection rate"}, {"traffic.load", "traffic.load_of", "traffic.rate"}},
        {{"warm up"}, {"run.warmup"}},
        {{"power", "area", "energy"}, {}, no_power},
    };
    return all;
}

const field_term* find_field_term(std::string_view words) {
    // Words may stand apart or not: `cut-through`, `cutthrough`.
    const auto key_of = [](std::string_view text) { return joined(word_stems(text), ""); };
    // Built once: each unknown option asks for the term that its name may be.
    static const auto terms = [&] {
        std::map<std::string, const field_term*> all;
        for (const field_term& term : field_terms()) {
            for (const char* spelling : term.words) {
                all.emplace(key_of(spelling), &term);
            }
        }
        return all;
    }();
    const auto term = terms.find(key_of(words));
    return term == terms.end() ? nullptr : term->second;
}

}  // namespace weir::tb
