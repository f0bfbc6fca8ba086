#include "weir/traffic/apps/partition_aggregate_app.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "support/fake_services.h"
#include "weir/traffic/apps/workloads.h"

// Seeds are fixed; counts are held to 4 standard deviations, chi-squares to 1 in 1,000.

namespace weir::traffic {
namespace {

workload_config aggregate(double rate, picoseconds stop) {
    workload_config c;
    c.kind = named<workload_kind>("partition_aggregate");
    c.rate = rate;
    c.stop = stop;
    return c;
}

/// Requests that leave one host at one moment: one partition/aggregate request.
using moment = std::pair<host_id, picoseconds>;
std::map<moment, std::vector<fake_transfer>> requests_of(const fake_fabric& fabric) {
    std::map<moment, std::vector<fake_transfer>> all;
    for (const fake_transfer& t : fabric.transfers()) {
        if (t.request.reply_bytes > 0_B) {
            all[{t.src, t.time}].push_back(t);
        }
    }
    return all;
}

TEST(draw_different_statistical, every_ordered_choice_has_the_same_chance) {
    random_stream chance{1, 0, random_purpose::destinations};
    std::vector<std::uint32_t> chosen;
    std::map<std::int64_t, std::uint64_t> seen;
    for (int i = 0; i < 60'000; ++i) {
        draw_different(3, 5, chance, chosen);
        ++seen[chosen[0] * 25 + chosen[1] * 5 + chosen[2]];
    }
    EXPECT_EQ(seen.size(), 60U);
    EXPECT_LT(chi_square(seen, 60), 99.0);
}

TEST(draw_different, all_of_them_may_be_drawn) {
    random_stream chance{1, 0, random_purpose::destinations};
    std::vector<std::uint32_t> chosen;
    draw_different(4, 4, chance, chosen);
    std::sort(chosen.begin(), chosen.end());
    EXPECT_EQ(chosen, (std::vector<std::uint32_t>{0, 1, 2, 3}));
}

TEST(partition_aggregate_app_statistical, asks_10_20_or_40_different_back_ends_for_2_kb) {
    fake_fabric fabric(aggregate(200, 1s), 96, 1);
    fabric.run_until(never);
    std::map<std::int64_t, std::uint64_t> fan_outs;
    for (const auto& [when, queries] : requests_of(fabric)) {
        std::set<host_id> servers;
        for (const fake_transfer& q : queries) {
            EXPECT_EQ(q.request.reply_bytes, 2_KB);
            EXPECT_EQ(q.request.flow_bytes, 1460_B);
            EXPECT_EQ(q.request.dst % 2, 1U);
            servers.insert(q.request.dst);
        }
        EXPECT_EQ(servers.size(), queries.size());
        ++fan_outs[static_cast<std::int64_t>(queries.size())];
    }
    ASSERT_EQ(fan_outs.size(), 3U);
    EXPECT_EQ(fan_outs.count(10) + fan_outs.count(20) + fan_outs.count(40), 3U);
    EXPECT_LT(chi_square(fan_outs, 3), 13.8);
}

TEST(partition_aggregate_app, back_ends_repeat_only_if_there_are_too_few) {
    workload_config c = aggregate(100, 1s);
    c.fan_out = {10};
    fake_fabric fabric(c, 8, 2);
    fabric.run_until(never);
    for (const auto& [when, queries] : requests_of(fabric)) {
        ASSERT_EQ(queries.size(), 10U);
        std::map<host_id, int> per_server;
        for (const fake_transfer& q : queries) {
            ++per_server[q.request.dst];
        }
        EXPECT_EQ(per_server.size(), 4U);
        for (const auto& [server, count] : per_server) {
            EXPECT_TRUE(count == 2 || count == 3);
        }
    }
}

TEST(partition_aggregate_app, the_requests_job_ends_with_its_last_query) {
    fake_fabric fabric(aggregate(50, 2s), 20, 3);
    fabric.set_delay([](const fake_transfer& t) {
        return 1us +
               picoseconds{static_cast<std::int64_t>(random_stream::mix(t.request.flow) % 30'000'000'000)};
    });
    fabric.run_until(never);
    std::map<moment, picoseconds> last;
    std::map<moment, std::uint32_t> queries;
    for (const fake_job& j : fabric.jobs()) {
        if (j.record.kind == job_kind::query) {
            picoseconds& end = last[{j.host, j.record.start}];
            end = std::max(end, j.record.end);
            ++queries[{j.host, j.record.start}];
            EXPECT_EQ(j.record.job_bytes, 2_KB);
        }
    }
    std::size_t aggregates = 0;
    for (const fake_job& j : fabric.jobs()) {
        if (j.record.kind == job_kind::partition_aggregate) {
            ++aggregates;
            const moment when{j.host, j.record.start};
            EXPECT_EQ(j.record.end, last.at(when));
            EXPECT_EQ(j.record.transfers, 2 * queries.at(when));
            EXPECT_EQ(j.record.job_bytes, 3460_B * queries.at(when));
            EXPECT_EQ(j.record.tag, workload_plan::aggregate_tag);
        }
    }
    EXPECT_EQ(aggregates, requests_of(fabric).size());
    EXPECT_TRUE(fabric.exhausted());
}

TEST(partition_aggregate_app, equal_seeds_ask_the_same) {
    fake_fabric a(aggregate(50, 500ms), 20, 4);
    fake_fabric b(aggregate(50, 500ms), 20, 4);
    a.run_until(never);
    b.run_until(never);
    EXPECT_EQ(identities(a), identities(b));
}

TEST(partition_aggregate_app, memory_does_not_grow) {
    workload_config c = aggregate(500, 20s);
    c.fan_out = {4};
    fake_fabric fabric(c, 2, 5);
    fabric.set_delay([](const fake_transfer&) { return picoseconds{1ms}; });
    fabric.run_until(never);
    EXPECT_LE(fabric.app<partition_aggregate_app>(0).capacity(), 160U);
    EXPECT_EQ(fabric.app<partition_aggregate_app>(0).open(), 0U);
}

TEST(partition_aggregate_app, a_job_is_cut_into_equal_parts) {
    workload_config c = aggregate(100, 1s);
    c.fan_out = {4, 32};
    c.aggregate_total = 1'000'003_B;
    ASSERT_TRUE(c.validate(64).empty());
    fake_fabric fabric(c, 64, 1);
    fabric.run_until(never);
    const auto jobs = requests_of(fabric);
    ASSERT_FALSE(jobs.empty());
    for (const auto& [when, queries] : jobs) {
        std::int64_t sum = 0;
        const auto each = c.aggregate_total.count() / static_cast<std::int64_t>(queries.size());
        for (const fake_transfer& t : queries) {
            sum += t.request.reply_bytes.count();
            EXPECT_EQ(t.request.reply_bytes.count() / each, 1);
            EXPECT_LE(t.request.reply_bytes.count() % each, 1);
        }
        EXPECT_EQ(sum, c.aggregate_total.count());
    }
    for (const fake_job& done : fabric.jobs()) {
        if (done.record.kind == job_kind::partition_aggregate) {
            EXPECT_EQ(done.record.job_bytes, c.aggregate_total + c.request * (done.record.transfers / 2));
        }
    }
    c.aggregate_total = 31_B;
    EXPECT_FALSE(c.validate().empty());
}

TEST(partition_aggregate_app_statistical, a_rate_of_the_network_is_shared_by_all_front_ends) {
    workload_config c = aggregate(300, 20s);
    c.rate_per = rate_scope::network;
    c.split = server_split::everyone;
    c.fan_out = {4};
    fake_fabric fabric(c, 16, 1);
    fabric.run_until(never);
    const auto jobs = requests_of(fabric);
    EXPECT_NEAR(static_cast<double>(jobs.size()), 6000, 4 * std::sqrt(6000));
    std::map<std::int64_t, std::uint64_t> askers;
    for (const auto& [when, queries] : jobs) {
        ++askers[when.first];
    }
    EXPECT_EQ(askers.size(), 16U);
    EXPECT_LT(chi_square(askers, 16), 37.7);
}

TEST(partition_aggregate_app_statistical, jobs_come_at_the_rate_that_makes_the_load) {
    workload_config c = aggregate(0, 20s);
    c.rate.reset();
    c.load = 0.4;
    c.split = server_split::everyone;
    c.fan_out = {4, 8};
    c.aggregate_total = 1_MB;
    ASSERT_TRUE(c.validate().empty());
    fake_fabric fabric(c, 4, 1, 10_Gbps);
    fabric.run_until(never);
    // 0.4 x 10 Gb/s / (8 x 1 MB) = 500 jobs/s and host.
    EXPECT_NEAR(static_cast<double>(requests_of(fabric).size()), 40'000, 4 * std::sqrt(40'000));
}

}  // namespace
}  // namespace weir::traffic
