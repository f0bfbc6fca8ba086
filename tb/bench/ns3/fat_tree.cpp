// weir's benchmark fabric in ns-3: a fat-tree of k-port switches, each host sends to one other without end.
// `weir bench --against=ns3` compiles this against Debian's libns3-dev and runs it beside itself.
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
#include <cstdint>
#include <iostream>
#include <random>
#include <vector>

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "peer_program.h"

namespace {

using namespace ns3;
using namespace peer_program;

// A frame is what occupies the link, from PPP's two bytes to the end of the payload: no preamble, no FCS.
constexpr uint32_t ppp_bytes = 2;
constexpr uint32_t ip_bytes = 20;
constexpr uint32_t udp_bytes = 8;
constexpr uint32_t tcp_bytes = 20;

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
        for (uint32_t host = 0; host < o.k * half * half; ++host) {
            m_hosts.push_back(add({place_in_tree::tier::host, host / half / half, host / half % half, half}));
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
            link(m_hosts[i], edges[i / half], address(i));
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
    /// 10.pod.edge.(2 + place); as few hosts per edge switch as k/2.
    Ipv4Address address(uint32_t host) const {
        const uint32_t half = m_options.k / 2;
        return Ipv4Address((10U << 24) | (host / half / half << 16) | (host / half % half << 8) |
                           (host % half + 2));
    }
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
                       seed * 7919 + static_cast<uint32_t>(m_routing.size()) + 1);
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
    std::vector<Ptr<fat_tree_routing>> m_routing;
    uint32_t m_switch_addresses = 0;
    uint64_t m_packet_hops = 0;
    uint64_t m_drops = 0;
};

/// Sends datagrams at constant distances from a socket, with nothing around it, and takes what comes.
class udp_host {
 public:
    udp_host(const Ptr<Node>& node, Ipv4Address to, uint32_t payload, Time gap)
        : m_in(Socket::CreateSocket(node, UdpSocketFactory::GetTypeId())),
          m_out(Socket::CreateSocket(node, UdpSocketFactory::GetTypeId())),
          m_payload(payload),
          m_gap(gap) {
        m_in->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
        m_in->SetRecvCallback(MakeCallback(&udp_host::receive));
        m_out->Bind();
        m_out->Connect(InetSocketAddress(to, 9));
        m_out->ShutdownRecv();
    }
    void send() {
        m_out->Send(Create<Packet>(m_payload));
        Simulator::Schedule(m_gap, &udp_host::send, this);
    }

 private:
    static void receive(Ptr<Socket> socket) {
        while (socket->Recv()) {
        }
    }
    Ptr<Socket> m_in;
    Ptr<Socket> m_out;
    uint32_t m_payload;
    Time m_gap;
};

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

void run(const options& o) {
    const cost begin = cost::so_far();
    configure_tcp(o);
    const fat_tree tree(o);
    const auto hosts = static_cast<uint32_t>(tree.hosts().size());
    const std::vector<uint32_t> to = partners(hosts);
    std::vector<udp_host> ends;
    ends.reserve(hosts);
    ApplicationContainer applications;
    std::minstd_rand offset(seed);
    const double gap_ns = o.frame_distance_ns();
    for (uint32_t h = 0; h < hosts; ++h) {
        const Ptr<Node>& node = tree.hosts()[h];
        if (o.is_tcp()) {
            PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), 9));
            applications.Add(sink.Install(node));
            BulkSendHelper bulk("ns3::TcpSocketFactory", InetSocketAddress(tree.address(to[h]), 9));
            bulk.SetAttribute("MaxBytes", UintegerValue(0));
            applications.Add(bulk.Install(node));
        } else {
            ends.emplace_back(node, tree.address(to[h]), o.frame_bytes - ppp_bytes - ip_bytes - udp_bytes,
                              PicoSeconds(static_cast<int64_t>(gap_ns * 1000)));
            Simulator::ScheduleWithContext(node->GetId(), NanoSeconds(offset() % static_cast<uint32_t>(gap_ns)),
                                           &udp_host::send, &ends.back());
        }
    }
    Simulator::Stop(NanoSeconds(o.duration_ns));
    const cost set_up = cost::so_far();
    Simulator::Run();
    report(begin, set_up, tree.packet_hops(), tree.drops());
}

}  // namespace

int main(int argc, char** argv) {
    try {
        run(read_options(argc, argv));
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
    }
    return 2;
}
