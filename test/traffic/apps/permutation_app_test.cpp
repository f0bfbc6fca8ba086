#include "weir/traffic/apps/permutation_app.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "support/fake_services.h"
#include "weir/traffic/apps/workloads.h"

namespace weir::traffic {
namespace {

workload_config permutation(transport_kind transport) {
    workload_config c;
    c.kind = named<workload_kind>("permutation");
    c.transport = transport;
    c.load = 0.7;
    return c;
}

TEST(permutation_app, each_host_sends_one_endless_flow_and_receives_one) {
    fake_fabric fabric(permutation(transport_kind{}), 16, 1);
    fabric.run_until(1s);
    ASSERT_EQ(fabric.transfers().size(), 16U);
    std::set<host_id> senders;
    std::set<host_id> receivers;
    for (const fake_transfer& t : fabric.transfers()) {
        EXPECT_NE(t.src, t.request.dst);
        senders.insert(t.src);
        receivers.insert(t.request.dst);
        EXPECT_EQ(t.request.flow_bytes.count(), 1'000'000'000'000);
        EXPECT_EQ(t.request.udp_rate, 0_bps);
    }
    EXPECT_EQ(senders.size(), 16U);
    EXPECT_EQ(receivers.size(), 16U);
    EXPECT_TRUE(fabric.exhausted());
}

TEST(permutation_app, udp_has_its_share_of_the_wire_and_random_phases) {
    fake_fabric fabric(permutation(datagram_transport), 16, 2, 10_Gbps);
    fabric.run_until(1ms);
    // 1,538 B at 7 Gb/s.
    const picoseconds gap = transmission_time(1538_B, 7000_Mbps);
    std::set<picoseconds> starts;
    picoseconds latest{0};
    for (const fake_transfer& t : fabric.transfers()) {
        EXPECT_EQ(t.request.udp_rate, 7000_Mbps);
        EXPECT_EQ(t.request.transport, datagram_transport);
        starts.insert(t.time);
        latest = std::max(latest, t.time);
    }
    EXPECT_EQ(starts.size(), 16U);
    EXPECT_LT(latest, gap);
    EXPECT_GT(latest, gap / 2);
}

TEST(permutation_app, endless_udp_ends_with_stop) {
    workload_config c = permutation(datagram_transport);
    c.start = 1ms;
    c.stop = 11ms;
    fake_fabric fabric(c, 16, 3, 10_Gbps);
    fabric.run_until(never);
    const picoseconds gap = transmission_time(1538_B, 7000_Mbps);
    for (const fake_transfer& t : fabric.transfers()) {
        const std::int64_t datagrams = t.request.flow_bytes / 1472_B;
        EXPECT_EQ(t.request.flow_bytes, 1472_B * datagrams);
        // The last one starts before `stop`, a further one would not.
        EXPECT_LT(t.time + gap * (datagrams - 1), 11ms);
        EXPECT_GE(t.time + gap * datagrams, 11ms);
    }
}

TEST(permutation_app, a_flow_is_written_at_its_loads_and_is_as_long_as_what_is_written_until_stop) {
    workload_config c = permutation(transport_kind{});
    c.writes.loads = {0.1, 2, 0, 0.3};
    c.writes.times = {10ms, 11ms, 12ms};
    c.parallel_flows = 2;
    c.start = 1ms;
    c.stop = 16ms;
    ASSERT_TRUE(c.validate(4).empty());
    fake_fabric fabric(c, 4, 3, 8'000_Mbps);
    fabric.run_until(30s);
    EXPECT_TRUE(fabric.exhausted());
    ASSERT_EQ(fabric.transfers().size(), 8U);
    std::set<picoseconds> starts;
    for (const fake_transfer& t : fabric.transfers()) {
        starts.insert(t.time);
        // Within a full datagram at 400 Mb/s.
        EXPECT_GE(t.time, 1ms);
        EXPECT_LE(t.time, 1ms + 31us);
        ASSERT_NE(t.request.written, nullptr);
        // A share of 1 is 500 B/us for each of the two flows.
        const auto phase = static_cast<double>((t.time - 1ms).count()) * 1e-6;
        const auto written = [&](picoseconds at) { return static_cast<double>(t.request.written->at(at)); };
        EXPECT_EQ(written(t.time), 0);
        EXPECT_NEAR(written(11ms), 50 * (10'000 - phase), 1);
        EXPECT_NEAR(written(12ms) - written(11ms), 1'000'000, 1);
        EXPECT_EQ(written(13ms), written(12ms));
        EXPECT_NEAR(written(16ms) - written(13ms), 150 * 3'000, 1);
        EXPECT_EQ(static_cast<double>(t.request.flow_bytes.count()), written(16ms));
    }
    EXPECT_EQ(starts.size(), 8U);
}

TEST(permutation_app, nothing_is_sent_where_nothing_is_written_before_stop) {
    workload_config c = permutation(transport_kind{});
    c.writes.loads = {0, 1};
    c.writes.times = {10ms};
    c.stop = 5ms;
    fake_fabric fabric(c, 4, 3);
    fabric.run_until(1s);
    EXPECT_TRUE(fabric.exhausted());
    EXPECT_TRUE(fabric.transfers().empty());
}

TEST(permutation_app, sends_flows_of_a_size_one_after_another) {
    workload_config c = permutation(transport_kind{});
    c.flow_bytes = 100_KB;
    c.flows_per_host = 5;
    fake_fabric fabric(c, 6, 4);
    fabric.run_until(never);
    EXPECT_TRUE(fabric.exhausted());
    EXPECT_EQ(fabric.transfers().size(), 30U);
    EXPECT_EQ(fabric.jobs().size(), 30U);
    std::map<host_id, fake_transfer> last;
    for (const fake_transfer& t : fabric.transfers()) {
        const auto before = last.find(t.src);
        if (before != last.end()) {
            EXPECT_EQ(t.time, before->second.time + 21us + transmission_time(100_KB, 1_Gbps));
            EXPECT_EQ(t.request.dst, before->second.request.dst);
        }
        last[t.src] = t;
    }
}

TEST(permutation_app, flows_without_number_end_with_stop) {
    workload_config c = permutation(transport_kind{});
    c.flow_bytes = 100_KB;
    c.flows_per_host = 0;
    c.stop = 10ms;
    fake_fabric fabric(c, 6, 5);
    fabric.run_until(never);
    EXPECT_TRUE(fabric.exhausted());
    // 821 us each.
    EXPECT_EQ(fabric.transfers().size(), 6 * 13U);
}

TEST(permutation_app, udp_flows_keep_the_distance_of_datagrams) {
    workload_config c = permutation(datagram_transport);
    c.flow_bytes = 100_B;
    c.flows_per_host = 0;
    c.stop = 1ms;
    fake_fabric fabric(c, 2, 6);
    // Sent at once, as a single datagram is.
    fabric.set_delay([](const fake_transfer&) { return picoseconds{0}; });
    fabric.run_until(never);
    EXPECT_TRUE(fabric.exhausted());
    std::map<host_id, picoseconds> last;
    for (const fake_transfer& t : fabric.transfers()) {
        const auto before = last.find(t.src);
        if (before != last.end()) {
            // 166 B at 700 Mb/s, after the sender's notice, which the fake network delays by 1 us.
            EXPECT_EQ(t.time - before->second, 1us + transmission_time(166_B, 700_Mbps));
        }
        last[t.src] = t.time;
    }
}

TEST(permutation_app, the_seed_decides_alone) {
    fake_fabric a(permutation(datagram_transport), 32, 7);
    fake_fabric b(permutation(datagram_transport), 32, 7);
    fake_fabric c(permutation(datagram_transport), 32, 8);
    a.run_until(1s);
    b.run_until(1s);
    c.run_until(1s);
    EXPECT_EQ(identities(a), identities(b));
    EXPECT_NE(identities(a), identities(c));
}

TEST(permutation_app, each_host_of_a_pair_keeps_its_number_of_flows_to_the_other) {
    workload_config c = permutation(transport_kind{});
    c.partners = partner_rule::pairs;
    c.parallel_flows = 3;
    fake_fabric fabric(c, 16, 4);
    fabric.run_until(1s);
    ASSERT_EQ(fabric.transfers().size(), 48U);
    std::map<host_id, std::multiset<host_id>> partners;
    for (const fake_transfer& t : fabric.transfers()) {
        partners[t.src].insert(t.request.dst);
    }
    for (const auto& [host, others] : partners) {
        EXPECT_EQ(others.count(*others.begin()), 3U);
        EXPECT_NE(*others.begin(), host);
        EXPECT_EQ(*partners[*others.begin()].begin(), host);
    }
    EXPECT_TRUE(fabric.exhausted());
    EXPECT_EQ(c.validate(15).size(), 1U);
}

TEST(permutation_app, parallel_flows_of_a_size_follow_each_other_and_share_the_load_of_udp) {
    workload_config c = permutation(datagram_transport);
    c.parallel_flows = 2;
    c.flow_bytes = 100_KB;
    c.flows_per_host = 5;
    fake_fabric fabric(c, 4, 5, 10_Gbps);
    fabric.run_until(never);
    EXPECT_EQ(fabric.transfers().size(), 40U);
    for (const fake_transfer& t : fabric.transfers()) {
        EXPECT_EQ(t.request.udp_rate, 3500_Mbps);
    }
    EXPECT_TRUE(fabric.exhausted());
}

TEST(permutation_app, one_rack_sends_to_another) {
    workload_config c = permutation(transport_kind{});
    c.flow_bytes = 250_MB;
    c.sources = {"tor0"};
    c.destinations = {"tor1"};
    workload_inputs inputs;
    inputs.sources = {0, 1, 2, 3};
    inputs.destinations = {2, 3, 8, 9, 10, 11};
    for (const std::vector<host_id>& destinations : {inputs.destinations, std::vector<host_id>{2, 8}}) {
        inputs.destinations = destinations;
        ASSERT_TRUE(check_inputs(c, inputs).empty());
        std::set<std::vector<host_id>> drawn;
        for (std::uint64_t seed = 1; seed <= 50; ++seed) {
            fake_fabric fabric(std::make_shared<const workload_plan>(c, 12, seed, inputs), 10_Gbps);
            fabric.run_until(2us);
            ASSERT_EQ(fabric.transfers().size(), 4U);
            std::map<host_id, host_id> to;
            std::map<host_id, unsigned> received;
            for (const fake_transfer& t : fabric.transfers()) {
                EXPECT_LT(t.src, 4U);
                EXPECT_NE(t.src, t.request.dst);
                EXPECT_EQ(std::count(destinations.begin(), destinations.end(), t.request.dst), 1);
                to[t.src] = t.request.dst;
                ++received[t.request.dst];
            }
            for (const auto& [host, count] : received) {
                EXPECT_EQ(count, destinations.size() > 4 ? 1U : 2U);
            }
            drawn.insert({to[0], to[1], to[2], to[3]});
        }
        EXPECT_GT(drawn.size(), 2U);
    }
    inputs.destinations = {2};
    EXPECT_EQ(check_inputs(c, inputs).size(), 1U);
}

}  // namespace
}  // namespace weir::traffic
