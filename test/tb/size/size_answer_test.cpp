// What a finished search says, line by line: synthetic runs, so that every verdict is known.
#include "tb/study/size/size_answer.h"

#include <gtest/gtest.h>

#include <string>

namespace weir::tb {
namespace {

using texts = std::vector<std::string>;

/// A search over values of one option, or of two, for `frames.dropped = 0` in more than 90 % of runs. One run
/// with drops refutes a point; n without prove it if 0.9^n is at most 5 %, divided by the number of points: 44
/// of five points, 46 of six.
struct question {
    std::vector<texts> axes;
    std::vector<axis_wish> wishes;
    /// By point: whether its runs have no drops.
    std::vector<bool> good;
    std::size_t runs = 100;
    std::vector<const char*> keys{"switch.ingress_buffer", "host.link_rate"};
};

struct said {
    size_answer answer;
    texts lines;
};

said say(const question& a) {
    size_plan plan;
    std::size_t points = 1;
    for (const texts& values : a.axes) {
        plan.runs.axes.push_back({{a.keys[plan.runs.axes.size()]}, {}});
        for (const std::string& value : values) {
            plan.runs.axes.back().values.push_back({value});
        }
        points *= values.size();
    }
    plan.runs.seeds = {1};
    plan.wishes = a.wishes;
    plan.goals.push_back(read_goal("frames.dropped = 0").value);
    plan.limits.runs = a.runs;
    plan.limits.curve_runs = a.runs;
    size_search search(plan.lines(std::vector<bool>(points, false)), points, plan.goals, plan.limits);
    while (!search.finished()) {
        for (const wanted_run& run : search.wanted()) {
            search.add(run.point, run.index, {run_end::whole, "", {a.good[run.point] ? 0. : 1.}});
        }
    }
    const size_answer answer = answer_of(plan, search);
    return {answer, answer_lines(plan, search, answer)};
}
const texts five{"1KiB", "2KiB", "3KiB", "4KiB", "5KiB"};
const std::vector<texts> pairs{{"1KiB", "2KiB"}, {"1Gbps", "10Gbps", "25Gbps"}};

said smallest_of_five(const std::vector<bool>& good, std::size_t runs = 100) {
    return say({{five}, {axis_wish::smallest}, good, runs});
}

TEST(size_answer, of_one_option_is_the_value_its_proof_and_the_next_one) {
    const said smallest = smallest_of_five({false, false, true, true, true});
    EXPECT_EQ(smallest.answer.state, verdict::met);
    EXPECT_EQ(smallest.lines,
              (texts{"smallest switch.ingress_buffer: 3KiB, met (44 runs)",
                     "  frames.dropped = 0 proven in 90% of runs: 44 runs, none missed it; proven: below 10 % "
                     "of all runs miss it",
                     "  the next value, 2KiB, does not meet the goals (1 run)",
                     "134 runs at 5 of 5 possible points; 95 % confidence that no verdict is wrong"}));
    const said largest = say({{five}, {axis_wish::largest}, {true, true, true, false, false}});
    EXPECT_EQ(largest.lines[0], "largest switch.ingress_buffer: 3KiB, met (44 runs)");
    EXPECT_EQ(largest.lines[2], "  the next value, 4KiB, does not meet the goals (1 run)");
    const said all = smallest_of_five({true, true, true, true, true});
    EXPECT_EQ(all.lines[0], "smallest switch.ingress_buffer: 1KiB, met (44 runs)");
    EXPECT_EQ(all.lines[2], "  no further value is possible");
}

TEST(size_answer, says_where_a_curve_is_not_monotone) {
    const said beyond = smallest_of_five({false, true, false, false, true});
    EXPECT_EQ(beyond.answer.state, verdict::met);
    EXPECT_EQ(beyond.lines[0], "smallest switch.ingress_buffer: 5KiB, met (44 runs)");
    EXPECT_EQ(beyond.lines[3], "  the curve is not monotone: 2KiB meets the goals, 4KiB does not");
    ASSERT_EQ(beyond.answer.lines.size(), 1U);
    EXPECT_EQ(beyond.answer.lines[0].early_met, std::size_t{1});
    EXPECT_EQ(beyond.answer.lines[0].late_miss, std::size_t{3});
    const said end = smallest_of_five({false, true, false, false, false});
    EXPECT_EQ(end.answer.state, verdict::not_decided);
    EXPECT_EQ(
        end.lines[1],
        "  2KiB meets the goals, but the largest possible value does not: search another range of values");
    EXPECT_EQ(end.lines[2], "  the curve is not monotone: 2KiB meets the goals, 5KiB does not");
}

TEST(size_answer, says_why_there_is_none) {
    const said none = smallest_of_five({false, false, false, false, false});
    EXPECT_EQ(none.answer.state, verdict::not_met);
    EXPECT_EQ(
        none.lines,
        (texts{
            "smallest switch.ingress_buffer: not met",
            "  the largest possible value does not meet the goals, and no tested value is proven to meet them",
            "5 runs at 5 of 5 possible points; 95 % confidence that no verdict is wrong"}));
    const said part = smallest_of_five({true, true, true, true, false}, 3);
    EXPECT_EQ(part.answer.state, verdict::not_met);
    EXPECT_EQ(part.lines[1], none.lines[1]) << "the other values are not decided";
    const said open = smallest_of_five({true, true, true, true, true}, 3);
    EXPECT_EQ(open.answer.state, verdict::not_decided);
    EXPECT_EQ(open.lines[0], "smallest switch.ingress_buffer: not decided");
    EXPECT_EQ(open.lines[1],
              "  the largest possible value is not decided after 3 runs: a larger --max-runs may decide it");
}

TEST(size_answer, of_each_value_is_a_verdict_of_its_own) {
    const said each = say({{five}, {axis_wish::each}, {false, true, false, true, true}});
    EXPECT_EQ(each.answer.state, verdict::not_met);
    EXPECT_EQ(each.lines,
              (texts{"switch.ingress_buffer=1KiB: not met", "switch.ingress_buffer=2KiB: met (44 runs)",
                     "switch.ingress_buffer=3KiB: not met", "switch.ingress_buffer=4KiB: met (44 runs)",
                     "switch.ingress_buffer=5KiB: met (44 runs)", "3 of 5 met",
                     "134 runs at 5 of 5 possible points; 95 % confidence that no verdict is wrong"}));
}

TEST(size_answer, of_two_options_is_the_front_that_no_other_pair_dominates) {
    const std::vector<axis_wish> both{axis_wish::smallest, axis_wish::smallest};
    const said front = say({pairs, both, {false, false, true, false, true, true}});
    EXPECT_EQ(front.lines[4],
              "Pareto front: switch.ingress_buffer=1KiB with host.link_rate=25Gbps; "
              "switch.ingress_buffer=2KiB with host.link_rate=10Gbps");
    const said dominated = say({pairs, both, {false, true, true, false, true, true}});
    EXPECT_EQ(dominated.lines[4], "Pareto front: switch.ingress_buffer=1KiB with host.link_rate=10Gbps");
    const said none = say({pairs, both, {false, false, false, false, false, false}});
    EXPECT_EQ(none.lines[4], "Pareto front: none");
}

TEST(size_answer, for_each_value_is_the_best_or_for_traffic_what_all_of_it_needs) {
    const std::vector<axis_wish> for_each{axis_wish::each, axis_wish::smallest};
    const std::vector<bool> good{false, false, true, false, true, true};
    const said best = say({pairs, for_each, good});
    EXPECT_EQ(best.lines[0], "switch.ingress_buffer=1KiB: smallest host.link_rate: 25Gbps, met (46 runs)");
    EXPECT_EQ(best.lines[4], "best: switch.ingress_buffer=2KiB with host.link_rate=10Gbps");
    EXPECT_EQ(best.lines[5], "2 of 2 met");
    const std::vector<const char*> traffic{"traffic.kind", "host.link_rate"};
    const said need = say({pairs, for_each, good, 100, traffic});
    EXPECT_EQ(need.lines[4], "for all of them: host.link_rate=25Gbps (needed by traffic.kind=1KiB)");
    const said same = say({pairs, for_each, {false, true, true, false, true, true}, 100, traffic});
    EXPECT_EQ(same.lines[4], "for all of them: host.link_rate=10Gbps");
    const said part = say({pairs, for_each, {false, false, false, false, true, true}, 100, traffic});
    EXPECT_EQ(part.answer.state, verdict::not_met);
    EXPECT_EQ(part.lines[4], "1 of 2 met");
}

}  // namespace
}  // namespace weir::tb
