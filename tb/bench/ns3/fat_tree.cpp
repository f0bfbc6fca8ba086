// weir's benchmark fabric in ns-3: a fat-tree of k-port switches, each host sends to one other without end.
// `weir bench
// --against=ns3` compiles this against Debian's libns3-dev and runs it beside itself.
//
//   fat_tree --k=8 --gbps=10 --latency_ns=1000 --frame=1500 --gap=20 --transport=udp --load=0.7
//   --duration_ns=5000000
//
// It is made to cost ns-3 as little as may be: routes are computed from the address (ns-3's global routing
// would walk a list of hundreds of routes at each hop), there are no queue discs, no traces but one count per
// hop, no checksums, and datagrams come straight from a socket. Queues are so long that nothing is lost.
// --spread=frame draws a way up for each frame, as per-packet load balancing does; --spread=flow for each flow,
// which spares TCP the reordering. TCP never takes reordering for loss. A packet-hop is a frame that finished
// its transmission on one link, ACKs included. Prints one JSON object.
#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <iostream>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"

namespace {

using namespace ns3;

struct options {
    uint32_t k = 8;
    double gbps = 10;
    double latency_ns = 1000;
    /// Of PPP's two bytes to the end of the payload, which is what occupies the link; no preamble, no FCS.
    uint32_t frame_bytes = 1500;
    /// Preamble, delimiter and gap.
    uint32_t gap_bytes = 20;
    std::string transport = "udp";
    double load = 0.7;
    /// Ways up are drawn for each frame, or for each flow.
    std::string spread = "frame";
    double duration_ns = 1e6;
    uint32_t seed = 1;
};

constexpr uint32_t ppp_bytes = 2;
constexpr uint32_t ip_bytes = 20;
constexpr uint32_t udp_bytes = 8;
constexpr uint32_t tcp_bytes = 20;

/// 10.pod.edge.(2 + place); as few hosts per edge switch as k/2.
Ipv4Address address_of(uint32_t pod, uint32_t edge, uint32_t place) {
    return Ipv4Address((10U << 24) | (pod << 16) | (edge << 8) | (place + 2));
}

/// What a node is; says by which of its devices a frame leaves.
struct place_in_tree {
    enum class tier { host, edge, aggregation, core } where = tier::host;
    uint32_t pod = 0;
    uint32_t number = 0;
    uint32_t half = 4;
};

class fat_tree_routing : public Ipv4RoutingProtocol {
 public:
    static TypeId GetTypeId() {
        static const TypeId id = TypeId("weir::fat_tree_routing").SetParent<Ipv4RoutingProtocol>();
        return id;
    }
    fat_tree_routing() = default;
    void place(const place_in_tree& p, bool per_flow, uint32_t seed) {
        m_place = p;
        m_per_flow = per_flow;
        m_random.seed(seed);
    }
    /// All interfaces are there.
    void ready() {
        for (uint32_t i = 1; i < m_ipv4->GetNInterfaces(); ++i) {
            const Ptr<Ipv4Route> route = Create<Ipv4Route>();
            route->SetOutputDevice(m_ipv4->GetNetDevice(i));
            route->SetSource(m_ipv4->GetAddress(i, 0).GetLocal());
            route->SetGateway(Ipv4Address::GetZero());
            m_routes.push_back(route);
        }
    }

    Ptr<Ipv4Route> RouteOutput(Ptr<Packet>, const Ipv4Header& header, Ptr<NetDevice>,
                               Socket::SocketErrno& error) override {
        error = Socket::ERROR_NOTERROR;
        m_routes[0]->SetDestination(header.GetDestination());
        return m_routes[0];
    }
    bool RouteInput(Ptr<const Packet> packet, const Ipv4Header& header, Ptr<const NetDevice> in,
                    UnicastForwardCallback forward, MulticastForwardCallback, LocalDeliverCallback deliver,
                    ErrorCallback) override {
        if (m_place.where == place_in_tree::tier::host) {
            deliver(packet, header, static_cast<uint32_t>(m_ipv4->GetInterfaceForDevice(in)));
        } else {
            forward(m_routes[port_towards(header.GetSource().Get(), header.GetDestination().Get())], packet,
                    header);
        }
        return true;
    }
    void NotifyInterfaceUp(uint32_t) override {}
    void NotifyInterfaceDown(uint32_t) override {}
    void NotifyAddAddress(uint32_t, Ipv4InterfaceAddress) override {}
    void NotifyRemoveAddress(uint32_t, Ipv4InterfaceAddress) override {}
    void SetIpv4(Ptr<Ipv4> ipv4) override { m_ipv4 = ipv4; }
    void PrintRoutingTable(Ptr<OutputStreamWrapper>, Time::Unit) const override {}

 private:
    /// Of `half` ways up.
    uint32_t draw(uint32_t source, uint32_t destination) {
        if (!m_per_flow) {
            return static_cast<uint32_t>(m_random() % m_place.half);
        }
        const uint64_t key = (uint64_t{source} << 32 | destination) + static_cast<uint64_t>(m_place.where);
        return static_cast<uint32_t>((key * 0x9E3779B97F4A7C15U) >> 40) % m_place.half;
    }
    uint32_t port_towards(uint32_t source, uint32_t address) {
        const uint32_t pod = (address >> 16) & 0xff;
        const uint32_t edge = (address >> 8) & 0xff;
        const uint32_t up = m_place.half + draw(source, address);
        switch (m_place.where) {
            case place_in_tree::tier::core:
                return pod;
            case place_in_tree::tier::aggregation:
                return pod == m_place.pod ? edge : up;
            default:
                return pod == m_place.pod && edge == m_place.number ? (address & 0xff) - 2 : up;
        }
    }

    place_in_tree m_place;
    bool m_per_flow = false;
    std::minstd_rand m_random;
    Ptr<Ipv4> m_ipv4;
    std::vector<Ptr<Ipv4Route>> m_routes;
};

class fat_tree {
 public:
    explicit fat_tree(const options& o) : m_options(o) {
        const uint32_t half = o.k / 2;
        for (uint32_t pod = 0; pod < o.k; ++pod) {
            for (uint32_t edge = 0; edge < half; ++edge) {
                for (uint32_t i = 0; i < half; ++i) {
                    m_hosts.push_back(add({place_in_tree::tier::host, pod, edge, half}));
                    m_addresses.push_back(address_of(pod, edge, i));
                }
            }
        }
        std::vector<Ptr<Node>> edges;
        std::vector<Ptr<Node>> aggregations;
        std::vector<Ptr<Node>> cores;
        for (uint32_t i = 0; i < o.k * half; ++i) {
            edges.push_back(add({place_in_tree::tier::edge, i / half, i % half, half}));
            aggregations.push_back(add({place_in_tree::tier::aggregation, i / half, i % half, half}));
        }
        for (uint32_t i = 0; i < half * half; ++i) {
            cores.push_back(add({place_in_tree::tier::core, 0, i, half}));
        }
        m_links.SetDeviceAttribute("DataRate", DataRateValue(DataRate(static_cast<uint64_t>(o.gbps * 1e9))));
        m_links.SetDeviceAttribute("Mtu", UintegerValue(o.frame_bytes - ppp_bytes));
        m_links.SetDeviceAttribute("InterframeGap", TimeValue(NanoSeconds(o.gap_bytes * 8 / o.gbps)));
        m_links.SetChannelAttribute("Delay", TimeValue(NanoSeconds(o.latency_ns)));
        m_links.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", QueueSizeValue(QueueSize("64MB")));
        // Ports in ascending order: downwards first.
        for (uint32_t i = 0; i < m_hosts.size(); ++i) {
            link(m_hosts[i], edges[i / half], m_addresses[i]);
        }
        for (uint32_t i = 0; i < edges.size(); ++i) {
            for (uint32_t a = 0; a < half; ++a) {
                link(edges[i], aggregations[i / half * half + a]);
            }
        }
        for (uint32_t i = 0; i < aggregations.size(); ++i) {
            for (uint32_t c = 0; c < half; ++c) {
                link(aggregations[i], cores[i % half * half + c]);
            }
        }
        for (const Ptr<fat_tree_routing>& r : m_routing) {
            r->ready();
        }
    }

    const std::vector<Ptr<Node>>& hosts() const { return m_hosts; }
    Ipv4Address address(uint32_t host) const { return m_addresses[host]; }
    uint64_t packet_hops() const { return m_packet_hops; }
    uint64_t drops() const { return m_drops; }

 private:
    Ptr<Node> add(const place_in_tree& p) {
        const Ptr<Node> node = CreateObject<Node>();
        InternetStackHelper stack;
        stack.SetIpv6StackInstall(false);
        stack.Install(node);
        const Ptr<fat_tree_routing> routing = CreateObject<fat_tree_routing>();
        routing->place(p, m_options.spread == "flow",
                       m_options.seed * 7919 + static_cast<uint32_t>(m_routing.size()) + 1);
        node->GetObject<Ipv4>()->SetRoutingProtocol(routing);
        m_routing.push_back(routing);
        return node;
    }
    void link(const Ptr<Node>& lower, const Ptr<Node>& upper, Ipv4Address host = Ipv4Address::GetAny()) {
        const NetDeviceContainer ends = m_links.Install(lower, upper);
        for (uint32_t i = 0; i < 2; ++i) {
            const Ptr<NetDevice> device = ends.Get(i);
            const Ptr<Ipv4> ipv4 = device->GetNode()->GetObject<Ipv4>();
            const uint32_t interface = ipv4->AddInterface(device);
            // Switches have addresses only because ns-3 wants them.
            const Ipv4Address own =
                i == 0 && !host.IsAny() ? host : Ipv4Address((172U << 24) | (16U << 20) | ++m_switch_addresses);
            ipv4->AddAddress(interface, Ipv4InterfaceAddress(own, Ipv4Mask("255.255.255.255")));
            ipv4->SetUp(interface);
            device->TraceConnectWithoutContext("PhyTxEnd", MakeCallback(&fat_tree::count_hop, this));
            DynamicCast<PointToPointNetDevice>(device)->GetQueue()->TraceConnectWithoutContext(
                "Drop", MakeCallback(&fat_tree::count_drop, this));
        }
    }
    void count_hop(Ptr<const Packet>) { ++m_packet_hops; }
    void count_drop(Ptr<const Packet>) { ++m_drops; }

    options m_options;
    PointToPointHelper m_links;
    std::vector<Ptr<Node>> m_hosts;
    std::vector<Ipv4Address> m_addresses;
    std::vector<Ptr<fat_tree_routing>> m_routing;
    uint32_t m_switch_addresses = 0;
    uint64_t m_packet_hops = 0;
    uint64_t m_drops = 0;
};

/// Datagrams at constant distances, from a socket, and nothing around it.
class udp_sender {
 public:
    udp_sender(const Ptr<Node>& node, Ipv4Address to, uint32_t payload, Time gap)
        : m_socket(Socket::CreateSocket(node, UdpSocketFactory::GetTypeId())), m_payload(payload), m_gap(gap) {
        m_socket->Bind();
        m_socket->Connect(InetSocketAddress(to, 9));
        m_socket->ShutdownRecv();
    }
    void send() {
        m_socket->Send(Create<Packet>(m_payload));
        Simulator::Schedule(m_gap, &udp_sender::send, this);
    }

 private:
    Ptr<Socket> m_socket;
    uint32_t m_payload;
    Time m_gap;
};

/// Takes what comes.
class udp_receiver {
 public:
    explicit udp_receiver(const Ptr<Node>& node)
        : m_socket(Socket::CreateSocket(node, UdpSocketFactory::GetTypeId())) {
        m_socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
        m_socket->SetRecvCallback(MakeCallback(&udp_receiver::receive, this));
    }

 private:
    void receive(Ptr<Socket> socket) {
        while (socket->Recv()) {
        }
    }
    Ptr<Socket> m_socket;
};

/// One cycle through all hosts in random order: nobody sends to itself.
std::vector<uint32_t> partners(uint32_t hosts, uint32_t seed) {
    std::vector<uint32_t> order(hosts);
    std::iota(order.begin(), order.end(), 0);
    std::mt19937 bits(seed);
    for (uint32_t i = hosts - 1; i > 0; --i) {
        std::swap(order[i], order[bits() % (i + 1)]);
    }
    std::vector<uint32_t> to(hosts);
    for (uint32_t i = 0; i < hosts; ++i) {
        to[order[i]] = order[(i + 1) % hosts];
    }
    return to;
}

void configure_tcp(const options& o) {
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", TypeIdValue(TcpNewReno::GetTypeId()));
    Config::SetDefault("ns3::TcpSocket::SegmentSize",
                       UintegerValue(o.frame_bytes - ppp_bytes - ip_bytes - tcp_bytes));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(1 << 20));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(1 << 20));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(1));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(3));
    Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(false));
    Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(false));
    Config::SetDefault("ns3::TcpSocketBase::ReTxThreshold", UintegerValue(1 << 30));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(50)));
}

double cpu_seconds() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}
double wall_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
uint64_t peak_bytes() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return static_cast<uint64_t>(used.ru_maxrss) * 1024;
}

}  // namespace

int main(int argc, char** argv) {
    const double wall_0 = wall_seconds();
    options o;
    CommandLine line;
    line.AddValue("k", "ports of a switch, even, at most 254", o.k);
    line.AddValue("gbps", "rate of all links", o.gbps);
    line.AddValue("latency_ns", "latency of all links", o.latency_ns);
    line.AddValue("frame", "bytes of a full frame", o.frame_bytes);
    line.AddValue("gap", "bytes of time between frames", o.gap_bytes);
    line.AddValue("transport", "udp or tcp", o.transport);
    line.AddValue("load", "udp: share of a host's link", o.load);
    line.AddValue("spread", "frame or flow: what a way up is drawn for", o.spread);
    line.AddValue("duration_ns", "simulated time", o.duration_ns);
    line.AddValue("seed", "of the permutation and of the ways up", o.seed);
    line.Parse(argc, argv);
    if (o.transport != "udp" && o.transport != "tcp") {
        std::cerr << "--transport: '" << o.transport << "' is unknown; expected udp, tcp\n";
        return 2;
    }
    if (o.spread != "frame" && o.spread != "flow") {
        std::cerr << "--spread: '" << o.spread << "' is unknown; expected frame, flow\n";
        return 2;
    }
    configure_tcp(o);
    fat_tree tree(o);
    const auto hosts = static_cast<uint32_t>(tree.hosts().size());
    const std::vector<uint32_t> to = partners(hosts, o.seed);
    std::vector<udp_sender> senders;
    std::vector<udp_receiver> receivers;
    senders.reserve(hosts);
    receivers.reserve(hosts);
    ApplicationContainer applications;
    std::minstd_rand offset(o.seed);
    const double gap_ns = (o.frame_bytes + o.gap_bytes) * 8 / o.gbps / o.load;
    for (uint32_t h = 0; h < hosts; ++h) {
        const Ptr<Node>& node = tree.hosts()[h];
        if (o.transport == "udp") {
            receivers.emplace_back(node);
            senders.emplace_back(node, tree.address(to[h]), o.frame_bytes - ppp_bytes - ip_bytes - udp_bytes,
                                 PicoSeconds(static_cast<int64_t>(gap_ns * 1000)));
            Simulator::ScheduleWithContext(node->GetId(), NanoSeconds(offset() % static_cast<uint32_t>(gap_ns)),
                                           &udp_sender::send, &senders.back());
        } else {
            PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), 9));
            applications.Add(sink.Install(node));
            BulkSendHelper bulk("ns3::TcpSocketFactory", InetSocketAddress(tree.address(to[h]), 9));
            bulk.SetAttribute("MaxBytes", UintegerValue(0));
            applications.Add(bulk.Install(node));
        }
    }
    Simulator::Stop(NanoSeconds(o.duration_ns));
    const double cpu_1 = cpu_seconds();
    const double wall_1 = wall_seconds();
    const uint64_t idle_bytes = peak_bytes();
    Simulator::Run();
    const double cpu_2 = cpu_seconds();
    const double wall_2 = wall_seconds();
    std::cout << "{\"hosts\": " << hosts << ", \"packet_hops\": " << tree.packet_hops()
              << ", \"drops\": " << tree.drops() << ", \"setup_cpu_seconds\": " << cpu_1
              << ", \"setup_wall_seconds\": " << wall_1 - wall_0 << ", \"setup_memory_bytes\": " << idle_bytes
              << ", \"cpu_seconds\": " << cpu_2 << ", \"wall_seconds\": " << wall_2 - wall_0
              << ", \"peak_memory_bytes\": " << peak_bytes() << "}\n";
    std::cout.flush();
    // Taking the simulation apart is no part of the run.
    std::_Exit(0);
}
