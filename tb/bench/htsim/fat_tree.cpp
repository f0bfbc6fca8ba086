// weir's benchmark fabric in htsim: a fat-tree of k-port switches, each host sends to one other without end.
// `weir bench --against=htsim --htsim=DIR` compiles this with htsim's sources in DIR and runs it beside itself.
//
//   fat_tree --k=8 --gbps=10 --latency_ns=1000 --frame=1500 --gap=20 --transport=udp --load=0.7
//   --duration_ns=5000000
//
// --transport=udp is htsim's RoCE with PFC: lossless queues, paced at the load, an ACK for each packet.
// --transport=tcp is its DCTCP over queues that mark. ACKs go back through queues and links like data, along
// the same path; htsim's own TCP programs hand them to the sender at once.
//
// It is made to cost htsim as little as may be: the source knows the whole path (a lookup in each switch would
// add a third event per hop), nothing is logged, and each flow has a path that shares no link
// with another flow's data, so that neither queues nor PAUSE frames grow. htsim knows no preamble: its packets
// are as long as a frame with its gap. A packet-hop is a packet that a queue has handed to its link, ACKs
// included; PAUSE frames go another way. Prints one JSON object.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "peer_program.h"

#if defined(__linux__) && defined(__GLIBC__)
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

// htsim's library, as far as it is needed, and this program are one translation unit: the compiler may inline
// between them.
#include "callback_pipe.cpp"
#include "config.cpp"
#include "dctcp.cpp"
#include "ecnqueue.cpp"
#include "eth_pause_packet.cpp"
#include "eventlist.cpp"
#include "fairpullqueue.cpp"
#include "hpccpacket.cpp"
#include "logfile.cpp"
#include "loggers.cpp"
#include "mtcp.cpp"
#include "ndppacket.cpp"
#include "network.cpp"
#include "pipe.cpp"
#include "queue.cpp"
#include "queue_lossless.cpp"
#include "queue_lossless_input.cpp"
#include "queue_lossless_output.cpp"
#include "roce.cpp"
#include "rocepacket.cpp"
#include "route.cpp"
#include "switch.cpp"
#include "tcp.cpp"
#include "tcppacket.cpp"
#include "trigger.cpp"

namespace {

using namespace peer_program;

/// A link: what a queue hands to it has finished its transmission.
class counting_link : public Pipe {
 public:
    counting_link(simtime_picosec latency, EventList& events, std::uint64_t& packet_hops)
        : Pipe(latency, events), m_packet_hops(packet_hops) {}
    void receivePacket(Packet& packet) override {
        ++m_packet_hops;
        Pipe::receivePacket(packet);
    }

 private:
    std::uint64_t& m_packet_hops;
};

/// One direction of a link, in the order in which a packet passes.
struct direction {
    Queue* egress = nullptr;
    Pipe* link = nullptr;
    /// What counts a switch's ingress memory and sends PAUSE; only where queues are lossless.
    PacketSink* ingress = nullptr;

    void append_to(Route& route) const {
        route.push_back(egress);
        route.push_back(link);
        if (ingress != nullptr) {
            route.push_back(ingress);
        }
    }
};

/// Which of the ways up a flow takes. Meaningless where it does not go so far.
struct way_up {
    std::uint32_t aggregation = 0;
    std::uint32_t core = 0;
};

class fat_tree {
 public:
    explicit fat_tree(const options& o) : m_options(o), m_half(o.k / 2) {
        const auto switches = [&](std::uint32_t count, const char* name) {
            std::vector<Switch*> made(count);
            std::generate(made.begin(), made.end(), [&] { return new Switch(events(), name); });
            return made;
        };
        const std::vector<Switch*> edges = switches(o.k * m_half, "edge");
        const std::vector<Switch*> aggregations = switches(o.k * m_half, "aggregation");
        const std::vector<Switch*> cores = switches(m_half * m_half, "core");
        for (std::uint32_t host = 0; host < hosts(); ++host) {
            m_from_host.push_back(connect(host_queue(), edges[edge_of(host)]));
            m_to_host.push_back(connect(switch_queue(), nullptr));
        }
        for (std::uint32_t lower = 0; lower < o.k * m_half; ++lower) {
            for (std::uint32_t i = 0; i < m_half; ++i) {
                m_edge_up.push_back(connect(switch_queue(), aggregations[lower / m_half * m_half + i]));
                m_edge_down.push_back(connect(switch_queue(), edges[lower]));
                m_aggregation_up.push_back(connect(switch_queue(), cores[lower % m_half * m_half + i]));
                m_aggregation_down.push_back(connect(switch_queue(), aggregations[lower]));
            }
        }
    }

    std::uint32_t hosts() const { return m_options.k * m_half * m_half; }
    std::uint32_t half() const { return m_half; }
    std::uint32_t edge_of(std::uint32_t host) const { return host / m_half; }
    std::uint32_t pod_of(std::uint32_t host) const { return edge_of(host) / m_half; }

    /// From one host's queue to the other host, and on to `end`.
    Route* route(std::uint32_t from, std::uint32_t to, way_up way, PacketSink& end) const {
        auto* const r = new Route;
        m_from_host[from].append_to(*r);
        if (edge_of(from) != edge_of(to)) {
            m_edge_up[edge_of(from) * m_half + way.aggregation].append_to(*r);
            if (pod_of(from) != pod_of(to)) {
                m_aggregation_up[(pod_of(from) * m_half + way.aggregation) * m_half + way.core].append_to(*r);
                m_aggregation_down[(pod_of(to) * m_half + way.aggregation) * m_half + way.core].append_to(*r);
            }
            m_edge_down[edge_of(to) * m_half + way.aggregation].append_to(*r);
        }
        m_to_host[to].append_to(*r);
        r->push_back(&end);
        return r;
    }
    /// Tells a sender of PAUSE frames that its host receives.
    void add_sender(std::uint32_t host, RoceSrc& sender) {
        static_cast<HostQueue*>(m_from_host[host].egress)->addHostSender(&sender);
    }

    std::uint64_t packet_hops() const { return m_packet_hops; }
    std::uint64_t drops() const {
        return std::accumulate(
            m_queues.begin(), m_queues.end(), std::uint64_t{0},
            [](std::uint64_t sum, const Queue* q) { return sum + static_cast<std::uint64_t>(q->num_drops()); });
    }

 private:
    /// More than can ever wait.
    static constexpr mem_b endless = mem_b{1} << 40;

    EventList& events() const { return EventList::getTheEventList(); }
    linkspeed_bps rate() const { return speedFromGbps(m_options.gbps); }
    simtime_picosec latency() const { return timeFromNs(m_options.latency_ns); }

    Queue* host_queue() {
        return m_options.is_tcp() ? new Queue(rate(), endless, events(), nullptr)
                                  : new PriorityQueue(rate(), endless, events(), nullptr);
    }
    Queue* switch_queue() {
        if (m_options.is_tcp()) {
            // Marks from 15 packets on, as htsim's own fat-tree does.
            return new ECNQueue(rate(), endless, events(), nullptr, 15 * Packet::data_packet_size());
        }
        return new LosslessOutputQueue(rate(), endless, events(), nullptr);
    }
    /// `to`: the switch at the far end, if it is one.
    direction connect(Queue* egress, Switch* to) {
        m_queues.push_back(egress);
        const bool pauses = to != nullptr && !m_options.is_tcp();
        return {egress, new counting_link(latency(), events(), m_packet_hops),
                pauses ? new LosslessInputQueue(events(), egress, to, latency()) : nullptr};
    }

    options m_options;
    std::uint32_t m_half;
    std::uint64_t m_packet_hops = 0;
    std::vector<Queue*> m_queues;
    std::vector<direction> m_from_host;
    std::vector<direction> m_to_host;
    /// By edge switch and the aggregation switch's place in the pod: the way up, and the way down beside it.
    std::vector<direction> m_edge_up;
    std::vector<direction> m_edge_down;
    /// By aggregation switch and its core switch.
    std::vector<direction> m_aggregation_up;
    std::vector<direction> m_aggregation_down;
};

/// Edges of a bipartite graph between sources and destinations, coloured such that no two of one colour meet.
/// Koenig: as many colours suffice as edges meet in one node.
class edge_colouring {
 public:
    edge_colouring(std::uint32_t nodes, std::uint32_t colours)
        : m_colours(colours), m_at{ends(std::size_t{nodes} * colours, none), m_at[0]} {}

    /// Earlier edges may change their colour.
    void add(std::uint32_t source, std::uint32_t destination) {
        std::uint32_t colour = free_at(0, source);
        std::uint32_t other = free_at(1, destination);
        m_edges.push_back({{source, destination}, colour});
        // The chain of edges of the two colours that begins at the destination exchanges them.
        std::uint32_t node = destination;
        for (unsigned side = 1;; side = 1 - side) {
            std::swap(at(side, node, colour), at(side, node, other));
            const std::size_t moved = at(side, node, other);
            if (moved == none) {
                break;
            }
            m_edges[moved].colour = other;
            node = m_edges[moved].node[1 - side];
            std::swap(colour, other);
        }
        const std::size_t added = m_edges.size() - 1;
        at(0, source, m_edges[added].colour) = at(1, destination, m_edges[added].colour) = added;
    }
    /// In the order in which they were added.
    std::uint32_t colour(std::size_t edge) const { return m_edges[edge].colour; }

 private:
    using ends = std::vector<std::size_t>;
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    struct edge {
        std::uint32_t node[2];
        std::uint32_t colour;
    };

    std::size_t& at(unsigned side, std::uint32_t node, std::uint32_t colour) {
        return m_at[side][std::size_t{node} * m_colours + colour];
    }
    std::uint32_t free_at(unsigned side, std::uint32_t node) {
        for (std::uint32_t colour = 0; colour < m_colours; ++colour) {
            if (at(side, node, colour) == none) {
                return colour;
            }
        }
        throw std::logic_error("more edges meet in a node than there are colours");
    }

    std::uint32_t m_colours;
    /// The edge of each colour at each node of a side.
    ends m_at[2];
    std::vector<edge> m_edges;
};

/// Ways up on which no link carries two flows: aggregation switches first, then the cores above each.
std::vector<way_up> even_ways(const fat_tree& tree, const std::vector<std::uint32_t>& to) {
    const std::uint32_t switches = tree.hosts() / tree.half();
    std::vector<way_up> ways(to.size());
    edge_colouring aggregations(switches, tree.half());
    for (std::uint32_t h = 0; h < to.size(); ++h) {
        aggregations.add(tree.edge_of(h), tree.edge_of(to[h]));
    }
    edge_colouring cores(switches, tree.half());
    for (std::uint32_t h = 0; h < to.size(); ++h) {
        const std::uint32_t up = ways[h].aggregation = aggregations.colour(h);
        cores.add(tree.pod_of(h) * tree.half() + up, tree.pod_of(to[h]) * tree.half() + up);
    }
    for (std::uint32_t h = 0; h < to.size(); ++h) {
        ways[h].core = cores.colour(h);
    }
    return ways;
}

/// Starts a RoCE sender at a time of its own.
class delayed_start : public EventSource {
 public:
    delayed_start(RoceSrc& sender, simtime_picosec when, EventList& events)
        : EventSource(events, "delayed_start"), m_sender(sender) {
        events.sourceIsPending(*this, when);
    }
    void doNextEvent() override { m_sender.startflow(); }

 private:
    RoceSrc& m_sender;
};

/// All flows; each begins within the first frame's time.
class workload {
 public:
    workload(fat_tree& tree, const options& o) {
        EventList& events = EventList::getTheEventList();
        const std::vector<std::uint32_t> to = partners(tree.hosts());
        std::mt19937 bits(seed + 1);
        const std::vector<way_up> ways = even_ways(tree, to);
        const simtime_picosec spread = timeFromNs(o.frame_distance_ns());
        if (o.is_tcp()) {
            m_timer = std::make_unique<TcpRtxTimerScanner>(timeFromMs(10), events);
        }
        for (std::uint32_t host = 0; host < tree.hosts(); ++host) {
            const simtime_picosec start = 1 + bits() % spread;
            if (o.is_tcp()) {
                add_tcp(tree, host, to[host], ways[host], start);
            } else {
                add_roce(tree, host, to[host], ways[host], start, speedFromGbps(o.gbps * o.load));
            }
        }
    }

    /// Packets that did not arrive in order: after a loss only, since a flow has one path.
    std::uint64_t negative_acks() const {
        return std::accumulate(
            m_roce_senders.begin(), m_roce_senders.end(), std::uint64_t{0},
            [](std::uint64_t sum, const RoceSrc* sender) { return sum + sender->_nacks_received; });
    }

 private:
    void add_roce(fat_tree& tree, std::uint32_t from, std::uint32_t to, way_up way, simtime_picosec start,
                  linkspeed_bps rate) {
        EventList& events = EventList::getTheEventList();
        auto* const sender = new RoceSrc(nullptr, nullptr, events, rate);
        auto* const receiver = new RoceSink;
        sender->set_dst(to);
        receiver->set_src(from);
        tree.add_sender(from, *sender);
        sender->connect(tree.route(from, to, way, *receiver), tree.route(to, from, way, *sender), *receiver,
                        TRIGGER_START);
        new delayed_start(*sender, start, events);
        m_roce_senders.push_back(sender);
    }
    void add_tcp(fat_tree& tree, std::uint32_t from, std::uint32_t to, way_up way, simtime_picosec start) {
        auto* const sender = new DCTCPSrc(nullptr, nullptr, EventList::getTheEventList());
        auto* const receiver = new TcpSink;
        sender->_maxcwnd = 1 << 20;
        m_timer->registerTcp(*sender);
        sender->connect(*tree.route(from, to, way, *receiver), *tree.route(to, from, way, *sender), *receiver,
                        start);
    }

    std::unique_ptr<TcpRtxTimerScanner> m_timer;
    std::vector<RoceSrc*> m_roce_senders;
};

/// htsim's values that hold for everything; before anything is made.
void configure(const options& o) {
    const auto wire_bytes = static_cast<int>(o.frame_bytes + o.gap_bytes);
    Packet::set_packet_size(o.is_tcp() ? wire_bytes : wire_bytes - RocePacket::ACKSIZE);
    // As its RoCE program does.
    LosslessInputQueue::_high_threshold = 15 * static_cast<std::uint64_t>(wire_bytes);
    LosslessInputQueue::_low_threshold = 12 * static_cast<std::uint64_t>(wire_bytes);
    EventList::getTheEventList().setEndtime(timeFromNs(o.duration_ns));
}

/// Lets the heap grow at once by what the fabric may need, in pages of 2 MiB where the system gives them, as
/// weir does for itself. Before anything is made.
void reserve_huge_pages(const options& o) {
#if defined(__linux__) && defined(__GLIBC__)
    constexpr std::uintptr_t huge_page = std::uintptr_t{2} << 20;
    constexpr std::uint32_t per_host = 32 << 10;
    const auto heap_end = [] { return reinterpret_cast<std::uintptr_t>(sbrk(0)); };
    const std::uintptr_t begin = (heap_end() + huge_page - 1) / huge_page * huge_page;
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
    mallopt(M_TOP_PAD, static_cast<int>(o.k * o.k * o.k / 4 * per_host));
    void* volatile extends_the_heap = std::malloc(8 << 20);
    std::free(extends_the_heap);
    mallopt(M_TOP_PAD, 128 << 10);
    if (const std::uintptr_t end = heap_end(); end > begin) {
        madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
    }
#endif
}

void run(const options& o) {
    const cost begin = cost::so_far();
    // htsim tells of each flow that begins.
    std::cout.rdbuf(nullptr);
    reserve_huge_pages(o);
    configure(o);
    fat_tree tree(o);
    const workload load(tree, o);
    const cost set_up = cost::so_far();
    while (EventList::doNextEvent()) {
    }
    report(begin, set_up, tree.packet_hops(), tree.drops(), load.negative_acks());
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
