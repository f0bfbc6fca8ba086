#include "weir/traffic/apps/sequential_web_app.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "support/fake_services.h"
#include "weir/traffic/apps/workloads.h"

// Seeds are fixed; counts are held to 4 standard deviations, chi-squares to 1 in 1,000.

namespace weir::traffic {
namespace {

workload_config web(double rate, picoseconds stop) {
    workload_config c;
    c.kind = named<workload_kind>("sequential_web");
    c.rate = rate;
    c.stop = stop;
    return c;
}

/// The queries of each request, in the order in which they were asked. A request's queries do not overlap:
/// each starts at the very moment at which the one before ends, which is how they are found here.
struct literal_request {
    std::vector<job_record> queries;
};

std::vector<literal_request> requests_of(const fake_fabric& fabric) {
    // By (host, start of the next query) where the last one ended.
    std::map<std::pair<host_id, picoseconds>, job_record> by_start;
    std::set<std::pair<host_id, picoseconds>> ends;
    for (const fake_job& j : fabric.jobs()) {
        if (j.record.kind == job_kind::query) {
            EXPECT_TRUE(by_start.emplace(std::make_pair(j.host, j.record.start), j.record).second);
            ends.emplace(j.host, j.record.end);
        }
    }
    std::vector<literal_request> requests;
    for (const auto& [place, query] : by_start) {
        if (ends.count(place) != 0) {
            continue;
        }
        literal_request r;
        for (auto at = by_start.find(place); at != by_start.end();
             at = by_start.find({place.first, at->second.end})) {
            r.queries.push_back(at->second);
        }
        requests.push_back(r);
    }
    return requests;
}

TEST(sequential_web_app_statistical, a_request_is_ten_queries_one_after_another_with_each_size_twice) {
    fake_fabric fabric(web(300, 2s), 8, 1);
    fabric.run_until(never);
    const auto requests = requests_of(fabric);
    EXPECT_NEAR(static_cast<double>(requests.size()), 4 * 600, 4 * std::sqrt(2400));
    for (const literal_request& r : requests) {
        ASSERT_EQ(r.queries.size(), 10U);
        std::map<std::int64_t, int> sizes;
        for (const job_record& q : r.queries) {
            ++sizes[q.job_bytes.count()];
        }
        EXPECT_EQ(sizes,
                  (std::map<std::int64_t, int>{{4000, 2}, {6000, 2}, {8000, 2}, {10'000, 2}, {12'000, 2}}));
    }
}

TEST(sequential_web_app, the_requests_job_spans_its_queries) {
    fake_fabric fabric(web(300, 1s), 8, 2);
    fabric.run_until(never);
    std::multiset<std::tuple<host_id, picoseconds, picoseconds>> expected;
    for (const literal_request& r : requests_of(fabric)) {
        expected.emplace(r.queries.front().src, r.queries.front().start, r.queries.back().end);
    }
    std::multiset<std::tuple<host_id, picoseconds, picoseconds>> reported;
    std::set<std::uint64_t> numbers;
    for (const fake_job& j : fabric.jobs()) {
        EXPECT_TRUE(numbers.insert(j.record.job).second) << "each job has a number of its own";
        EXPECT_EQ(j.host, j.record.src);
        if (j.record.kind == job_kind::web_request) {
            reported.emplace(j.record.src, j.record.start, j.record.end);
            EXPECT_EQ(j.record.job_bytes, 80_KB + 10 * 1460_B);
            EXPECT_EQ(j.record.transfers, 20U);
            EXPECT_EQ(j.record.tag, workload_plan::aggregate_tag);
        } else {
            EXPECT_EQ(j.record.tag, workload_plan::main_tag);
        }
    }
    EXPECT_EQ(reported, expected);
    EXPECT_TRUE(fabric.exhausted());
}

TEST(sequential_web_app_statistical, even_servers_ask_odd_ones) {
    fake_fabric fabric(web(300, 1s), 8, 3);
    fabric.run_until(never);
    std::map<std::int64_t, std::uint64_t> asked;
    for (const fake_transfer& t : fabric.transfers()) {
        if (t.request.reply_bytes > 0_B) {
            EXPECT_EQ(t.src % 2, 0U);
            EXPECT_EQ(t.request.dst % 2, 1U);
            ++asked[t.request.dst];
        }
    }
    EXPECT_EQ(asked.size(), 4U);
    EXPECT_LT(chi_square(asked, 4), 16.3);
}

TEST(sequential_web_app_statistical, the_order_of_sizes_is_random) {
    fake_fabric fabric(web(300, 5s), 8, 4);
    fabric.run_until(never);
    for (const std::size_t place : {0U, 4U, 9U}) {
        std::map<std::int64_t, std::uint64_t> sizes;
        for (const literal_request& r : requests_of(fabric)) {
            ++sizes[r.queries.at(place).job_bytes.count()];
        }
        EXPECT_LT(chi_square(sizes, 5), 18.5) << place;
    }
}

TEST(sequential_web_app_statistical, independent_sizes_vary_in_total) {
    workload_config c = web(300, 5s);
    c.web_size_draw = request_sizes::independent;
    fake_fabric fabric(c, 8, 5);
    fabric.run_until(never);
    std::map<std::int64_t, std::uint64_t> sizes;
    double total = 0;
    double squares = 0;
    double requests = 0;
    for (const fake_job& j : fabric.jobs()) {
        if (j.record.kind == job_kind::query) {
            ++sizes[j.record.job_bytes.count()];
        } else {
            const auto kb = static_cast<double>((j.record.job_bytes - 10 * 1460_B).count()) / 1000;
            total += kb;
            squares += kb * kb;
            ++requests;
        }
    }
    EXPECT_LT(chi_square(sizes, 5), 18.5);
    // Ten draws of variance 8 KB^2.
    EXPECT_NEAR(total / requests, 80, 4 * std::sqrt(80 / requests));
    EXPECT_NEAR(squares / requests - (total / requests) * (total / requests), 80, 8);
}

TEST(sequential_web_app, what_is_asked_does_not_depend_on_the_network) {
    fake_fabric fast(web(300, 1s), 8, 6);
    fake_fabric slow(web(300, 1s), 8, 6);
    slow.set_delay([](const fake_transfer& t) {
        return 1us + picoseconds{static_cast<std::int64_t>(random_stream::mix(t.request.job) % 9'000'000'000)};
    });
    fast.run_until(never);
    slow.run_until(never);
    const auto what = [](const fake_fabric& fabric) {
        std::multiset<std::tuple<host_id, host_id, std::int64_t, pfc_class>> all;
        for (const fake_transfer& t : fabric.transfers()) {
            if (t.request.reply_bytes > 0_B) {
                all.emplace(t.src, t.request.dst, t.request.reply_bytes.count(), t.request.priority);
            }
        }
        return all;
    };
    EXPECT_EQ(what(fast), what(slow));
    EXPECT_NE(identities(fast), identities(slow));
}

TEST(sequential_web_app, is_not_exhausted_before_the_last_query) {
    workload_config c = web(100, 100ms);
    fake_fabric fabric(c, 2, 7);
    fabric.set_delay([](const fake_transfer&) { return picoseconds{50ms}; });
    fabric.run_until(1s);
    // Ten queries take a second; those that arrived late in the first 100 ms are still under way.
    EXPECT_FALSE(fabric.exhausted());
    fabric.run_until(never);
    EXPECT_TRUE(fabric.exhausted());
    EXPECT_LE(fabric.now(), 1100ms + 1us);
}

TEST(sequential_web_app, memory_does_not_grow) {
    fake_fabric fabric(web(1000, 20s), 2, 8);
    fabric.set_delay([](const fake_transfer&) { return picoseconds{500us}; });
    fabric.run_until(never);
    // 10 requests are open on average.
    EXPECT_LE(fabric.app<sequential_web_app>(0).capacity(), 256U);
    EXPECT_EQ(fabric.app<sequential_web_app>(0).open(), 0U);
}

}  // namespace
}  // namespace weir::traffic
