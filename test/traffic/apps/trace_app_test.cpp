#include "weir/traffic/apps/trace_app.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/fake_services.h"
#include "weir/traffic/apps/workloads.h"

namespace weir::traffic {
namespace {

trace_flow flow(std::uint64_t number, picoseconds start, host_id src, host_id dst, std::uint64_t size = 1000) {
    trace_flow f;
    f.flow = number;
    f.start = start;
    f.src = src;
    f.dst = dst;
    f.flow_bytes = size;
    return f;
}

fake_fabric make_fabric(workload_inputs inputs = {}, std::uint32_t background = 0, host_id hosts = 4) {
    workload_config c;
    c.kind = named<workload_kind>("trace");
    c.background.flows = background;
    c.stop = 50ms;
    return fake_fabric(std::make_shared<const workload_plan>(c, hosts, 1, std::move(inputs)), 1_Gbps);
}

/// Number and time of each flow that started.
std::vector<std::pair<std::uint64_t, picoseconds>> started(const fake_fabric& fabric) {
    std::vector<std::pair<std::uint64_t, picoseconds>> all;
    for (const fake_transfer& t : fabric.transfers()) {
        all.emplace_back(t.request.flow, t.time);
    }
    return all;
}
using starts = std::vector<std::pair<std::uint64_t, picoseconds>>;

// The fake network: 20 us + 8 us for 1,000 B; the sender knows 1 us later.
constexpr picoseconds received_after = 28us;
constexpr picoseconds sent_after = 29us;

TEST(trace_app, flows_start_when_the_trace_says_whatever_the_order_in_which_they_are_added) {
    fake_fabric fabric = make_fabric();
    fabric.app<trace_app>(0).add(flow(2, 30us, 0, 1));
    fabric.app<trace_app>(0).add(flow(0, 10us, 0, 2));
    fabric.app<trace_app>(0).add(flow(3, 10us, 0, 3));
    fabric.app<trace_app>(1).add(flow(1, 20us, 1, 0));
    fabric.run_until(never);
    EXPECT_EQ(started(fabric), (starts{{0, 10us}, {3, 10us}, {1, 20us}, {2, 30us}}));
    EXPECT_TRUE(fabric.exhausted());
}

TEST(trace_app, a_flow_goes_out_as_the_trace_describes_it_and_is_a_job_at_its_receiver) {
    fake_fabric fabric = make_fabric();
    trace_flow f = flow(77, 10us, 0, 2, 123'456);
    f.priority = 3;
    f.tag = 9;
    fabric.app<trace_app>(0).add(f);
    fabric.run_until(never);
    const transfer_request& r = fabric.transfers().at(0).request;
    EXPECT_EQ(r.dst, 2U);
    EXPECT_EQ(r.flow_bytes, 123'456_B);
    EXPECT_EQ(r.priority, 3);
    EXPECT_EQ(r.tag, 9);
    EXPECT_EQ(r.flow, 77U);
    EXPECT_EQ(r.reply_bytes, 0_B);
    const fake_job& j = fabric.jobs().at(0);
    EXPECT_EQ(j.host, 2U);
    EXPECT_EQ(j.record.job, 77U);
    EXPECT_EQ(j.record.src, 0U);
    EXPECT_EQ(j.record.job_bytes, 123'456_B);
    EXPECT_EQ(j.record.tag, 9);
    EXPECT_EQ(j.record.start, 10us);
}

TEST(trace_app, flows_may_be_added_while_the_run_goes_on) {
    fake_fabric fabric = make_fabric();
    fabric.app<trace_app>(0).add(flow(0, 100us, 0, 1));
    fabric.run_until(50us);
    EXPECT_EQ(fabric.app<trace_app>(0).next_start(), 100us);
    fabric.app<trace_app>(0).add(flow(1, 60us, 0, 1));
    EXPECT_EQ(fabric.app<trace_app>(0).next_start(), 60us);
    fabric.app<trace_app>(0).add(flow(2, 50us, 0, 1));
    EXPECT_FALSE(fabric.exhausted());
    fabric.run_until(200us);
    EXPECT_EQ(fabric.app<trace_app>(0).next_start(), never);
    fabric.app<trace_app>(0).add(flow(3, 250us, 0, 1));
    fabric.run_until(never);
    EXPECT_EQ(started(fabric), (starts{{2, 50us}, {1, 60us}, {0, 100us}, {3, 250us}}));
}

TEST(trace_app, a_thousand_flows_come_out_in_order) {
    fake_fabric fabric = make_fabric();
    std::vector<trace_flow> all;
    random_stream chance{1, 0, random_purpose::arrivals};
    for (std::uint64_t i = 0; i < 1000; ++i) {
        all.push_back(flow(i, 1ns * chance.below(500), 0, 1 + chance.below(3)));
        fabric.app<trace_app>(0).add(all.back());
    }
    fabric.run_until(never);
    std::sort(all.begin(), all.end(), starts_before);
    starts expected;
    for (const trace_flow& f : all) {
        expected.emplace_back(f.flow, f.start);
    }
    EXPECT_EQ(started(fabric), expected);
}

TEST(trace_app, a_send_done_trigger_starts_the_next_flow_at_once) {
    workload_inputs inputs;
    inputs.triggers = {{1, trigger_kind::oneshot, 1}};
    fake_fabric fabric = make_fabric(inputs);
    trace_flow first = flow(0, 10us, 0, 1);
    first.fires = 1;
    trace_flow second = flow(1, 0_ps, 0, 2);
    second.trigger = 1;
    trace_flow third = flow(2, 0_ps, 0, 3);
    third.trigger = 1;
    fabric.app<trace_app>(0).add(second);
    fabric.app<trace_app>(0).add(third);
    fabric.app<trace_app>(0).add(first);
    EXPECT_FALSE(fabric.app(0).exhausted());
    fabric.run_until(never);
    const picoseconds done = 10us + sent_after;
    EXPECT_EQ(started(fabric), (starts{{0, 10us}, {1, done}, {2, done}}));
    EXPECT_TRUE(fabric.exhausted());
}

TEST(trace_app, a_receive_done_trigger_fires_at_the_destination) {
    workload_inputs inputs;
    inputs.triggers = {{4, trigger_kind::oneshot, 1}};
    fake_fabric fabric = make_fabric(inputs);
    trace_flow first = flow(0, 10us, 0, 1);
    first.fires_received = 4;
    trace_flow second = flow(1, 0_ps, 1, 2);
    second.trigger = 4;
    fabric.app<trace_app>(0).add(first);
    fabric.app<trace_app>(1).expect(first);
    fabric.app<trace_app>(1).add(second);
    fabric.run_until(never);
    EXPECT_EQ(started(fabric), (starts{{0, 10us}, {1, 10us + received_after}}));
}

TEST(trace_app, triggers_across_hosts_are_recorded_for_the_program) {
    workload_inputs inputs;
    inputs.triggers = {{1, trigger_kind::oneshot, 1}};
    inputs.triggers_across_hosts = true;
    fake_fabric fabric = make_fabric(inputs);
    trace_flow first = flow(0, 10us, 0, 1);
    first.fires = 1;
    trace_flow second = flow(1, 0_ps, 2, 3);
    second.trigger = 1;
    trigger_board board(inputs.triggers);
    board.wait(second);
    fabric.app<trace_app>(0).add(first);
    fabric.run_until(100us);
    EXPECT_FALSE(fabric.exhausted());
    const auto& firings = fabric.app<trace_app>(0).firings();
    ASSERT_EQ(firings.size(), 1U);
    EXPECT_EQ(firings[0].time, 10us + sent_after);
    std::vector<trace_flow> starting;
    board.fire(firings[0].trigger, starting);
    fabric.app<trace_app>(0).clear_firings();
    ASSERT_EQ(starting.size(), 1U);
    starting[0].start = 200us;
    fabric.app<trace_app>(2).add(starting[0]);
    fabric.run_until(never);
    EXPECT_EQ(started(fabric), (starts{{0, 10us}, {1, 200us}}));
    EXPECT_TRUE(fabric.exhausted());
}

TEST(trace_app, background_flows_have_numbers_and_a_tag_of_their_own) {
    workload_inputs inputs;
    inputs.trace_tags = 3;
    fake_fabric fabric = make_fabric(inputs, 1);
    fabric.app<trace_app>(0).add(flow(0, 10us, 0, 1));
    fabric.run_until(never);
    std::size_t background = 0;
    for (const fake_transfer& t : fabric.transfers()) {
        if (t.request.tag == 3) {
            ++background;
            EXPECT_GE(t.request.flow, std::uint64_t{1} << 39);
            EXPECT_GE(t.request.job, std::uint64_t{1} << 39);
        } else {
            EXPECT_EQ(t.request.flow, 0U);
        }
    }
    EXPECT_GE(background, 4U);
    EXPECT_EQ(fabric.jobs().size(), background + 1);
}

std::vector<std::uint64_t> fire(trigger_board& board, trigger_id trigger) {
    std::vector<trace_flow> starting;
    board.fire(trigger, starting);
    std::vector<std::uint64_t> numbers;
    for (const trace_flow& f : starting) {
        numbers.push_back(f.flow);
    }
    return numbers;
}

TEST(trigger_board, oneshot_multishot_and_barrier_answer_as_htsims_do) {
    const std::vector<trace_trigger> triggers{
        {1, trigger_kind::oneshot, 1}, {2, trigger_kind::multishot, 1}, {5, trigger_kind::barrier, 3}};
    trigger_board board(triggers);
    for (const trigger_id id : {1U, 2U, 5U}) {
        for (std::uint64_t n = 0; n < 2; ++n) {
            trace_flow f = flow(10 * id + n, 0_ps, 0, 1);
            f.trigger = id;
            board.wait(f);
        }
    }
    using numbers = std::vector<std::uint64_t>;
    EXPECT_EQ(board.waiting(), 6U);
    EXPECT_EQ(fire(board, 1), (numbers{10, 11}));
    EXPECT_EQ(fire(board, 2), (numbers{20}));
    EXPECT_EQ(fire(board, 2), (numbers{21}));
    EXPECT_EQ(fire(board, 2), (numbers{}));
    EXPECT_EQ(fire(board, 5), (numbers{}));
    EXPECT_EQ(fire(board, 5), (numbers{}));
    EXPECT_EQ(board.waiting(), 2U);
    EXPECT_EQ(board.pending(), 1U);
    EXPECT_EQ(fire(board, 5), (numbers{50, 51}));
    EXPECT_EQ(board.waiting(), 0U);
    EXPECT_EQ(board.pending(), 0U);
}

}  // namespace
}  // namespace weir::traffic
