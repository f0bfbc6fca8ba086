#include "tb/bench/bench_cases.h"

#include <iterator>
#include <sstream>

namespace weir::tb {

namespace {

/// Options with blanks between.
std::vector<std::string> words(const std::string& text) {
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), {}};
}

std::vector<bench_case> make_cases() {
    // As tb/experiments/bench/permutation_*.ini: frames of 1,500 B, DeTail's switch, everything on.
    const std::string fat_tree =
        "fabric.topology=fat_tree link.latency=1us switch.scheme=detail switch.max_frame=1500B "
        "switch.lookup_delay=300ns traffic.kind=permutation ";
    const std::string udp = " udp.payload=1454B udp.header=46B traffic.transport=udp traffic.load=70%";
    const std::string tcp = " tcp.mss=1442B tcp.header=58B traffic.transport=tcp";

    // Frames of ns-3 have two bytes of PPP and no FCS, packets of htsim have no gap: what counts is that they
    // occupy the link as long.
    const std::string on_peer_links = " --latency_ns=1000 --frame=1500 --gap=20";
    const std::string ns3_way = " --spread=frame";
    const std::string peer_udp = " --transport=udp --load=0.7";
    const std::string peer_tcp = " --transport=tcp";
    const std::string k8 = fat_tree + "fabric.k=8 link.rate=10Gbps";
    const std::string peer_k8 = "--k=8 --gbps=10" + on_peer_links;
    return {
        {"udp",
         "k=8 fat-tree, 128 hosts, 10 Gb/s; UDP to one other host each, 70 %",
         words(k8 + udp),
         5'000'000,
         200'000,
         400'000,
         {{"ns3", words(peer_k8 + ns3_way + peer_udp)}, {"htsim", words(peer_k8 + peer_udp)}}},
        {"tcp",
         "the same fabric; TCP to one other host each, with ACKs on the wire",
         words(k8 + tcp),
         3'000'000,
         400'000,
         800'000,
         {{"ns3", words(peer_k8 + ns3_way + peer_tcp)}, {"htsim", words(peer_k8 + peer_tcp)}}},
        {"cells",
         "as udp, but with a crossbar that moves 64 B cells",
         words(k8 + udp + " switch.crossbar=cell"),
         4'000'000,
         100'000,
         200'000,
         {}},
        {"udp_1024",
         "as udp, on a k=16 fat-tree, 1,024 hosts",
         words(fat_tree + "fabric.k=16 link.rate=10Gbps" + udp),
         1'200'000,
         50'000,
         100'000,
         {{"htsim", words("--k=16 --gbps=10" + on_peer_links + peer_udp)}}},
        {"udp_8192",
         "as udp, on a k=32 fat-tree, 8,192 hosts, 100 Gb/s, 1 MiB of memory per port",
         words(fat_tree + "fabric.k=32 link.rate=100Gbps switch.ingress_buffer=1MiB switch.egress_buffer=1MiB" +
               udp),
         30'000,
         10'000,
         14'000,
         {{"htsim", words("--k=32 --gbps=100" + on_peer_links + peer_udp)}}},
        {"queries",
         "DeTail's fabric, 96 hosts, 1 Gb/s; 2,000 queries/s per host of 2, 8 and 32 KB",
         words("fabric.topology=racks switch.scheme=detail traffic.kind=query traffic.rate=2000"),
         100'000'000,
         10'000'000,
         20'000'000,
         {}},
        {"incast",
         "DeTail's fabric; all hosts respond to one host at the same time, with PFC active",
         words("fabric.topology=racks switch.scheme=detail traffic.kind=incast traffic.incast_rounds=1000000"),
         1'500'000'000,
         50'000'000,
         100'000'000,
         {}},
        {"switch_64",
         "one switch with 64 ports, 10 Gb/s, 64 B cells, uniform datagrams of 1,500 B at 90 %",
         words("fabric.topology=single fabric.hosts=64 link.rate=10Gbps link.latency=1us switch.scheme=detail "
               "switch.max_frame=1500B switch.lookup_delay=300ns switch.crossbar=cell udp.payload=1454B "
               "traffic.kind=bernoulli traffic.load=90%"),
         10'000'000,
         200'000,
         400'000,
         {}},
    };
}

}  // namespace

const std::vector<bench_case>& bench_cases() {
    static const std::vector<bench_case> cases = make_cases();
    return cases;
}

}  // namespace weir::tb
