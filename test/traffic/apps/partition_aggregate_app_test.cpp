#include "weir/traffic/apps/partition_aggregate_app.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "support/fake_services.h"

// Seeds are fixed; counts are held to 4 standard deviations, chi-squares to 1 in 1,000.

namespace weir::traffic {
namespace {

workload_config aggregate(double rate, picoseconds stop) {
    workload_config c;
    c.kind = workload_kind::partition_aggregate;
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

}  // namespace
}  // namespace weir::traffic
