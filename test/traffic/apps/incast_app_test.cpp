#include "weir/traffic/apps/incast_app.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "support/fake_services.h"
#include "weir/traffic/apps/workloads.h"

namespace weir::traffic {
namespace {

workload_config incast(host_id target) {
    workload_config c;
    c.kind = named<workload_kind>("incast");
    c.incast_target = target;
    c.start = 1ms;
    return c;
}

TEST(incast_app, twenty_five_rounds_bring_a_megabyte_each_from_all_others) {
    for (const host_id hosts : {2U, 8U, 48U}) {
        fake_fabric fabric(incast(1), hosts, 1);
        fabric.run_until(never);
        std::map<std::uint64_t, std::int64_t> responses;
        std::map<std::uint64_t, std::set<host_id>> servers;
        for (const fake_transfer& t : fabric.transfers()) {
            if (t.request.reply_bytes > 0_B) {
                EXPECT_EQ(t.src, 1U);
                EXPECT_EQ(t.request.flow_bytes, 1460_B);
                EXPECT_GE(t.request.reply_bytes.count(), 1'000'000 / (hosts - 1));
                EXPECT_LE(t.request.reply_bytes.count(), 1'000'000 / (hosts - 1) + 1);
            } else {
                EXPECT_EQ(t.request.dst, 1U);
                responses[t.request.job] += t.request.flow_bytes.count();
                EXPECT_TRUE(servers[t.request.job].insert(t.src).second);
            }
        }
        EXPECT_EQ(responses.size(), 25U);
        for (const auto& [job, sum] : responses) {
            EXPECT_EQ(sum, 1'000'000);
            EXPECT_EQ(servers[job].size(), hosts - 1);
        }
        EXPECT_TRUE(fabric.exhausted());
    }
}

TEST(incast_app, all_to_all_every_server_has_rounds_of_its_own) {
    workload_config config = incast(0);
    config.incast_all_to_all = true;
    config.incast_rounds = 3;
    fake_fabric fabric(config, 5, 1);
    fabric.run_until(never);
    std::map<host_id, std::size_t> rounds;
    for (const fake_job& j : fabric.jobs()) {
        ++rounds[j.host];
        EXPECT_EQ(j.record.transfers, 8U);
        EXPECT_EQ(j.record.job_bytes, 1_MB + 4 * 1460_B);
    }
    EXPECT_EQ(rounds, (std::map<host_id, std::size_t>{{0, 3}, {1, 3}, {2, 3}, {3, 3}, {4, 3}}));
    EXPECT_TRUE(fabric.exhausted());
}

TEST(incast_app, a_round_starts_when_the_last_is_complete) {
    fake_fabric fabric(incast(0), 8, 2);
    fabric.set_delay([](const fake_transfer& t) {
        return 1us + picoseconds{static_cast<std::int64_t>(random_stream::mix(t.request.flow) % 5'000'000'000)};
    });
    fabric.run_until(never);
    ASSERT_EQ(fabric.jobs().size(), 25U);
    std::map<std::uint64_t, picoseconds> last_response;
    for (const fake_transfer& t : fabric.transfers()) {
        if (t.request.reply_bytes == 0_B) {
            const picoseconds arrival =
                t.time + 1us +
                picoseconds{static_cast<std::int64_t>(random_stream::mix(t.request.flow) % 5'000'000'000)};
            last_response[t.request.job] = std::max(last_response[t.request.job], arrival);
        }
    }
    picoseconds expected = 1ms;
    for (const fake_job& j : fabric.jobs()) {
        EXPECT_EQ(j.host, 0U);
        EXPECT_EQ(j.record.kind, job_kind::incast_round);
        EXPECT_EQ(j.record.start, expected);
        EXPECT_EQ(j.record.end, last_response.at(j.record.job));
        EXPECT_EQ(j.record.transfers, 14U);
        EXPECT_EQ(j.record.job_bytes, 1_MB + 7 * 1460_B);
        expected = j.record.end;
    }
}

TEST(incast_app, each_round_has_one_of_the_priorities_and_all_of_them_come) {
    workload_config c = incast(0);
    c.priorities = {2, 5, 5, 7};
    c.incast_rounds = 4000;
    fake_fabric fabric(c, 3, 4);
    fabric.run_until(never);
    std::map<std::uint64_t, std::set<pfc_class>> of_round;
    for (const fake_transfer& t : fabric.transfers()) {
        of_round[t.request.job].insert(t.request.priority);
    }
    ASSERT_EQ(of_round.size(), 4000U);
    std::map<pfc_class, int> rounds;
    for (const fake_job& j : fabric.jobs()) {
        EXPECT_EQ(of_round.at(j.record.job), std::set<pfc_class>{j.record.priority});
        ++rounds[j.record.priority];
    }
    // 1,000, 2,000 and 1,000 expected; four standard deviations of 27.4 and 31.6 (99.99 %), seed fixed.
    EXPECT_EQ(rounds.size(), 3U);
    EXPECT_NEAR(rounds[2], 1000, 110);
    EXPECT_NEAR(rounds[5], 2000, 127);
    EXPECT_NEAR(rounds[7], 1000, 110);
}

TEST(incast_app, no_server_is_always_asked_first) {
    fake_fabric fabric(incast(0), 8, 3);
    fabric.run_until(never);
    std::set<host_id> first;
    picoseconds round = never;
    for (const fake_transfer& t : fabric.transfers()) {
        if (t.request.reply_bytes > 0_B && t.time != round) {
            round = t.time;
            first.insert(t.request.dst);
        }
    }
    EXPECT_GE(first.size(), 5U);
}

TEST(incast_app, no_round_starts_after_stop) {
    workload_config c = incast(0);
    c.stop = 20ms;
    fake_fabric fabric(c, 8, 4);
    fabric.run_until(never);
    EXPECT_TRUE(fabric.exhausted());
    ASSERT_FALSE(fabric.jobs().empty());
    EXPECT_LT(fabric.jobs().size(), 25U);
    EXPECT_LT(fabric.jobs().back().record.start, 20ms);
    EXPECT_GE(fabric.jobs().back().record.end, 20ms);
}

TEST(incast_app, is_exhausted_after_the_last_round_only) {
    fake_fabric fabric(incast(0), 4, 5);
    fabric.start();
    EXPECT_FALSE(fabric.exhausted());
    EXPECT_TRUE(fabric.app(1).exhausted());
    fabric.run_until(5ms);
    EXPECT_FALSE(fabric.exhausted());
}

TEST(incast_app, servers_may_answer_with_several_flows_at_once) {
    workload_config c = incast(5);
    c.incast_rounds = 2;
    c.incast_flows = 10;
    c.incast_bytes = 50 * 32_KB + 3_B;
    ASSERT_TRUE(c.validate(6).empty());
    fake_fabric fabric(c, 6, 3);
    fabric.run_until(never);
    std::map<std::pair<std::uint64_t, host_id>, unsigned> flows;
    std::int64_t sum = 0;
    for (const fake_transfer& t : fabric.transfers()) {
        if (t.request.reply_bytes == 0_B) {
            ++flows[{t.request.job, t.src}];
            sum += t.request.flow_bytes.count();
        }
    }
    EXPECT_EQ(flows.size(), 10U);
    for (const auto& [job_and_server, count] : flows) {
        EXPECT_EQ(count, 10U);
    }
    EXPECT_EQ(sum, 2 * c.incast_bytes.count());
    ASSERT_EQ(fabric.jobs().size(), 2U);
    EXPECT_EQ(fabric.jobs()[0].record.transfers, 100U);
    EXPECT_EQ(fabric.jobs()[0].record.job_bytes, c.incast_bytes + 50 * c.request);
}

TEST(incast_app, responses_of_drawn_sizes_make_up_the_bytes_of_their_round) {
    workload_config c = incast(2);
    c.distribution = "web_search";
    c.incast_rounds = 50;
    fake_fabric fabric(c, 6, 9);
    fabric.run_until(never);
    const size_distribution sizes = make_size_distribution(known_sizes::web_search);
    random_stream chance{9, 2, random_purpose::sizes};
    std::map<std::uint64_t, bytes> sum;
    unsigned responses = 0;
    for (const fake_transfer& t : fabric.transfers()) {
        sum[t.request.job] += t.request.flow_bytes;
        if (t.request.reply_bytes > 0_B) {
            EXPECT_EQ(t.request.reply_bytes, sizes.sample(chance));
        } else {
            ++responses;
        }
    }
    EXPECT_EQ(responses, 250U);
    ASSERT_EQ(fabric.jobs().size(), 50U);
    for (const fake_job& j : fabric.jobs()) {
        EXPECT_EQ(j.record.job_bytes, sum.at(j.record.job));
    }
}

// Each server's draws are its own, in the order in which requests come to it; several may wait there at once.
TEST(incast_app, servers_answer_after_a_drawn_delay_and_the_round_waits_for_the_slowest) {
    workload_config c = incast(0);
    c.incast_rounds = 40;
    c.incast_flows = 3;
    c.distribution = "web_search";
    c.response_delay.mean = 10ms;
    c.response_delay.shape = delay_shape::exponential;
    fake_fabric fabric(c, 5, 4);
    fabric.set_delay([](const fake_transfer&) { return 5us; });
    fabric.run_until(never);
    std::map<host_id, random_stream> chance;
    for (host_id server = 1; server < 5; ++server) {
        chance.emplace(server, random_stream{4, server, random_purpose::response_delays});
    }
    using answer = std::tuple<std::uint64_t, host_id, std::int64_t, picoseconds>;  // job, server, size, time
    std::multiset<answer> expected;
    std::multiset<answer> answers;
    std::map<std::uint64_t, picoseconds> complete;
    for (const fake_transfer& t : fabric.transfers()) {
        if (t.request.reply_bytes > 0_B) {
            random_stream& own = chance.at(t.request.dst);
            const double unit = -std::log1p(-own.uniform());
            const picoseconds at = t.time + 5us + picoseconds{std::llround(unit * 1e10)};
            expected.insert({t.request.job, t.request.dst, t.request.reply_bytes.count(), at});
            complete[t.request.job] = std::max(complete[t.request.job], at + 5us);
        } else {
            answers.insert({t.request.job, t.src, t.request.flow_bytes.count(), t.time});
        }
    }
    ASSERT_EQ(answers.size(), 480U);
    ASSERT_EQ(expected.size(), 480U);
    auto literal = expected.begin();
    for (const answer& each : answers) {
        EXPECT_EQ(std::get<0>(each), std::get<0>(*literal));
        EXPECT_EQ(std::get<1>(each), std::get<1>(*literal));
        EXPECT_EQ(std::get<2>(each), std::get<2>(*literal));
        EXPECT_LE(std::abs((std::get<3>(each) - std::get<3>(*literal)).count()), 1);  // of two logarithms
        ++literal;
    }
    ASSERT_EQ(fabric.jobs().size(), 40U);
    picoseconds start = 1ms;
    for (const fake_job& j : fabric.jobs()) {
        EXPECT_EQ(j.record.start, start);
        EXPECT_LE(std::abs((j.record.end - complete.at(j.record.job)).count()), 1);
        start = j.record.end;
    }
}

}  // namespace
}  // namespace weir::traffic
