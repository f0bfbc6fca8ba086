// In-band telemetry: what switches append, against a queue that is worked out by hand, and what a sender reads.
#include <gtest/gtest.h>

#include "extending/shallow_queue.h"
#include "support/fabric_rig.h"
#include "system/transfer_rig.h"

namespace weir::test {

using namespace model;
using namespace traffic;

namespace {

constexpr picoseconds frame_time = 8us;  // 1,000 B at 1 Gb/s
constexpr int each = 30;                 // frames of each of two senders

/// Notes what comes beside each frame.
class annex_reader final : public endpoint {
 public:
    std::vector<frame_annex> annexes;

    void start(host_services&) override {}
    void receive(const ethernet_frame&) override { annexes.emplace_back().switches = 99; }
    void receive_with(const frame_annex& annex, const ethernet_frame&) override { annexes.push_back(annex); }
    void wake() override {}
    bool needs_kernel_thread() const override { return false; }
};

fabric_parameters telling(buffer_kind memory) {
    fabric_parameters p;
    p.wire_overhead = 0_B;
    p.device.buffer = memory;
    p.device.lookup_delay = 1us;
    p.device.telemetry = true;
    return p;
}

class telemetry_of_a_switch : public testing::TestWithParam<std::tuple<buffer_kind, engine_kind>> {};

TEST_P(telemetry_of_a_switch, says_what_left_when_and_what_stayed_behind) {
    const auto [memory, engine] = GetParam();
    single_config config;
    config.hosts = 3;
    const topology plan = make_topology(config);
    fabric_parameters parameters = telling(memory);
    parameters.engine = engine;
    fabric made("fabric", parameters, plan);
    std::vector<scripted_endpoint> senders(2);
    annex_reader reader;
    for (host_id src = 0; src < 2; ++src) {
        const ethernet_frame frame = frame_between(plan.address_of(src), plan.address_of(2), 1000, 0);
        for (int i = 0; i < each; ++i) {
            senders[src].at(0us, frame);
        }
        made.host(src)->run(senders[src]);
    }
    made.host(2)->run(reader);
    made.configure_run(engine, made.lookahead(), 2ms);
    sc_core::sc_start();
    made.settle(2ms);
    ASSERT_EQ(reader.annexes.size(), 2U * each);
    const picoseconds first = reader.annexes[0].records[0].departed;
    for (int i = 0; i < 2 * each; ++i) {
        const frame_annex& annex = reader.annexes[static_cast<std::size_t>(i)];
        ASSERT_EQ(annex.switches, 1U) << i;
        const telemetry_record& said = annex.records[0];
        EXPECT_EQ(said.node, plan.node_index(node_ref::of_switch(0)));
        EXPECT_EQ(said.port, 2);
        EXPECT_EQ(said.rate, 1_Gbps);
        // One frame leaves each frame time, and two are looked up: in that time, before it, all that is looked
        // up is bound for the port, whether it is in a VOQ, crossing or in the queue.
        EXPECT_EQ(said.departed, first + i * frame_time) << i;
        EXPECT_EQ(said.sent_bytes, static_cast<std::uint64_t>(i + 1) * 1000);
        const int looked_up = 2 * std::min(i + 1, each);
        EXPECT_EQ(said.queued_bytes, static_cast<std::uint32_t>(looked_up - i - 1) * 1000) << i;
        EXPECT_FALSE(annex.returns);
    }
}

INSTANTIATE_TEST_SUITE_P(all, telemetry_of_a_switch,
                         testing::Combine(testing::Values(buffer_kind::partitioned, buffer_kind::shared),
                                          testing::Values(engine_kind::fast, engine_kind::literal)));

TEST(telemetry, names_the_switches_of_the_path_in_their_order) {
    racks_config config;
    config.racks = 2;
    config.hosts_per_rack = 1;
    config.roots = 1;
    const topology plan = make_topology(config);
    fabric made("fabric", telling(buffer_kind::partitioned), plan);
    scripted_endpoint sender;
    annex_reader reader;
    sender.at(0us, frame_between(plan.address_of(0), plan.address_of(1), 1000, 0));
    made.host(0)->run(sender);
    made.host(1)->run(reader);
    made.configure_run(engine_kind::fast, made.lookahead(), 1ms);
    sc_core::sc_start();
    ASSERT_EQ(reader.annexes.size(), 1U);
    const frame_annex& annex = reader.annexes[0];
    ASSERT_EQ(annex.size(), 3U);
    EXPECT_TRUE(annex.is_complete());
    std::vector<std::string> names;
    for (unsigned hop = 0; hop < annex.size(); ++hop) {
        for (switch_id s = 0; s < plan.switches(); ++s) {
            if (plan.node_index(node_ref::of_switch(s)) == annex.records[hop].node) {
                names.push_back(plan.name(node_ref::of_switch(s)));
            }
        }
        EXPECT_EQ(annex.records[hop].queued_bytes, 0U);
        EXPECT_TRUE(hop == 0 || annex.records[hop - 1].departed < annex.records[hop].departed);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"tor0", "root0", "tor1"}));
}

TEST(telemetry, counts_the_switches_for_which_an_annex_has_no_room) {
    frame_annex annex;
    for (std::uint32_t n = 0; n <= frame_annex::most_records; ++n) {
        EXPECT_TRUE(annex.is_complete());
        telemetry_record record;
        record.node = n;
        annex.append(record);
    }
    EXPECT_FALSE(annex.is_complete());
    EXPECT_EQ(annex.size(), frame_annex::most_records);
    EXPECT_EQ(annex.records.back().node, frame_annex::most_records - 1);
}

/// Sends frames, returns each annex that comes, and keeps a digest of all that it reads.
class annex_mirror final : public endpoint {
 public:
    std::vector<std::string> came;
    std::vector<std::string> returned;
    std::vector<ethernet_frame> script;

    void start(host_services& host) override {
        m_host = &host;
        for (const ethernet_frame& frame : script) {
            host.send(frame);
        }
    }
    void receive(const ethernet_frame&) override { came.emplace_back("a frame without an annex"); }
    void receive_with(const frame_annex& annex, const ethernet_frame& frame) override {
        std::string text;
        for (unsigned hop = 0; hop < annex.size(); ++hop) {
            const telemetry_record& said = annex.records[hop];
            text += std::to_string(said.departed.count()) + " " + std::to_string(said.sent_bytes) + " " +
                    std::to_string(said.rate.count()) + " " + std::to_string(said.queued_bytes) + " " +
                    std::to_string(said.node) + "." + std::to_string(said.port) + ", ";
        }
        (annex.returns ? returned : came).push_back(text);
        if (!annex.returns) {
            ethernet_frame reply = frame;
            std::swap(reply.src, reply.dst);
            reply.frame_bytes = 64;
            m_host->return_annex(annex, reply);
        }
    }
    void wake() override {}
    bool needs_kernel_thread() const override { return false; }

 private:
    host_services* m_host = nullptr;
};

struct silent_tap final : wire_tap {
    void on_sent(const ethernet_frame&, picoseconds) override {}
};

using run_kind = std::tuple<engine_kind, int, unsigned>;  // quanta in a lookahead, threads

class telemetry_of_a_fabric : public testing::TestWithParam<run_kind> {};

// Links are so long that a quantum brings dozens of frames to a port; one is tapped, one changes its rate.
TEST_P(telemetry_of_a_fabric, is_the_same_whatever_runs_it_and_comes_back_as_it_was) {
    const auto [engine, quanta, threads] = GetParam();
    racks_config config;
    config.racks = 2;
    config.hosts_per_rack = 3;
    config.roots = 2;
    config.host_link.latency = config.root_link.latency = 200us;
    const topology plan = make_topology(config);
    fabric_parameters parameters = telling(buffer_kind::partitioned);
    parameters.engine = engine;
    fabric_change slower;
    slower.at = 600us;
    slower.link = plan.ports(node_ref::of_host(1))[0];
    slower.rate = 500_Mbps;
    parameters.changes.push_back(slower);
    fabric made("fabric", parameters, plan);
    silent_tap tap;
    made.device(0).output(0).set_tap(tap);
    std::vector<annex_mirror> ends(plan.hosts());
    for (host_id src = 0; src < plan.hosts(); ++src) {
        for (unsigned i = 0; i < 40; ++i) {
            const host_id dst = (src + 1 + i % (plan.hosts() - 1)) % plan.hosts();
            ends[src].script.push_back(frame_between(plan.address_of(src), plan.address_of(dst),
                                                     static_cast<std::uint16_t>(200 + 30 * i), 0));
        }
        made.host(src)->run(ends[src]);
    }
    made.configure_run(engine, made.lookahead() / quanta, 20ms, thread_config{threads, 0});
    sc_core::sc_start();
    made.settle(20ms);
    std::vector<std::string> came;
    std::vector<std::string> returned;
    std::uint64_t digest = 14'695'981'039'346'656'037U;  // FNV-1a
    for (const annex_mirror& end : ends) {
        for (const auto* list : {&end.came, &end.returned}) {
            for (const std::string& text : *list) {
                for (const char c : text + "\n") {
                    digest = (digest ^ static_cast<unsigned char>(c)) * 1'099'511'628'211U;
                }
            }
        }
        came.insert(came.end(), end.came.begin(), end.came.end());
        returned.insert(returned.end(), end.returned.begin(), end.returned.end());
    }
    EXPECT_EQ(came.size(), 40U * plan.hosts());
    std::sort(came.begin(), came.end());
    std::sort(returned.begin(), returned.end());
    EXPECT_EQ(came, returned);
    EXPECT_EQ(digest, 11'863'874'651'267'994'439U);
}

INSTANTIATE_TEST_SUITE_P(all, telemetry_of_a_fabric,
                         testing::Values(run_kind{engine_kind::fast, 1, 1}, run_kind{engine_kind::fast, 1, 4},
                                         run_kind{engine_kind::fast, 7, 1}, run_kind{engine_kind::fast, 7, 4},
                                         run_kind{engine_kind::literal, 1, 1}));

/// A host that knows nothing of telemetry, at a switch that appends it.
TEST(telemetry, of_a_switch_beside_a_host_without_it) {
    single_config config;
    config.hosts = 2;
    const topology plan = make_topology(config);
    simulation_clock clock;
    clock.end = 1ms;
    switch_parameters device;
    device.device.telemetry = true;
    const port_config port{};
    switch_node s("s", 2, clock, {port, port}, device);
    host_parameters host;
    host.address = plan.address_of(0);
    host_node a("a", 0, clock, port, host);
    host.id = 1;
    host.address = plan.address_of(1);
    host_node b("b", 1, clock, port, host);
    a.output(0).socket().bind(s.input(0).socket());
    s.output(0).socket().bind(a.input(0).socket());
    b.output(0).socket().bind(s.input(1).socket());
    s.output(1).socket().bind(b.input(0).socket());
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    EXPECT_FALSE(a.output(0).is_plain());
    EXPECT_TRUE(s.output(0).is_plain());
}

/// Most bytes in host 2's egress queue while two transfers go to it.
std::int64_t peak_queue(const char* algorithm) {
    outside::add_shallow_queue(20'000_B);
    single_config plan;
    plan.hosts = 3;
    tcp_config tcp;
    tcp.congestion = congestion_kinds().find(algorithm);
    fabric_parameters parameters = telling(buffer_kind::partitioned);
    parameters.device.telemetry = std::string(algorithm) == "shallow_queue";
    transfer_rig rig(make_topology(plan), parameters, tcp);
    rig.transfer(0us, 0, 2, 3'000'000_B);
    rig.transfer(0us, 1, 2, 3'000'000_B);
    rig.run(80ms);
    EXPECT_EQ(rig.ends[2]->counters().delivered_bytes, 6'000'000U);
    return rig.made.device(0).own_egress()->meter(2, 0)->watermark().count();
}

TEST(telemetry, lets_senders_keep_a_queue_short) {
    EXPECT_LT(peak_queue("shallow_queue"), 45'000);
}

TEST(telemetry, is_what_keeps_it_short) {
    EXPECT_GT(peak_queue("newreno"), 100'000);
}

}  // namespace
}  // namespace weir::test
