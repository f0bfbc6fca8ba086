// No frame is made or lost: at each node, frames in = delivered + dropped + still inside. The same holds for
// the fabric, wherever a run is cut off.
#include <gtest/gtest.h>

#include <tuple>

#include "table_rows.h"

using namespace weir::test;
using nlohmann::json;

namespace {

std::int64_t number(const std::string& text) {
    return text.empty() ? 0 : std::stoll(text);
}

/// What ports.csv says of one node.
struct node_account {
    /// Frames that its neighbours began to send to it.
    std::int64_t towards = 0;
    /// Frames that it began to send.
    std::int64_t out = 0;
    std::map<std::string, std::int64_t> drops;

    std::int64_t dropped() const {
        std::int64_t all = 0;
        for (const auto& [reason, count] : drops) {
            all += count;
        }
        return all;
    }
    /// Without what a host's NIC refused, which nobody has sent. What a cut link kept from being sent is apart,
    /// too.
    std::int64_t dropped_of_sent() const {
        const auto refused = drops.find("nic_full");
        return dropped() - (refused == drops.end() ? 0 : refused->second);
    }
};

const char* const reasons[] = {
    "ingress_full", "egress_full",  "nic_full", "no_route",          "oversized",           "link_down",
    "bit_error",    "misdelivered", "watchdog", "ingress_fifo_full", "lossless_egress_full"};

/// A run's directory, checked as a whole: each node's account by what its neighbours and itself sent and by its
/// drops, and their sum against summary.json, which counts what is inside in another way.
class accounts {
 public:
    explicit accounts(const fs::path& directory) : m_summary(summary_of(directory)) {
        for (const auto& row : rows_of(directory / "ports.csv")) {
            const std::string& node = row.at("node");
            const std::string& peer = row.at("peer");
            node_account& own = m_nodes[node];
            own.out += number(row.at("tx_frames"));
            m_nodes[peer].towards += number(row.at("tx_frames"));
            m_sent[{node, peer}] += number(row.at("tx_frames"));
            m_received[{node, peer}] += number(row.at("rx_frames"));
            if (row.at("class") != "all") {
                m_sent_in_class[{node, peer, row.at("class")}] += number(row.at("tx_frames"));
                m_received_in_class[{peer, node, row.at("class")}] += number(row.at("rx_frames"));
            }
            m_errors[{node, peer}] += number(row.at("bit_error_frames"));
            for (const char* reason : reasons) {
                own.drops[reason] += number(row.at(std::string(reason) + "_frames"));
            }
            m_unsent += number(row.at("unsent_link_down_frames"));
            m_xoffs[row.at("class")] += is_host(node) ? 0 : number(row.at("xoff_sent"));
            m_carried[row.at("class")] += number(row.at("tx_frames"));
        }
    }

    /// What must hold wherever a run ends.
    void expect_to_add_up() const {
        EXPECT_EQ(frames("sent"), frames("delivered") + frames("dropped") + frames("inside"));
        std::int64_t sent = 0;
        std::int64_t host_side = 0;
        std::int64_t in_switches = 0;
        std::map<std::string, std::int64_t> drops;
        for (const auto& [name, node] : m_nodes) {
            for (const auto& [reason, count] : node.drops) {
                EXPECT_GE(count, 0) << name << ' ' << reason;
                drops[reason] += count;
            }
            if (is_host(name)) {
                sent += node.out;
                host_side += node.towards - node.dropped_of_sent();
            } else {
                const std::int64_t held = node.towards - node.out - node.dropped();
                EXPECT_GE(held, 0) << name;
                in_switches += held;
            }
        }
        EXPECT_EQ(sent, frames("sent"));
        EXPECT_EQ(m_unsent, m_summary["drops"]["unsent_link_down"]);
        for (const char* reason : reasons) {
            EXPECT_EQ(drops[reason], m_summary["drops"][reason]) << reason;
        }
        const std::int64_t at_hosts = host_side - frames("delivered");
        EXPECT_GE(at_hosts, 0);
        EXPECT_EQ(in_switches + at_hosts, frames("inside"));
        for (const auto& [link, received] : m_received) {
            const auto sent_there = m_sent.find({link.second, link.first});
            EXPECT_LE(received + m_errors.at(link), sent_there == m_sent.end() ? 0 : sent_there->second)
                << link.second << " to " << link.first;
        }
        std::int64_t xoffs = 0;
        for (const auto& [frame_class, count] : m_xoffs) {
            xoffs += m_carried.at(frame_class) > 0 ? count : 0;
        }
        EXPECT_EQ(xoffs, m_summary["pfc"]["xoff_sent"]);
    }

    /// What must hold besides when all traffic has come to its end: nobody holds anything.
    void expect_to_be_empty(bool links_are_cut) const {
        EXPECT_EQ(frames("inside"), 0);
        std::int64_t at_hosts = 0;
        for (const auto& [name, node] : m_nodes) {
            if (is_host(name)) {
                at_hosts += node.towards - node.dropped_of_sent();
            } else {
                EXPECT_EQ(node.towards, node.out + node.dropped()) << name;
            }
        }
        EXPECT_EQ(at_hosts, frames("delivered"));
        for (const auto& [link, sent] : m_sent) {
            const std::pair<std::string, std::string> back{link.second, link.first};
            const auto received = m_received.find(back);
            const std::int64_t arrived =
                received == m_received.end() ? 0 : received->second + m_errors.at(back);
            if (!links_are_cut) {
                EXPECT_EQ(sent, arrived) << link.first << " to " << link.second;
            }
        }
        if (!links_are_cut && at("/drops/bit_error") == 0) {
            EXPECT_EQ(m_sent_in_class, m_received_in_class);
        }
    }

    std::int64_t at(const std::string& pointer) const {
        return m_summary.at(json::json_pointer(pointer)).get<std::int64_t>();
    }

 private:
    using link = std::pair<std::string, std::string>;
    /// From, to, class as it stands in ports.csv.
    using link_class = std::tuple<std::string, std::string, std::string>;

    static bool is_host(const std::string& name) { return name[0] == 'h'; }
    std::int64_t frames(const char* key) const { return m_summary["frames"][key].get<std::int64_t>(); }

    json m_summary;
    std::map<std::string, node_account> m_nodes;
    /// From the first to the second node; received at the first from the second.
    std::map<link, std::int64_t> m_sent;
    std::map<link, std::int64_t> m_received;
    std::map<link, std::int64_t> m_errors;
    std::map<link_class, std::int64_t> m_sent_in_class;
    std::map<link_class, std::int64_t> m_received_in_class;
    /// By class.
    std::map<std::string, std::int64_t> m_xoffs;
    std::map<std::string, std::int64_t> m_carried;
    std::int64_t m_unsent = 0;
};

struct cut_off_run {
    const char* name;
    arguments options;
    /// What must have been counted, for the sums to say something.
    std::vector<const char*> happened{};
    bool links_are_cut = false;
    /// Lost datagrams are not sent again.
    bool every_flow_ends = true;
};
void PrintTo(const cut_off_run& r, std::ostream* out) {
    *out << r.name;
}

const arguments counted_fabric{"run",
                               "--fabric.topology=racks",
                               "--fabric.racks=3",
                               "--fabric.hosts_per_rack=4",
                               "--fabric.roots=2",
                               "--run.progress=false",
                               "--out",
                               "out"};

class conservation : public testing::TestWithParam<cut_off_run> {};
TEST_P(conservation, holds_at_every_node_wherever_a_run_is_cut_off) {
    std::map<std::string, std::int64_t> happened;
    // Odd picoseconds, so that frames are in every place: queues, pipelines, crossbars, wires, stacks.
    for (const char* duration : {"37us", "1234567891ps", "5ms", "8000000001ps"}) {
        SCOPED_TRACE(duration);
        const scratch_directory where;
        const outcome o = run_program(where, combined(combined(counted_fabric, GetParam().options),
                                                      {std::string("--run.duration=") + duration}));
        ASSERT_EQ(o.status, 0) << o.err;
        const accounts counted(where / "out");
        counted.expect_to_add_up();
        EXPECT_GT(counted.at("/frames/inside"), 0) << "nothing was under way";
        EXPECT_LE(counted.at("/packet_hops"), 7 * counted.at("/frames/sent"));
        // Lines of flows.csv.
        EXPECT_EQ(rows_of(where / "out/flows.csv").size(), counted.at("/flows/completed"));
        EXPECT_LE(counted.at("/flows/completed"), counted.at("/flows/started"));
        for (const char* what : GetParam().happened) {
            happened[what] = counted.at(what);
        }
    }
    for (const auto& [what, count] : happened) {
        EXPECT_GT(count, 0) << what;
    }
}
TEST_P(conservation, leaves_no_node_with_a_frame_when_all_traffic_has_ended) {
    const scratch_directory where;
    const outcome o = run_program(where, combined(combined(counted_fabric, GetParam().options),
                                                  {"--traffic.stop=5ms", "--run.duration=20s"}));
    ASSERT_EQ(o.status, 0) << o.err;
    const accounts counted(where / "out");
    counted.expect_to_add_up();
    counted.expect_to_be_empty(GetParam().links_are_cut);
    if (GetParam().every_flow_ends) {
        EXPECT_EQ(counted.at("/flows/completed"), counted.at("/flows/started"));
    }
    for (const char* what : GetParam().happened) {
        EXPECT_GT(counted.at(what), 0) << what;
    }
}
const cut_off_run runs[] = {
    {"detail", {"--switch.scheme=detail", "--traffic.kind=query", "--traffic.rate=3000"}},
    {"detail_in_cells",
     {"--switch.scheme=detail", "--switch.crossbar=cell", "--traffic.kind=query", "--traffic.rate=3000"}},
    {"baseline_that_drops_at_ingress",
     {"--switch.scheme=baseline", "--switch.drop=ingress_tail", "--switch.ingress_buffer=6KB",
      "--switch.egress_buffer=6KB", "--traffic.kind=query", "--traffic.rate=4000", "--tcp.min_rto=1ms",
      "--tcp.initial_rto=2ms"},
     {"/drops/ingress_full"}},
    {"priority_that_drops_at_egress",
     {"--switch.scheme=priority", "--switch.share_alpha=1", "--switch.egress_buffer=8KB",
      "--traffic.kind=query", "--traffic.rate=4000", "--tcp.min_rto=1ms", "--tcp.initial_rto=2ms"},
     {"/drops/egress_full"}},
    {"a_link_down_and_up",
     {"--switch.scheme=detail", "--traffic.kind=query", "--traffic.rate=3000",
      "--fabric.link=tor0-root0 down at=500us", "--fabric.link=h3-tor0 down at=1ms",
      "--fabric.link=h3-tor0 up at=3ms", "--fabric.link=tor0-root0 up at=4ms", "--tcp.min_rto=1ms",
      "--tcp.initial_rto=2ms"},
     {"/drops/link_down", "/drops/unsent_link_down", "/drops/no_route"},
     true},
    {"links_that_change",
     {"--switch.scheme=detail", "--traffic.kind=query", "--traffic.rate=3000",
      "--fabric.link=tor0-root0 latency=20us at=500us", "--fabric.link=tor0-root0 latency=3us at=2ms",
      "--fabric.link=h3-tor0 frame_error_rate=0.1 latency=9us at=1ms",
      "--fabric.link=h3-tor0 bit_error_rate=1e-6 frame_error_rate=0 at=3ms", "--tcp.min_rto=1ms",
      "--tcp.initial_rto=2ms"},
     {"/drops/bit_error"}},
    {"bit_errors",
     {"--switch.scheme=baseline", "--traffic.kind=query", "--traffic.rate=3000",
      "--fabric.link=h3-tor0 frame_error_rate=0.1", "--fabric.link=tor0-root0 frame_error_rate=0.05",
      "--tcp.min_rto=1ms", "--tcp.initial_rto=2ms"},
     {"/drops/bit_error"}},
    {"stack_delays",
     {"--switch.scheme=detail", "--host.stack_out=9.5us", "--host.stack_in=24us", "--traffic.kind=query",
      "--traffic.rate=3000"}},
    {"udp_over_full_nics",
     {"--switch.scheme=fc", "--traffic.kind=permutation", "--traffic.transport=udp", "--traffic.load=90%",
      "--udp.random_gaps=true", "--host.nic_buffer=5KB"},
     {"/drops/nic_full"},
     false,
     false},
};
INSTANTIATE_TEST_SUITE_P(system, conservation, testing::ValuesIn(runs),
                         [](const auto& which) { return std::string(which.param.name); });

}  // namespace
