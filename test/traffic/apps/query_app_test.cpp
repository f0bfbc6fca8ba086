#include "weir/traffic/apps/query_app.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "support/fake_services.h"

// Seeds are fixed; counts are held to 4 standard deviations, chi-squares to 1 in 1,000.

namespace weir::traffic {
namespace {

workload_config steady(double rate, picoseconds stop) {
    workload_config c;
    c.rate = rate;
    c.stop = stop;
    return c;
}

std::vector<fake_transfer> requests(const fake_fabric& fabric) {
    std::vector<fake_transfer> all;
    for (const fake_transfer& t : fabric.transfers()) {
        if (t.request.reply_bytes > 0_B) {
            all.push_back(t);
        }
    }
    return all;
}

TEST(query_app_statistical, asks_at_its_rate_and_every_server_equally_but_never_itself) {
    fake_fabric fabric(steady(2000, 5s), 12, 1);
    fabric.run_until(never);
    const auto asked = requests(fabric);
    EXPECT_NEAR(static_cast<double>(asked.size()), 120'000, 4 * std::sqrt(120'000));
    std::map<std::int64_t, std::uint64_t> pairs;
    for (const fake_transfer& t : asked) {
        ASSERT_NE(t.src, t.request.dst);
        ASSERT_LT(t.time, 5s);
        ++pairs[t.src * 12 + t.request.dst];
    }
    EXPECT_EQ(pairs.size(), 132U);
    EXPECT_LT(chi_square(pairs, 132), 186.0);  // 131 degrees of freedom
}

TEST(query_app_statistical, requests_are_a_full_segment_and_sizes_have_equal_shares) {
    fake_fabric fabric(steady(2000, 5s), 12, 2);
    fabric.run_until(never);
    std::map<std::int64_t, std::uint64_t> sizes;
    for (const fake_transfer& t : requests(fabric)) {
        ASSERT_EQ(t.request.flow_bytes, 1460_B);
        ASSERT_EQ(t.request.transport, transport_kind{});
        ++sizes[t.request.reply_bytes.count()];
    }
    ASSERT_EQ(sizes.size(), 3U);
    EXPECT_EQ(sizes.count(2000) + sizes.count(8000) + sizes.count(32'000), 3U);
    EXPECT_LT(chi_square(sizes, 3), 13.8);
}

TEST(query_app_statistical, queries_come_within_bursts_only) {
    workload_config c = steady(0, 2s);
    c.burst_period = 50ms;
    c.burst_duration = 12500us;
    fake_fabric fabric(c, 6, 3);
    fabric.run_until(never);
    const auto asked = requests(fabric);
    for (const fake_transfer& t : asked) {
        ASSERT_LT(t.time % 50ms, 12500us);
    }
    EXPECT_NEAR(static_cast<double>(asked.size()), 6 * 40 * 125, 4 * std::sqrt(30'000));
}

TEST(query_app_statistical, a_mixed_workload_has_both_rates) {
    workload_config c = steady(500, 5s);
    c.burst_period = 50ms;
    fake_fabric fabric(c, 6, 4);
    fabric.run_until(never);
    std::uint64_t inside = 0;
    std::uint64_t outside = 0;
    for (const fake_transfer& t : requests(fabric)) {
        t.time % 50ms < 5ms ? ++inside : ++outside;
    }
    EXPECT_NEAR(static_cast<double>(inside), 30'000, 4 * std::sqrt(30'000));
    EXPECT_NEAR(static_cast<double>(outside), 13'500, 4 * std::sqrt(13'500));
}

TEST(query_app, bursts_begin_together_unless_they_are_staggered) {
    workload_config c = steady(0, 1s);
    c.burst_period = 100ms;
    c.burst_duration = 1ms;
    c.burst_stagger = true;
    fake_fabric fabric(c, 20, 5);
    fabric.run_until(never);
    std::map<host_id, std::set<std::int64_t>> milliseconds;
    std::set<std::int64_t> anyone;
    for (const fake_transfer& t : requests(fabric)) {
        milliseconds[t.src].insert((t.time % 100ms) / 1ms);
        anyone.insert((t.time % 100ms) / 1ms);
    }
    for (const auto& [host, seen] : milliseconds) {
        EXPECT_LE(seen.size(), 2U) << host;
    }
    EXPECT_GT(anyone.size(), 15U);
}

TEST(query_app_statistical, priorities_have_equal_shares_and_both_ways_use_the_same) {
    workload_config c = steady(2000, 2s);
    c.priorities = {7, 3};
    fake_fabric fabric(c, 8, 6);
    fabric.run_until(never);
    std::map<std::int64_t, std::uint64_t> priorities;
    std::map<std::uint64_t, pfc_class> by_job;
    for (const fake_transfer& t : fabric.transfers()) {
        const auto [known, first] = by_job.emplace(t.request.job, t.request.priority);
        EXPECT_EQ(known->second, t.request.priority);
        if (first) {
            ++priorities[t.request.priority];
        }
    }
    ASSERT_EQ(priorities.size(), 2U);
    EXPECT_EQ(priorities.count(7) + priorities.count(3), 2U);
    EXPECT_LT(chi_square(priorities, 2), 10.8);
}

/// What the transfers on the network say of each query, without the application's tables.
struct literal_query {
    host_id requester = 0;
    host_id server = 0;
    picoseconds start{0};
    picoseconds end{0};
    std::int64_t response = 0;
    int transfers = 0;
};

TEST(query_app, jobs_are_what_the_transfers_say) {
    fake_fabric fabric(steady(5000, 1s), 6, 7);
    // Responses overtake one another: delays are a hash of the flow.
    const auto delay = [](const fake_transfer& t) {
        return 1us +
               picoseconds{static_cast<std::int64_t>(random_stream::mix(t.request.flow) % 30'000'000'000)};
    };
    fabric.set_delay(delay);
    fabric.run_until(never);
    std::map<std::uint64_t, literal_query> reference;
    std::set<std::uint64_t> flows;
    for (const fake_transfer& t : fabric.transfers()) {
        EXPECT_TRUE(flows.insert(t.request.flow).second);
        literal_query& q = reference[t.request.job];
        ++q.transfers;
        if (t.request.reply_bytes > 0_B) {
            q.requester = t.src;
            q.server = t.request.dst;
            q.start = t.time;
            q.response = t.request.reply_bytes.count();
            q.end = t.time + delay(t);
        } else {
            EXPECT_EQ(t.src, q.server);
            EXPECT_EQ(t.request.dst, q.requester);
            EXPECT_EQ(t.request.flow_bytes.count(), q.response);
            EXPECT_EQ(t.time, q.end) << "the response starts when the request is there";
            q.end = t.time + delay(t);
        }
    }
    ASSERT_EQ(fabric.jobs().size(), reference.size());
    for (const fake_job& job : fabric.jobs()) {
        const literal_query& q = reference.at(job.record.job);
        EXPECT_EQ(job.record.kind, job_kind::query);
        EXPECT_EQ(job.host, q.requester);
        EXPECT_EQ(job.record.src, q.requester);
        EXPECT_EQ(job.record.job_bytes.count(), q.response);
        EXPECT_EQ(job.record.transfers, 2U);
        EXPECT_EQ(q.transfers, 2);
        EXPECT_EQ(job.record.start, q.start);
        EXPECT_EQ(job.record.end, q.end);
        EXPECT_EQ(job.record.tag, workload_plan::main_tag);
    }
    EXPECT_TRUE(fabric.exhausted());
}

TEST(query_app, equal_seeds_ask_the_same_and_others_do_not) {
    fake_fabric a(steady(1000, 1s), 6, 8);
    fake_fabric b(steady(1000, 1s), 6, 8);
    fake_fabric c(steady(1000, 1s), 6, 9);
    a.run_until(never);
    b.run_until(never);
    c.run_until(never);
    EXPECT_EQ(identities(a), identities(b));
    EXPECT_NE(identities(a), identities(c));
}

TEST(query_app, what_is_asked_does_not_depend_on_the_network) {
    fake_fabric fast(steady(1000, 1s), 6, 8);
    fake_fabric slow(steady(1000, 1s), 6, 8);
    slow.set_delay([](const fake_transfer&) { return picoseconds{20ms}; });
    fast.run_until(never);
    slow.run_until(never);
    const auto what = [](const fake_fabric& fabric) {
        std::multiset<std::tuple<picoseconds, host_id, host_id, std::int64_t>> all;
        for (const fake_transfer& t : requests(fabric)) {
            all.emplace(t.time, t.src, t.request.dst, t.request.reply_bytes.count());
        }
        return all;
    };
    EXPECT_EQ(what(fast), what(slow));
}

TEST(query_app, front_ends_ask_back_ends_only) {
    workload_config c = steady(1000, 1s);
    c.split = server_split::first;
    c.front_end_fraction = 0.75;
    fake_fabric fabric(c, 16, 1);
    fabric.run_until(never);
    std::set<host_id> asking;
    std::set<host_id> asked;
    for (const fake_transfer& t : requests(fabric)) {
        asking.insert(t.src);
        asked.insert(t.request.dst);
    }
    EXPECT_EQ(asking.size(), 12U);
    EXPECT_EQ(*asking.rbegin(), 11U);
    EXPECT_EQ(asked, (std::set<host_id>{12, 13, 14, 15}));
    EXPECT_TRUE(fabric.app(13).exhausted());
}

TEST(query_app, memory_follows_what_is_open_and_not_what_has_been) {
    fake_fabric fabric(steady(5000, 20s), 3, 1);
    fabric.set_delay([](const fake_transfer&) { return picoseconds{1ms}; });
    fabric.run_until(2s);
    // On average 5,000/s x 2 ms = 10 are open; 32 and more has a chance below 1e-6 at a time.
    const std::size_t early = fabric.app<query_app>(0).capacity();
    EXPECT_LE(early, 128U);
    fabric.forget();
    fabric.run_until(20s);
    EXPECT_LE(fabric.app<query_app>(0).capacity(), 128U);
    EXPECT_FALSE(fabric.exhausted());
    fabric.run_until(never);
    EXPECT_TRUE(fabric.exhausted());
    EXPECT_EQ(fabric.app<query_app>(0).open(), 0U);
}

TEST(query_app, a_transfer_that_is_not_its_own_is_ignored) {
    fake_fabric fabric(steady(1, 1ms), 3, 1);
    fabric.run_until(never);
    fabric.forget();
    received_transfer other{1, 99, 99, 100_B, 50_B, 0_ps, 0, 5, transport_kind{}};
    fabric.app(0).on_received(fabric.services(0), other);
    other.reply_bytes = 0_B;
    other.tag = workload_plan::main_tag;
    fabric.app(0).on_received(fabric.services(0), other);
    EXPECT_TRUE(fabric.transfers().empty());
    EXPECT_TRUE(fabric.jobs().empty());
}

}  // namespace
}  // namespace weir::traffic
