#include "weir/traffic/apps/plain_flow_app.h"
#include "weir/traffic/sizes/known_size_distributions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "support/fake_services.h"
#include "weir/traffic/apps/workloads.h"

// Seeds are fixed; counts are held to 4 standard deviations, chi-squares to 1 in 1,000.

namespace weir::traffic {
namespace {

workload_config flows(double load, picoseconds stop) {
    workload_config c;
    c.kind = named<workload_kind>("poisson");
    c.load = load;
    c.stop = stop;
    return c;
}

TEST(poisson_flows_statistical, payload_is_its_share_of_the_link) {
    fake_fabric fabric(flows(0.6, 5s), 4, 1, 10_Gbps);
    fabric.run_until(never);
    double sum = 0;
    std::map<std::int64_t, std::uint64_t> sizes;
    for (const fake_transfer& t : fabric.transfers()) {
        ASSERT_LT(t.time, 5s);
        sum += static_cast<double>(t.request.flow_bytes.count()) * 8;
        ++sizes[t.request.flow_bytes.count()];
    }
    // 0.6 x 10 Gb/s / (8 x 14,000 B) = 53,571 flows/s and host. A flow's size has E[s^2] = 364e6 B^2.
    const double count = 4 * 5 * 0.6 * 10e9 / (8 * 14'000);
    EXPECT_NEAR(static_cast<double>(fabric.transfers().size()), count, 4 * std::sqrt(count));
    EXPECT_NEAR(sum, 4 * 5 * 0.6 * 10e9, 4 * 8 * std::sqrt(count * 364e6));
    EXPECT_EQ(sizes.size(), 3U);
    EXPECT_LT(chi_square(sizes, 3), 13.8);
}

TEST(poisson_flows_statistical, sizes_follow_a_named_distribution) {
    workload_config c = flows(0.5, 20s);
    c.distribution = "web_search";
    fake_fabric fabric(c, 4, 2, 10_Gbps);
    fabric.run_until(never);
    const size_distribution table = make_size_distribution(known_sizes::web_search);
    const auto n = static_cast<double>(fabric.transfers().size());
    const double count = 4 * 20 * 0.5 * 10e9 / (8 * table.mean_sample_bytes());
    EXPECT_NEAR(n, count, 4 * std::sqrt(count));
    for (const double fraction : {0.2, 0.5, 0.9}) {
        const double bound = table.quantile(fraction);
        double below = 0;
        for (const fake_transfer& t : fabric.transfers()) {
            below += static_cast<double>(t.request.flow_bytes.count()) < bound ? 1 : 0;
        }
        EXPECT_NEAR(below / n, fraction, 4 * std::sqrt(fraction * (1 - fraction) / n));
    }
}

TEST(poisson_flows_statistical, destinations_are_all_others_equally) {
    fake_fabric fabric(flows(0.5, 5s), 6, 3);
    fabric.run_until(never);
    std::map<std::int64_t, std::uint64_t> pairs;
    for (const fake_transfer& t : fabric.transfers()) {
        ASSERT_NE(t.src, t.request.dst);
        ++pairs[t.src * 6 + t.request.dst];
    }
    EXPECT_EQ(pairs.size(), 30U);
    EXPECT_LT(chi_square(pairs, 30), 58.3);
}

TEST(poisson_flows, the_receiver_reports_each_flow_as_a_job) {
    workload_config c = flows(0.5, 100ms);
    c.transport = datagram_transport;
    c.priorities = {5};
    fake_fabric fabric(c, 4, 4);
    fabric.run_until(never);
    std::map<std::uint64_t, fake_transfer> by_job;
    for (const fake_transfer& t : fabric.transfers()) {
        EXPECT_EQ(t.request.transport, datagram_transport);
        EXPECT_TRUE(by_job.emplace(t.request.job, t).second);
    }
    ASSERT_EQ(fabric.jobs().size(), by_job.size());
    for (const fake_job& j : fabric.jobs()) {
        const fake_transfer& t = by_job.at(j.record.job);
        EXPECT_EQ(j.host, t.request.dst);
        EXPECT_EQ(j.record.src, t.src);
        EXPECT_EQ(j.record.kind, job_kind::flow);
        EXPECT_EQ(j.record.job_bytes, t.request.flow_bytes);
        EXPECT_EQ(j.record.transfers, 1U);
        EXPECT_EQ(j.record.priority, 5);
        EXPECT_EQ(j.record.start, t.time);
        EXPECT_EQ(j.record.end, t.time + 20us + transmission_time(t.request.flow_bytes, 1_Gbps));
    }
    EXPECT_TRUE(fabric.exhausted());
}

TEST(poisson_flows, equal_seeds_send_the_same) {
    fake_fabric a(flows(0.5, 500ms), 4, 5);
    fake_fabric b(flows(0.5, 500ms), 4, 5);
    fake_fabric c(flows(0.5, 500ms), 4, 6);
    a.run_until(never);
    b.run_until(never);
    c.run_until(never);
    EXPECT_EQ(identities(a), identities(b));
    EXPECT_NE(identities(a), identities(c));
}

/// Two tiers: 4 racks of 4 hosts, each with 20 Gb/s up.
workload_inputs racks() {
    workload_inputs inputs;
    for (host_id h = 0; h < 16; ++h) {
        inputs.parts.part_of.push_back(h / 4);
    }
    inputs.parts.up_rate.assign(4, 20e9);
    return inputs;
}

TEST(poisson_flows_statistical, a_load_of_the_bisection_is_the_use_of_the_links_that_cross_it) {
    workload_config c = flows(0.5, 2s);
    c.load_of = load_basis::bisection;
    c.sizes = {100_KB};
    for (const bool one_rack : {false, true}) {
        workload_inputs inputs = racks();
        if (one_rack) {
            inputs.sources = {0, 1, 2, 3};
        }
        ASSERT_TRUE(check_inputs(c, inputs).empty());
        fake_fabric fabric(std::make_shared<const workload_plan>(c, 16, 1, inputs), 10_Gbps);
        fabric.run_until(never);
        double crossing = 0;
        double count = 0;
        for (const fake_transfer& t : fabric.transfers()) {
            EXPECT_TRUE(!one_rack || t.src < 4);
            const bool crosses = t.src / 4 != t.request.dst / 4;
            crossing += crosses ? 8 * 100'000 : 0;
            count += crosses ? 1 : 0;
        }
        const double expected = 2 * 0.5 * (one_rack ? 20e9 : 80e9);
        EXPECT_NEAR(crossing / expected, 1, 4 / std::sqrt(count));
    }
    EXPECT_EQ(check_inputs(c, {}).size(), 1U);
}

TEST(poisson_flows, only_sources_send_and_only_destinations_receive) {
    workload_config c = flows(0.5, 100ms);
    workload_inputs inputs;
    inputs.sources = {1, 2};
    inputs.destinations = {2, 3, 5};
    fake_fabric fabric(std::make_shared<const workload_plan>(c, 6, 1, inputs), 10_Gbps);
    fabric.run_until(never);
    std::map<std::pair<host_id, host_id>, unsigned> pairs;
    for (const fake_transfer& t : fabric.transfers()) {
        ++pairs[{t.src, t.request.dst}];
    }
    EXPECT_EQ(pairs.size(), 5U);
    EXPECT_EQ(pairs.count({2, 2}), 0U);
    EXPECT_EQ(pairs.count({1, 2}) + pairs.count({2, 3}), 2U);
}

}  // namespace
}  // namespace weir::traffic
