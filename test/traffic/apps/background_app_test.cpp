#include "weir/traffic/apps/background_app.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "support/fake_services.h"
#include "weir/traffic/apps/workloads.h"

// Seeds are fixed; chi-squares are held to 1 in 1,000.

namespace weir::traffic {
namespace {

workload_config background(std::uint32_t flows, picoseconds stop) {
    workload_config c;
    c.kind = named<workload_kind>("none");
    c.background.flows = flows;
    c.stop = stop;
    return c;
}

TEST(background_app, each_server_keeps_its_number_of_flows_and_no_more) {
    for (const std::uint32_t flows : {1U, 3U}) {
        fake_fabric fabric(background(flows, 2s), 6, 1);
        fabric.run_until(never);
        // In the fake network a flow of 1 MB takes 8 ms + 20 us, and its sender knows 1 us later.
        std::map<host_id, std::multiset<picoseconds>> busy_until;
        for (const fake_transfer& t : fabric.transfers()) {
            EXPECT_EQ(t.request.flow_bytes, 1_MB);
            EXPECT_EQ(t.request.priority, 0);
            EXPECT_NE(t.request.dst, t.src);
            auto& busy = busy_until[t.src];
            if (busy.size() == flows) {
                ASSERT_EQ(*busy.begin(), t.time) << "at once when one is done, and not before";
                busy.erase(busy.begin());
            } else {
                EXPECT_LT(t.time, 8ms);
            }
            busy.insert(t.time + 8ms + 21us);
        }
        EXPECT_EQ(busy_until.size(), 6U);
        // 249.3 of them fit into 2 s.
        EXPECT_GE(fabric.transfers().size(), 6 * flows * 249);
        EXPECT_LE(fabric.transfers().size(), 6 * flows * 250);
    }
}

TEST(background_app, flows_have_the_transport_that_is_chosen_for_them) {
    workload_config c = background(1, 50ms);
    c.transport = datagram_transport;
    for (const transport_kind carrier : {transport_kind{}, named<transport_kind>("pfabric")}) {
        c.background.transport = carrier;
        EXPECT_TRUE(c.uses(carrier));
        fake_fabric fabric(c, 3, 1);
        fabric.run_until(never);
        ASSERT_FALSE(fabric.transfers().empty());
        for (const fake_transfer& t : fabric.transfers()) {
            EXPECT_EQ(t.request.transport, carrier);
        }
    }
}

TEST(background_app_statistical, servers_do_not_begin_together_and_choose_all_others) {
    fake_fabric fabric(background(1, 5s), 6, 2);
    fabric.run_until(never);
    std::set<picoseconds> first;
    std::map<std::int64_t, std::uint64_t> pairs;
    for (const fake_transfer& t : fabric.transfers()) {
        if (t.time < 8ms) {
            first.insert(t.time);
        }
        ++pairs[t.src * 6 + t.request.dst];
    }
    EXPECT_EQ(first.size(), 6U);
    EXPECT_GT(*first.rbegin() - *first.begin(), 2ms);
    // 29 degrees of freedom, 1 in 1,000.
    EXPECT_LT(chi_square(pairs, 30), 58.3);
}

TEST(background_app, the_receiver_reports_each_flow_as_a_job) {
    fake_fabric fabric(background(1, 100ms), 4, 3);
    fabric.run_until(never);
    ASSERT_EQ(fabric.jobs().size(), fabric.transfers().size());
    for (std::size_t i = 0; i < fabric.jobs().size(); ++i) {
        const fake_transfer& t = fabric.transfers()[i];
        const fake_job& j = fabric.jobs()[i];
        EXPECT_EQ(j.host, t.request.dst);
        EXPECT_EQ(j.record.src, t.src);
        EXPECT_EQ(j.record.kind, job_kind::flow);
        EXPECT_EQ(j.record.job, t.request.job);
        EXPECT_EQ(j.record.start, t.time);
        EXPECT_EQ(j.record.end, t.time + 8ms + 20us);
    }
}

TEST(background_app, ends_with_stop_and_never_without) {
    fake_fabric fabric(background(1, 100ms), 4, 4);
    fabric.run_until(100ms);
    EXPECT_FALSE(fabric.exhausted());
    fabric.run_until(never);
    EXPECT_TRUE(fabric.exhausted());
    EXPECT_LT(fabric.now(), 109ms);
    fake_fabric endless(background(1, 0_ps), 4, 4);
    endless.run_until(1s);
    EXPECT_FALSE(endless.exhausted());
}

TEST(background_app, may_run_from_front_ends_to_back_ends_only) {
    workload_config c = background(1, 1s);
    c.kind = named<workload_kind>("query");
    c.split = server_split::alternate;
    c.background.to_back_ends = true;
    fake_fabric fabric(c, 6, 5);
    fabric.run_until(never);
    std::size_t seen = 0;
    for (const fake_transfer& t : fabric.transfers()) {
        if (t.request.tag == 1) {
            ++seen;
            EXPECT_EQ(t.src % 2, 0U);
            EXPECT_EQ(t.request.dst % 2, 1U);
        }
    }
    EXPECT_GT(seen, 300U);
}

/// Hosts 0 to 7 in racks of four; flows of 4 to 7, to all, three quarters within the rack.
TEST(background_app_statistical, named_hosts_send_to_named_hosts_and_as_many_to_their_rack_as_is_asked_for) {
    workload_config c = background(0, 2s);
    c.background.interarrival = 1ms;
    c.background.rack_share = 0.75;
    workload_inputs inputs;
    inputs.racks = {0, 0, 0, 0, 1, 1, 1, 1};
    inputs.background_sources = {4, 5, 6};
    inputs.background_destinations = {0, 1, 4, 5, 6};
    fake_fabric fabric(std::make_shared<const workload_plan>(c, 8, 1, inputs), 1_Gbps);
    fabric.run_until(never);
    double near = 0;
    std::map<std::int64_t, std::uint64_t> pairs;
    for (const fake_transfer& t : fabric.transfers()) {
        ASSERT_TRUE(t.src >= 4 && t.src <= 6);
        near += t.request.dst >= 4 ? 1 : 0;
        ++pairs[t.src * 8 + t.request.dst];
    }
    const auto flows = static_cast<double>(fabric.transfers().size());
    EXPECT_NEAR(flows, 6'000, 4 * std::sqrt(6'000));
    EXPECT_NEAR(near / flows, 0.75, 4 * std::sqrt(0.75 * 0.25 / flows));
    EXPECT_EQ(pairs.size(), 12U);
}

TEST(background_app_statistical, sizes_may_be_exponential_and_carried_by_udp) {
    workload_config c = background(0, 4s);
    c.background.interarrival = 1ms;
    c.background.exponential = true;
    c.background.flow_bytes = 28_KB;
    c.background.transport = datagram_transport;
    EXPECT_TRUE(c.validate().empty());
    EXPECT_TRUE(c.uses(datagram_transport));
    fake_fabric fabric(c, 4, 7);
    fabric.run_until(never);
    double sum = 0;
    double longer = 0;
    for (const fake_transfer& t : fabric.transfers()) {
        EXPECT_EQ(t.request.transport, datagram_transport);
        sum += static_cast<double>(t.request.flow_bytes.count());
        longer += t.request.flow_bytes > 56_KB ? 1 : 0;
    }
    const auto flows = static_cast<double>(fabric.transfers().size());
    EXPECT_NEAR(sum / flows, 28'000, 4 * 28'000 / std::sqrt(flows));
    const double share = std::exp(-2);
    EXPECT_NEAR(longer / flows, share, 4 * std::sqrt(share * (1 - share) / flows));
}

TEST(background_app, leaves_the_main_application_as_it_is) {
    workload_config c;
    c.stop = 1s;
    fake_fabric alone(c, 6, 6);
    c.background.flows = 1;
    fake_fabric both(c, 6, 6);
    alone.run_until(never);
    both.run_until(never);
    const auto queries = [](const fake_fabric& fabric) {
        std::vector<std::tuple<picoseconds, host_id, host_id, std::int64_t>> all;
        for (const fake_transfer& t : fabric.transfers()) {
            if (t.request.tag == workload_plan::main_tag) {
                all.emplace_back(t.time, t.src, t.request.dst, t.request.flow_bytes.count());
            }
        }
        return all;
    };
    EXPECT_EQ(queries(alone), queries(both));
    EXPECT_GT(both.transfers().size(), alone.transfers().size());
}

TEST(background_app_statistical, flows_of_a_distribution_begin_at_random_times_however_many_are_under_way) {
    workload_config c = background(0, 20s);
    c.background.interarrival = 10ms;
    c.background.distribution = "web_search";
    fake_fabric fabric(c, 4, 3, 1_Mbps);  // so slow that no flow ends before others begin
    fabric.run_until(20s);
    const auto n = static_cast<double>(fabric.transfers().size());
    EXPECT_NEAR(n, 8000, 4 * std::sqrt(8000));
    double small = 0;
    std::map<std::int64_t, std::uint64_t> pairs;
    for (const fake_transfer& t : fabric.transfers()) {
        EXPECT_EQ(t.request.transport, transport_kind{});
        small += t.request.flow_bytes <= 10_KB ? 1 : 0;
        ++pairs[t.src * 4 + t.request.dst];
    }
    EXPECT_NEAR(small / n, 0.15, 4 * std::sqrt(0.15 * 0.85 / n));
    EXPECT_EQ(pairs.size(), 12U);
    EXPECT_LT(chi_square(pairs, 12), 31.3);
    EXPECT_TRUE(fabric.exhausted());
}

}  // namespace
}  // namespace weir::traffic
