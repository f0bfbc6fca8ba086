#include "weir/traffic/apps/scatter_gather_app.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "support/fake_services.h"
#include "weir/traffic/apps/workloads.h"

// Seeds are fixed; chi-squares are held to 1 in 1,000.

namespace weir::traffic {
namespace {

/// Hosts 0 to 11 in racks of four, as workers; 12 and 13 ask.
std::shared_ptr<const workload_plan> three_racks(double rate, picoseconds stop, std::uint64_t seed) {
    workload_config c;
    c.kind = named<workload_kind>("scatter_gather");
    c.split = server_split::named;
    c.sources = {"h12", "h13"};
    c.rate = rate;
    c.stop = stop;
    c.request = 1000_B;
    c.scatter_gather.worker_bytes = 5_KB;
    c.scatter_gather.rack_bytes = 7_KB;
    workload_inputs inputs;
    inputs.sources = {12, 13};
    for (host_id h = 0; h < 12; ++h) {
        inputs.racks.push_back(30 + h / 4);
    }
    inputs.racks.insert(inputs.racks.end(), {8, 9});
    return std::make_shared<const workload_plan>(c, 14, seed, inputs);
}

picoseconds drawn_delay(const fake_transfer& t) {
    return 1us + picoseconds{static_cast<std::int64_t>(random_stream::mix(t.request.flow) % 3'000'000'000)};
}

TEST(scatter_gather_app, a_front_end_asks_one_aggregator_a_rack_and_each_of_these_its_other_workers) {
    fake_fabric fabric(three_racks(100, 1s, 1), 1_Gbps);
    fabric.set_delay(drawn_delay);
    fabric.run_until(never);
    // Arrival of the request to an aggregator: when its requests to workers leave.
    std::map<std::pair<host_id, picoseconds>, std::set<host_id>> asked_by;
    std::map<std::pair<host_id, picoseconds>, std::set<unsigned>> racks_of;
    for (const fake_transfer& t : fabric.transfers()) {
        if (t.request.reply_bytes == 0_B) {
            continue;
        }
        EXPECT_EQ(t.request.flow_bytes, 1000_B);
        if (t.src >= 12) {
            EXPECT_EQ(t.request.reply_bytes, 7_KB);
            EXPECT_TRUE(racks_of[std::make_pair(t.src, t.time)].insert(t.request.dst / 4).second);
            EXPECT_LT(t.request.dst, 12U);
        } else {
            EXPECT_EQ(t.request.reply_bytes, 5_KB);
            EXPECT_EQ(t.request.dst / 4, t.src / 4);
            EXPECT_NE(t.request.dst, t.src);
            EXPECT_TRUE(asked_by[std::make_pair(t.src, t.time)].insert(t.request.dst).second);
        }
    }
    EXPECT_GT(racks_of.size(), 150U);
    for (const auto& [when, racks] : racks_of) {
        EXPECT_EQ(racks.size(), 3U);
    }
    EXPECT_EQ(asked_by.size(), 3 * racks_of.size());
    for (const auto& [when, workers] : asked_by) {
        EXPECT_EQ(workers.size(), 3U);
    }
    EXPECT_TRUE(fabric.exhausted());
}

// A literal account of the three levels: an answer leaves when the last one below it has come.
TEST(scatter_gather_app, an_answer_leaves_when_all_below_have_come) {
    fake_fabric fabric(three_racks(50, 1s, 2), 1_Gbps);
    fabric.set_delay(drawn_delay);
    fabric.run_until(never);
    std::map<std::uint64_t, picoseconds> last_below;
    std::map<std::uint64_t, int> below;
    for (const fake_job& j : fabric.jobs()) {
        if (j.record.kind == job_kind::query) {
            picoseconds& last = last_below[j.record.parent];
            last = std::max(last, j.record.end);
            ++below[j.record.parent];
        }
    }
    std::map<std::uint64_t, picoseconds> answer_left;
    for (const fake_transfer& t : fabric.transfers()) {
        if (t.request.flow_bytes == 7_KB) {
            answer_left[t.request.job] = t.time;
        }
    }
    std::size_t queries = 0;
    std::size_t rack_queries = 0;
    for (const fake_job& j : fabric.jobs()) {
        if (j.record.kind == job_kind::scatter_gather) {
            ++queries;
            EXPECT_EQ(j.record.end, last_below.at(j.record.job));
            EXPECT_EQ(below.at(j.record.job), 3);
            EXPECT_EQ(j.record.transfers, 6U);
            EXPECT_EQ(j.record.job_bytes, 24'000_B);
            EXPECT_EQ(j.record.tag, workload_plan::aggregate_tag);
        } else if (j.record.tag == workload_plan::main_tag) {
            ++rack_queries;
            EXPECT_EQ(answer_left.at(j.record.job), last_below.at(j.record.job));
            EXPECT_EQ(below.at(j.record.job), 3);
        } else {
            EXPECT_EQ(j.record.tag, scatter_gather_app::worker_tag);
        }
    }
    EXPECT_GT(queries, 60U);
    EXPECT_EQ(rack_queries, 3 * queries);
}

TEST(scatter_gather_app_statistical, every_worker_is_as_often_the_aggregator) {
    fake_fabric fabric(three_racks(1000, 2s, 3), 1_Gbps);
    fabric.run_until(never);
    std::map<std::int64_t, std::uint64_t> aggregators;
    for (const fake_transfer& t : fabric.transfers()) {
        if (t.src >= 12) {
            ++aggregators[t.request.dst];
        }
    }
    EXPECT_EQ(aggregators.size(), 12U);
    EXPECT_LT(chi_square(aggregators, 12), 31.3);
}

TEST(scatter_gather_app, a_rack_of_one_worker_answers_by_itself) {
    workload_config c;
    c.kind = named<workload_kind>("scatter_gather");
    c.split = server_split::named;
    c.sources = {"h0"};
    c.rate = 100;
    c.stop = 200ms;
    workload_inputs inputs;
    inputs.sources = {0};
    inputs.racks = {0, 1, 2};
    fake_fabric fabric(std::make_shared<const workload_plan>(c, 3, 1, inputs), 1_Gbps);
    fabric.run_until(never);
    for (const fake_transfer& t : fabric.transfers()) {
        EXPECT_TRUE(t.src == 0 || t.request.dst == 0);
    }
    EXPECT_FALSE(fabric.jobs().empty());
    EXPECT_TRUE(fabric.exhausted());
}

}  // namespace
}  // namespace weir::traffic
