#include "weir/traffic/apps/make_workload.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>
#include <utility>

#include "support/fake_services.h"
#include "weir/traffic/apps/background_app.h"
#include "weir/traffic/apps/query_app.h"
#include "weir/traffic/apps/trace_app.h"
#include "weir/traffic/apps/workloads.h"

namespace weir::traffic {
namespace {

const workload_kind all_kinds[] = {
    named<workload_kind>("none"),           named<workload_kind>("query"),
    named<workload_kind>("sequential_web"), named<workload_kind>("partition_aggregate"),
    named<workload_kind>("incast"),         named<workload_kind>("poisson"),
    named<workload_kind>("permutation"),    named<workload_kind>("bernoulli"),
    named<workload_kind>("trace")};

application_list workload_of(const workload_config& config, host_id self, host_id hosts, std::uint64_t seed) {
    return make_workload(std::make_shared<const workload_plan>(config, hosts, seed), self, 1_Gbps);
}

TEST(closed_loop_cause, names_the_option_by_which_a_slower_fabric_gets_other_traffic) {
    workload_config c;
    const auto cause = [&](workload_kind kind) {
        c.kind = kind;
        return closed_loop_cause(c);
    };
    for (const workload_kind kind : all_kinds) {
        const bool waits =
            kind == named<workload_kind>("incast") || kind == named<workload_kind>("permutation");
        EXPECT_EQ(cause(kind).empty(), !waits) << name_of(kind) << ": " << closed_loop_cause(c);
    }
    EXPECT_EQ(cause(named<workload_kind>("scatter_gather")), "");
    EXPECT_EQ(cause(named<workload_kind>("goal")), "") << "every fabric gets the program's messages";
    EXPECT_EQ(cause(named<workload_kind>("incast")).rfind("traffic.kind = incast: each round", 0), 0U);
    c.incast_rounds = 1;
    EXPECT_EQ(cause(named<workload_kind>("incast")), "");
    c.flow_bytes = 1_MB;
    EXPECT_EQ(cause(named<workload_kind>("permutation")), "") << "one flow of each host";
    c.flows_per_host = 2;
    EXPECT_NE(cause(named<workload_kind>("permutation")), "");
    c.transport = datagram_transport;
    EXPECT_EQ(cause(named<workload_kind>("permutation")), "") << "at a rate of their own";
    c.background.flows = 2;
    EXPECT_EQ(cause(named<workload_kind>("poisson")).rfind("traffic.background_flows = 2: ", 0), 0U);
}

TEST(make_workload, the_main_application_comes_first_and_background_second) {
    workload_config c;
    auto applications = workload_of(c, 0, 4, 1);
    ASSERT_EQ(applications.size(), 1U);
    EXPECT_NE(dynamic_cast<query_app*>(applications[0].get()), nullptr);
    EXPECT_EQ(find_trace_app(applications), nullptr);
    c.background.flows = 1;
    applications = workload_of(c, 0, 4, 1);
    ASSERT_EQ(applications.size(), 2U);
    EXPECT_NE(dynamic_cast<background_app*>(applications[1].get()), nullptr);
    c.kind = named<workload_kind>("none");
    applications = workload_of(c, 0, 4, 1);
    ASSERT_EQ(applications.size(), 1U);
    EXPECT_NE(dynamic_cast<background_app*>(applications[0].get()), nullptr);
    c.background.flows = 0;
    EXPECT_TRUE(workload_of(c, 0, 4, 1).empty());
    c.kind = named<workload_kind>("trace");
    applications = workload_of(c, 0, 4, 1);
    EXPECT_EQ(find_trace_app(applications), applications.at(0).get());
}

TEST(make_workload, every_tag_that_is_used_has_a_name) {
    for (const workload_kind kind : all_kinds) {
        workload_config c;
        c.kind = kind;
        c.stop = 50ms;
        c.background.flows = 1;
        const std::vector<std::string> names{"", "a", "b"};
        workload_inputs inputs;
        inputs.trace_tags = names.size();
        const auto plan = std::make_shared<const workload_plan>(c, 6, 1, inputs);
        const auto tags = workload_tags(c, names);
        EXPECT_EQ(tags.at(plan->background_tag()), "background");
        EXPECT_EQ(tags.size(), plan->background_tag() + 1U);
        fake_fabric fabric(plan, 1_Gbps);
        if (kind == named<workload_kind>("trace")) {
            trace_flow f;
            f.dst = 1;
            f.flow_bytes = 100;
            f.tag = 2;
            fabric.app<trace_app>(0).add(f);
        }
        fabric.run_until(kind == named<workload_kind>("permutation") ? picoseconds{1s} : never);
        EXPECT_TRUE(fabric.exhausted()) << static_cast<int>(kind);
        std::set<std::size_t> used;
        for (const fake_job& j : fabric.jobs()) {
            ASSERT_LT(j.record.tag, tags.size());
            used.insert(j.record.tag);
        }
        EXPECT_EQ(used.count(plan->background_tag()), 1U);
        if (kind != named<workload_kind>("trace") && kind != named<workload_kind>("permutation")) {
            EXPECT_EQ(used.size(), tags.size()) << static_cast<int>(kind);
        }
    }
}

TEST(make_workload, no_host_ever_sends_to_itself_or_to_nobody) {
    for (const workload_kind kind : all_kinds) {
        for (const host_id hosts : {2U, 5U}) {
            workload_config c;
            c.kind = kind;
            c.stop = 20ms;
            c.background.flows = 2;
            fake_fabric fabric(c, hosts, 3);
            fabric.run_until(100ms);
            EXPECT_FALSE(fabric.transfers().empty());
            for (const fake_transfer& t : fabric.transfers()) {
                ASSERT_NE(t.src, t.request.dst) << static_cast<int>(kind);
                ASSERT_LT(t.request.dst, hosts);
                ASSERT_GT(t.request.flow_bytes, 0_B);
            }
        }
    }
}

TEST(make_workload, a_shared_plan_and_a_plan_of_ones_own_do_the_same) {
    workload_config c;
    c.stop = 100ms;
    fake_fabric fabric(c, 3, 9);
    fabric.run_until(never);
    // Host 1 alone, with a plan of its own, asks the same at the same times.
    struct recorder final : application_services {
        picoseconds time{0};
        picoseconds timer = never;
        std::uint64_t numbers = 0;
        std::vector<std::tuple<picoseconds, host_id, std::int64_t>> asked;
        picoseconds now() const override { return time; }
        host_id self() const override { return 1; }
        host_id hosts() const override { return 3; }
        bit_rate link_rate() const override { return 1_Gbps; }
        std::uint64_t next_flow() override { return numbers++; }
        std::uint64_t next_job() override { return numbers++; }
        void start_transfer(const transfer_request& r) override {
            asked.emplace_back(time, r.dst, r.reply_bytes.count());
        }
        void set_timer(picoseconds t, std::uint64_t) override { timer = t; }
        void job_done(const job_record&) override {}
    } services;
    const auto applications = workload_of(c, 1, 3, 9);
    applications[0]->start(services);
    while (services.timer != never) {
        services.time = std::exchange(services.timer, never);
        applications[0]->on_timer(services, 0);
    }
    std::vector<std::tuple<picoseconds, host_id, std::int64_t>> expected;
    for (const fake_transfer& t : fabric.transfers()) {
        if (t.src == 1 && t.request.reply_bytes > 0_B) {
            expected.emplace_back(t.time, t.request.dst, t.request.reply_bytes.count());
        }
    }
    EXPECT_EQ(services.asked, expected);
}

}  // namespace
}  // namespace weir::traffic
