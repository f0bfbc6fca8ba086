// Verdicts on statements, from values by hand.
#include "tb/study/statements/judge_statement.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tb/study/reproduce/paper_results.h"
#include "tb/study/sweep/point_choice.h"

namespace weir::tb {
namespace {

using values = std::vector<std::optional<double>>;

paper_statement statement(statement_kind kind, const std::string& number, const std::string& tolerance = "") {
    paper_statement s;
    s.kind = kind;
    s.metrics = {"fct_ns.p99"};
    const auto read = read_paper_range(number, kind, "fct_ns.p99");
    EXPECT_TRUE(read) << read.error;
    s.paper = read.value;
    const auto accepted = read_tolerance(tolerance, kind);
    EXPECT_TRUE(accepted) << accepted.error;
    s.tolerance = accepted.value;
    return s;
}

/// An order of operands that follow each other.
paper_statement order_of(std::size_t operands) {
    paper_statement s = statement(statement_kind::order, "");
    for (std::size_t k = 0; k < operands; ++k) {
        s.ranks.push_back(k);
    }
    return s;
}

judgement judged(const paper_statement& s, const std::vector<statement_cell>& cells) {
    return judge_statement(s, cells, 0.95);
}

TEST(judge_statement, a_value_is_the_mean_over_seeds_in_the_papers_unit) {
    const auto s = statement(statement_kind::value, "10ms", "2");
    // Mean 12 ms, deviations -2, 0, 2: half width t(2) * 2 / sqrt(3).
    const judgement j = judged(s, {{"", {{10e6, 12e6, 14e6}}}});
    EXPECT_EQ(j.verdict, paper_verdict::agrees);
    EXPECT_DOUBLE_EQ(j.least.mean, 12);
    EXPECT_NEAR(j.least.high - 12, 4.302653 * 2 / std::sqrt(3.0), 1e-5);
    EXPECT_NEAR(12 - j.least.low, 4.302653 * 2 / std::sqrt(3.0), 1e-5);
    EXPECT_EQ(j.ours, "12 ms");
    EXPECT_FALSE(j.sure);
    EXPECT_EQ(judged(s, {{"", {{12.1e6, 12.1e6}}}}).verdict, paper_verdict::differs);
    EXPECT_TRUE(judged(s, {{"", {{11e6, 11e6}}}}).sure);
    // A seed without a value is left out.
    EXPECT_DOUBLE_EQ(judged(s, {{"", {{10e6, std::nullopt, 14e6}}}}).least.mean, 12);
}

TEST(judge_statement, a_ratio_is_taken_seed_by_seed) {
    // 1/2 and 2: as far below 1 as above it, whatever the means are. Logarithms +-ln 2, half width t(1) * ln 2.
    const judgement j = judged(statement(statement_kind::ratio, "1", "0.1"), {{"", {{1, 200}, {2, 100}}}});
    EXPECT_DOUBLE_EQ(j.least.mean, 1);
    EXPECT_NEAR(j.least.high, std::pow(2, 12.706205), 1e-2);
    EXPECT_NEAR(j.least.low, std::pow(2, -12.7062), 1e-8);
    EXPECT_EQ(j.verdict, paper_verdict::differs) << "the interval does not tell it from other ratios";
    EXPECT_FALSE(j.sure);
    // Pairs without a partner, or with nothing to divide by, do not count, and are told.
    const judgement one =
        judged(statement(statement_kind::ratio, "0.5"), {{"", {{1, 3, 5}, {2, std::nullopt, 0}}}});
    EXPECT_EQ(one.least.n, 1U);
    EXPECT_EQ(one.note, "1 of 3 seeds");
    EXPECT_EQ(one.verdict, paper_verdict::not_judged) << "one of several seeds says nothing about chance";
}

TEST(judge_statement, below_stays_below_all_of_it) {
    const judgement j =
        judged(statement(statement_kind::below, "90%", "10"), {{"", {{1, 40, 9}, {100, 100, 100}}}});
    EXPECT_LT(j.greatest.high, 100);
    EXPECT_LT(j.least.low, j.least.mean);
    EXPECT_LT(j.least.mean, j.least.high);
}

TEST(judge_statement, tolerance_does_not_make_a_loser_win) {
    // Within 60 points of 2..20 %, and above what it should be below.
    EXPECT_EQ(
        judged(statement(statement_kind::below, "2..20%", "60"), {{"", {{150, 150}, {100, 100}}}}).verdict,
        paper_verdict::differs);
    EXPECT_EQ(judged(statement(statement_kind::ratio, "1.1", "0.2"), {{"", {{95}, {100}}}}).verdict,
              paper_verdict::differs);
    EXPECT_EQ(judged(statement(statement_kind::ratio, "1", "0.2"), {{"", {{95}, {100}}}}).verdict,
              paper_verdict::agrees)
        << "equal ones have no winner";
}

TEST(judge_statement, is_sure_only_where_no_value_of_the_interval_says_otherwise) {
    const auto s = statement(statement_kind::value, "10ms", "1");
    // The interval goes from beyond one end of the tolerance to beyond the other.
    const judgement wide = judged(s, {{"", {{12e6, 14e6, 7e6}}}});
    EXPECT_EQ(wide.verdict, paper_verdict::agrees);
    EXPECT_FALSE(wide.sure);
    const judgement off = judged(s, {{"", {{11e6, 15e6, 10e6}}}});
    EXPECT_EQ(off.verdict, paper_verdict::differs);
    EXPECT_FALSE(off.sure) << "10 ms is within the interval";
    EXPECT_TRUE(judged(s, {{"", {{12e6, 12.1e6, 12.2e6}}}}).sure);
    // A place between the extremes may be the unsure one.
    const judgement between = judged(statement(statement_kind::value, "9..15ms"),
                                     {{"a", {{10e6, 10e6}}}, {"b", {{8e6, 16e6}}}, {"c", {{14e6, 14e6}}}});
    EXPECT_EQ(between.verdict, paper_verdict::agrees);
    EXPECT_FALSE(between.sure);
    // Below on average, and chance could turn who wins.
    const auto below = statement(statement_kind::below, "50%", "5");
    EXPECT_EQ(judged(below, {{"", {{60, 130, 80}, {100, 100, 100}}}}).verdict, paper_verdict::differs);
    EXPECT_FALSE(judged(below, {{"", {{60, 130, 80}, {100, 100, 100}}}}).sure);
    // Below with every seed, by less than the paper has.
    EXPECT_EQ(judged(below, {{"", {{70, 71, 72}, {100, 100, 100}}}}).verdict, paper_verdict::in_order);
    EXPECT_TRUE(judged(below, {{"", {{70, 71, 72}, {100, 100, 100}}}}).sure);
}

TEST(judge_statement, what_lies_beyond_what_was_measured_is_a_bound) {
    judgement j =
        judged(statement(statement_kind::ratio, ""), {{"", {{600, 600}, {300, 300}}, censoring::above}});
    EXPECT_EQ(j.verdict, paper_verdict::not_stated);
    EXPECT_EQ(j.ours, ">2");
    j = judged(statement(statement_kind::ratio, "1.21", "0.1"),
               {{"", {{600, 600}, {200, 200}}, censoring::below}});
    EXPECT_EQ(j.verdict, paper_verdict::not_judged);
    EXPECT_EQ(j.ours, "<3");
    EXPECT_EQ(interval_text(j), "");
}

TEST(judge_statement, below_is_a_share_of_what_is_compared_with) {
    const judgement j =
        judged(statement(statement_kind::below, "81%", "5"), {{"", {{5.3, 5.3}, {28.7, 28.7}}}});
    EXPECT_NEAR(j.least.mean, 100 * (28.7 - 5.3) / 28.7, 1e-9);
    EXPECT_EQ(j.verdict, paper_verdict::agrees);
    EXPECT_EQ(j.ours, "81.5%");
}

TEST(judge_statement, who_wins_is_right_where_the_amount_is_not) {
    const auto s = statement(statement_kind::below, "20..25%", "5");
    EXPECT_EQ(judged(s, {{"", {{50}, {100}}}}).verdict, paper_verdict::in_order);
    EXPECT_EQ(judged(s, {{"", {{101}, {100}}}}).verdict, paper_verdict::differs);
    EXPECT_EQ(judged(s, {{"", {{100}, {100}}}}).verdict, paper_verdict::differs);
    // One place of several is on the other side.
    EXPECT_EQ(judged(s, {{"a", {{50}, {100}}}, {"b", {{101}, {100}}}}).verdict, paper_verdict::differs);
    const auto ratio = statement(statement_kind::ratio, "3");
    EXPECT_EQ(judged(ratio, {{"", {{2}, {1}}}}).verdict, paper_verdict::in_order);
    EXPECT_EQ(judged(ratio, {{"", {{1}, {2}}}}).verdict, paper_verdict::differs);
    // Equal ones have no order.
    EXPECT_EQ(judged(statement(statement_kind::ratio, "1", "0.05"), {{"", {{2}, {1}}}}).verdict,
              paper_verdict::differs);
    // Numbers alone have none either.
    EXPECT_EQ(judged(statement(statement_kind::value, "3ms"), {{"", {{2e6}}}}).verdict, paper_verdict::differs);
}

TEST(judge_statement, a_range_holds_for_every_place_or_for_the_least_or_the_greatest) {
    auto s = statement(statement_kind::below, "10..81%", "5");
    const std::vector<statement_cell> cells{{"a", {{83}, {100}}}, {"b", {{16}, {100}}}, {"c", {{50}, {100}}}};
    judgement j = judged(s, cells);
    EXPECT_EQ(j.verdict, paper_verdict::agrees);
    EXPECT_DOUBLE_EQ(j.least.mean, 17);
    EXPECT_DOUBLE_EQ(j.greatest.mean, 84);
    EXPECT_EQ(j.ours, "17..84%");
    s.tolerance.value = 2;
    EXPECT_EQ(judged(s, cells).verdict, paper_verdict::in_order);
    s.take = place_take::least;
    EXPECT_EQ(judged(s, cells).ours, "17%");
    EXPECT_EQ(judged(s, cells).verdict, paper_verdict::agrees);
    s.take = place_take::most;
    EXPECT_EQ(judged(s, cells).ours, "84%");
}

TEST(judge_statement, an_average_over_places_is_taken_seed_by_seed) {
    auto s = statement(statement_kind::below, "50%", "5");
    s.take = place_take::mean;
    // Both seeds have an average of 50 %, so chance does not matter, whatever the places have.
    const judgement j = judged(s, {{"a", {{80, 60}, {100, 100}}}, {"b", {{20, 40}, {100, 100}}}});
    EXPECT_DOUBLE_EQ(j.least.mean, 50);
    EXPECT_DOUBLE_EQ(j.least.low, 50);
    EXPECT_EQ(j.verdict, paper_verdict::agrees);
    EXPECT_TRUE(j.sure);
    // A seed that lacks a place has no average.
    EXPECT_EQ(judged(s, {{"a", {{80, 60}, {100, 100}}}, {"b", {{20, std::nullopt}, {100, 100}}}}).note,
              "1 of 2 seeds");
}

TEST(judge_statement, an_effect_that_the_interval_does_not_tell_from_none_does_not_agree) {
    // 6 % below on average, within the tolerance, and not with every seed.
    const auto s = statement(statement_kind::below, "6%", "30% of effect");
    const judgement j = judged(s, {{"", {{94, 101, 87}, {100, 100, 100}}}});
    EXPECT_NEAR(j.least.mean, 6, 0.3);
    EXPECT_EQ(j.verdict, paper_verdict::differs);
    EXPECT_EQ(j.note, "the interval includes no effect");
    EXPECT_EQ(judged(s, {{"", {{94, 93.9, 94.1}, {100, 100, 100}}}}).verdict, paper_verdict::agrees);
    EXPECT_EQ(judged(s, {{"", {{100, 100}, {100, 100}}}}).verdict, paper_verdict::differs) << "no effect";
    // A bound has to hold for the interval, too.
    EXPECT_EQ(judged(statement(statement_kind::value, ">4ms"), {{"", {{5e6, 6e6, 4.1e6}}}}).verdict,
              paper_verdict::differs);
    EXPECT_EQ(judged(statement(statement_kind::value, ">4ms"), {{"", {{5e6, 5.1e6, 5.2e6}}}}).verdict,
              paper_verdict::agrees);
}

TEST(judge_statement, an_order_names_three_places_that_break_it) {
    std::vector<statement_cell> cells;
    for (const char* place : {"a", "b", "c", "d", "e"}) {
        cells.push_back({place, {{3, 3}, {2, 2}}});
    }
    EXPECT_EQ(judged(order_of(2), cells).note, "the other way round at a, b, c and 2 more");
    cells.pop_back();
    EXPECT_EQ(judged(order_of(2), cells).note, "the other way round at a, b, c, d");
}

TEST(judge_statement, options_that_move_together_choose_the_places_that_all_of_them_have) {
    sweep_plan plan;
    plan.axes = {
        {{"pfc.mode", "pfc.xoff", "pfc.response"},
         {{"none", "97KB", "0ps"}, {"pfc", "97KB", "0ps"}, {"pfc", "97KB", "auto"}, {"pfc", "90KB", "auto"}}}};
    const auto chosen = [&](const std::string& text) { return chosen_places(plan, read_choice(text).value); };
    using places = std::vector<std::vector<std::size_t>>;
    EXPECT_EQ(chosen("pfc.mode=pfc pfc.xoff=97KB pfc.response=0ps"), places{{1}});
    EXPECT_EQ(chosen("pfc.xoff=90KB pfc.response=auto"), places{{3}});
    EXPECT_EQ(chosen("pfc.response pfc.xoff=90KB"), places{{3}});
    // One option alone takes the first place of each of its values.
    EXPECT_EQ(chosen("pfc.mode=pfc"), places{{1}});
    EXPECT_EQ(chosen("pfc.response=auto,0ps"), (places{{2, 0}}));
    EXPECT_EQ(chosen("pfc.mode=none pfc.xoff=90KB"), std::nullopt);
}

TEST(judge_statement, a_place_has_the_name_of_the_option_that_tells_it_apart) {
    const sweep_axis axis{{"interval", "size"},
                          {{"0ps", "1MB"}, {"135ms", "28KB"}, {"135ms", "583KB"}, {"0ps", "1MB"}}};
    EXPECT_EQ(place_name(axis, 1), "size=28KB");
    EXPECT_EQ(place_name(axis, 2), "size=583KB");
    EXPECT_EQ(place_name(axis, 3), "row 4");
}

TEST(judge_statement, an_effect_of_another_order_does_not_agree_in_order) {
    // ln(1 - 0.22) is -0.248, three times that is 52.5 %.
    const auto s = statement(statement_kind::below, "12..22%", "30% of effect");
    EXPECT_EQ(judged(s, {{"", {{48}, {100}}}}).verdict, paper_verdict::in_order);
    EXPECT_EQ(judged(s, {{"", {{32}, {100}}}}).verdict, paper_verdict::differs);
    EXPECT_EQ(judged(s, {{"", {{99}, {100}}}}).verdict, paper_verdict::differs);
}

TEST(judge_statement, equivalent_is_what_the_whole_interval_says) {
    const auto s = statement(statement_kind::equivalent, "1", "2%");
    EXPECT_EQ(judged(s, {{"", {{101, 100.5, 101}, {100, 100, 100}}}}).verdict, paper_verdict::agrees);
    EXPECT_EQ(judged(s, {{"", {{101, 97, 103}, {100, 100, 100}}}}).verdict, paper_verdict::differs);
    EXPECT_EQ(
        judged(statement(statement_kind::ratio, "not 1"), {{"", {{101, 97, 103}, {100, 100, 100}}}}).verdict,
        paper_verdict::differs);
    EXPECT_EQ(judged(statement(statement_kind::ratio, "not 1"), {{"", {{80, 82}, {100, 100}}}}).verdict,
              paper_verdict::agrees);
}

TEST(judge_statement, a_difference_and_a_share_are_taken_seed_by_seed) {
    judgement j = judged(statement(statement_kind::difference, "20ms", "30% of effect"),
                         {{"", {{50e6, 40e6}, {30e6, 21e6}}}});
    EXPECT_DOUBLE_EQ(j.least.mean, 19.5);
    EXPECT_EQ(j.ours, "19.5 ms");
    // 100 to 40 by way of 70: half of the way.
    j = judged(statement(statement_kind::share, ">40%"), {{"", {{100, 100}, {70, 70}, {40, 40}}}});
    EXPECT_EQ(j.ours, "50%");
    EXPECT_EQ(j.verdict, paper_verdict::agrees);
}

TEST(judge_statement, ends_of_a_range_are_compared_each_by_itself) {
    auto s = statement(statement_kind::below, "10..80%", "30% of effect");
    s.take = place_take::ends;
    EXPECT_EQ(judged(s, {{"a", {{89}, {100}}}, {"b", {{60}, {100}}}, {"c", {{20}, {100}}}}).verdict,
              paper_verdict::agrees);
    EXPECT_EQ(judged(s, {{"a", {{89}, {100}}}, {"b", {{50}, {100}}}}).verdict, paper_verdict::in_order)
        << "the greatest is far below 80 %";
}

TEST(judge_statement, most_places_may_be_asked_for) {
    auto s = statement(statement_kind::below, ">50%");
    s.take = place_take::majority;
    const judgement j = judged(s, {{"a", {{40}, {100}}}, {"b", {{30}, {100}}}, {"c", {{90}, {100}}}});
    EXPECT_EQ(j.verdict, paper_verdict::agrees);
    EXPECT_EQ(j.note, "at 2 of 3 places");
}

TEST(judge_statement, a_change_compares_the_last_place_with_the_first) {
    // At load 1 half of the other, at load 2 a quarter: the ratio halves.
    statement_cell low{"load=1", {{50, 50}, {100, 100}}};
    statement_cell high{"load=2", {{25, 26}, {100, 100}}};
    high.along = 1;
    auto s = statement(statement_kind::ratio, "<1");
    s.take = place_take::change;
    judgement j = judged(s, {low, high});
    EXPECT_NEAR(j.least.mean, 0.51, 0.001);
    EXPECT_EQ(j.verdict, paper_verdict::agrees);
    // The change of a percentage is a difference.
    s = statement(statement_kind::below, ">0%");
    s.take = place_take::change;
    j = judged(s, {low, high});
    EXPECT_DOUBLE_EQ(j.least.mean, 24.5);
    EXPECT_EQ(j.verdict, paper_verdict::agrees);
}

TEST(judge_statement, a_spread_divides_the_greatest_place_by_the_least) {
    auto s = statement(statement_kind::value, "3ms");
    s.paper = read_paper_range("<1.1", statement_kind::ratio, "").value;
    s.take = place_take::spread;
    EXPECT_EQ(judged(s, {{"a", {{100, 90}}}, {"b", {{105, 94.5}}}}).verdict, paper_verdict::agrees);
    EXPECT_EQ(judged(s, {{"a", {{100, 90}}}, {"b", {{115, 103.5}}}}).verdict, paper_verdict::differs);
}

TEST(judge_statement, a_spread_is_that_of_each_metric) {
    auto s = statement(statement_kind::value, "3ms");
    s.paper = read_paper_range("<1.1", statement_kind::ratio, "").value;
    s.take = place_take::spread;
    std::vector<statement_cell> cells{
        {"n=1, small", {{100}}}, {"n=1, large", {{9000}}}, {"n=2, small", {{105}}}, {"n=2, large", {{9400}}}};
    for (std::size_t i = 0; i < cells.size(); ++i) {
        cells[i].others = i % 2 == 0 ? "small" : "large";
        cells[i].along = i / 2;
    }
    EXPECT_EQ(judged(s, cells).verdict, paper_verdict::agrees);
}

TEST(judge_statement, a_share_of_nothing_is_no_share) {
    auto s = statement(statement_kind::share, ">50%");
    s.take = place_take::majority;
    // At the last place the third operand is above the first: there is no gain to have a share of.
    const judgement j =
        judged(s, {{"a", {{100}, {60}, {40}}}, {"b", {{100}, {50}, {40}}}, {"c", {{100}, {150}, {140}}}});
    EXPECT_EQ(j.verdict, paper_verdict::agrees);
    EXPECT_EQ(j.note, "at 2 of 3 places");
    s.take = place_take::all;
    EXPECT_EQ(judged(s, {{"c", {{100}, {150}, {140}}}}).verdict, paper_verdict::not_judged);
}

TEST(judge_statement, a_range_round_no_effect_has_to_hold_for_the_interval) {
    const auto s = statement(statement_kind::difference, "-1..1ms");
    EXPECT_EQ(judged(s, {{"", {{5e6, 5.2e6, 5.1e6}, {5e6, 5e6, 5e6}}}}).verdict, paper_verdict::agrees);
    EXPECT_EQ(judged(s, {{"", {{1e6, 9e6, 5e6}, {5e6, 5e6, 5e6}}}}).verdict, paper_verdict::differs);
}

TEST(judge_statement, extremes_over_runs_have_no_interval) {
    auto s = statement(statement_kind::below, "13%", "30% of effect");
    s.take = place_take::most_run;
    const judgement j = judged(s, {{"", {{95, 87, 92}, {100, 100, 100}}}});
    EXPECT_EQ(j.ours, "13%");
    EXPECT_EQ(interval_text(j), "");
    EXPECT_EQ(j.verdict, paper_verdict::agrees);
}

TEST(judge_statement, means_over_seeds_may_be_compared_instead_of_seeds) {
    // 3 of 100 and 9 of 100: three times as many, although a seed has none.
    auto s = statement(statement_kind::ratio, "3", "30% of effect");
    s.over_seeds = true;
    const judgement j = judged(s, {{"", {{8, 10, 9, 9}, {2, 4, 3, 3}}}});
    EXPECT_NEAR(j.least.mean, 3, 0.1);
    EXPECT_EQ(j.least.n, 4U);
    EXPECT_EQ(j.verdict, paper_verdict::agrees);
    EXPECT_EQ(j.note, "");
    EXPECT_NEAR(judged(s, {{"", {{9, 9, 9, 9}, {0, 4, 4, 4}}}}).least.mean, 3, 0.5);
    // A seed without a value is told, as where seeds are compared.
    EXPECT_EQ(judged(s, {{"", {{8, {}, 9, 9}, {2, 4, 3, 3}}}}).note, "3 of 4 seeds");
    EXPECT_EQ(judged(s, {{"", {{8, {}}, {2, 4}}}}).note, "1 of 2 seeds");
}

TEST(judge_statement, a_range_that_begins_at_no_effect_has_no_order) {
    // "Marginally worse": 1.3 times as much is not.
    const auto s = statement(statement_kind::ratio, "1..1.1");
    EXPECT_EQ(judged(s, {{"", {{130, 131}, {100, 100}}}}).verdict, paper_verdict::differs);
    EXPECT_EQ(judged(s, {{"", {{105, 105.1}, {100, 100}}}}).verdict, paper_verdict::agrees);
}

TEST(judge_statement, says_which_share_did_not_complete_and_judges_no_lower_bound) {
    statement_cell cell{"", {{3e6, 3e6}}};
    cell.unfinished = 0.015;
    EXPECT_EQ(judged(statement(statement_kind::value, "3ms"), {cell}).note, "up to 1.5 % did not complete");
    EXPECT_EQ(judged(statement(statement_kind::value, "3ms"), {cell}).verdict, paper_verdict::agrees);
    cell.is_lower_bound = true;
    const judgement j = judged(statement(statement_kind::value, "3ms"), {cell});
    EXPECT_EQ(j.verdict, paper_verdict::not_judged);
    EXPECT_EQ(j.note, "only a lower bound is known; up to 1.5 % did not complete");
}

TEST(judge_statement, both_ends_of_a_range_need_two_places) {
    auto s = statement(statement_kind::below, "10..80%", "30% of effect");
    s.take = place_take::ends;
    const judgement j = judged(s, {{"a", {{89}, {100}}}});
    EXPECT_EQ(j.verdict, paper_verdict::not_judged);
    EXPECT_EQ(j.note, "there is one place only");
}

TEST(judge_statement, an_order_says_which_seeds_and_places_have_no_value) {
    auto s = order_of(2);
    const judgement two = judged(s, {{"", {{1, 1, std::nullopt}, {2, 2, 2}}}});
    EXPECT_EQ(two.verdict, paper_verdict::agrees);
    EXPECT_EQ(two.note, "2 of 3 seeds");
    EXPECT_EQ(judged(s, {{"", {{1, std::nullopt}, {2, 2}}}}).verdict, paper_verdict::not_judged)
        << "one of several seeds says nothing about chance";
    s.take = place_take::majority;
    const std::vector<statement_cell> cells{
        {"a", {{1, 1}, {2, 2}}}, {"b", {{1, 1}, {2, 2}}}, {"c", {{std::nullopt, std::nullopt}, {2, 2}}}};
    const judgement most = judged(s, cells);
    EXPECT_EQ(most.verdict, paper_verdict::agrees);
    EXPECT_EQ(most.ours, "at 2 of 3 places");
    EXPECT_EQ(most.note, "too few values at c");
}

TEST(judge_statement, says_how_few_values_lie_in_the_tail) {
    statement_cell cell{"", {{3e6, 3e6}}};
    cell.tail = 12.5;
    EXPECT_EQ(judged(statement(statement_kind::value, "3ms"), {cell}).note, "12 values in the tail");
    cell.tail = 1000;
    EXPECT_EQ(judged(statement(statement_kind::value, "3ms"), {cell}).note, "");
}

TEST(judge_statement, a_bound_leaves_out_itself) {
    const auto more = statement(statement_kind::below, ">40%");
    EXPECT_EQ(judged(more, {{"", {{59}, {100}}}}).verdict, paper_verdict::agrees);
    EXPECT_EQ(judged(more, {{"", {{60}, {100}}}}).verdict, paper_verdict::in_order);
    const auto less = statement(statement_kind::value, "<3ms");
    EXPECT_EQ(judged(less, {{"", {{2.9e6}}}}).verdict, paper_verdict::agrees);
    EXPECT_EQ(judged(less, {{"", {{3e6}}}}).verdict, paper_verdict::differs);
}

TEST(judge_statement, an_order_holds_where_chance_cannot_turn_a_pair_round) {
    auto s = order_of(3);
    // The second is 1 above the first with each seed, the third 10 above the second, however seeds differ.
    judgement j = judged(s, {{"", {{10e6, 20e6}, {11e6, 21e6}, {21e6, 31e6}}}});
    EXPECT_EQ(j.verdict, paper_verdict::agrees);
    EXPECT_TRUE(j.sure);
    EXPECT_EQ(j.ours, "15 < 16 < 26 ms");
    s = order_of(2);
    // 1 above in the mean, below with the first seed.
    j = judged(s, {{"", {{10e6, 20e6}, {9e6, 23e6}}}});
    EXPECT_EQ(j.verdict, paper_verdict::differs);
    EXPECT_FALSE(j.sure);
    EXPECT_EQ(j.ours, "15, 16 ms");
    // With one seed the mean decides, and is never sure.
    j = judged(s, {{"", {{1}, {2}}}});
    EXPECT_EQ(j.verdict, paper_verdict::agrees);
    EXPECT_FALSE(j.sure);
    EXPECT_TRUE(judged(s, {{"", {{10e6, 20e6}, {11e6, 21e6}}}}).sure);
    EXPECT_EQ(judged(s, {{"", {{2}, {1}}}}).verdict, paper_verdict::differs);
    EXPECT_EQ(judged(s, {{"", {{1}, {1}}}}).verdict, paper_verdict::differs);
    j = judged(s, {{"x", {{1}, {2}}}, {"y", {{2}, {1}}}});
    EXPECT_EQ(j.verdict, paper_verdict::differs);
    EXPECT_EQ(j.ours, "at 1 of 2 places");
    EXPECT_EQ(j.note, "the other way round at y");
    EXPECT_EQ(judged(s, {{"", {{2, 2}, {2, 2}}}}).note, "equal");
    EXPECT_TRUE(judged(s, {{"", {{2, 2}, {2, 2}}}}).sure);
    // The interval is that of the smallest step.
    s = order_of(3);
    j = judged(s, {{"x", {{1e6, 2e6}, {2e6, 3.5e6}, {9e6, 9e6}}}});
    EXPECT_DOUBLE_EQ(j.least.mean, 1.25);
    EXPECT_EQ(judged(order_of(2), {{"", {{1e6, 4e6}, {2e6, 3e6}}}}).note, "cannot be told from chance");
}

TEST(judge_statement, an_order_may_leave_open_which_of_several_is_first) {
    // The first is below both others; which of these is lower does not matter.
    paper_statement s = order_of(2);
    s.ranks = {0, 1, 1};
    EXPECT_EQ(judged(s, {{"", {{1}, {3}, {2}}}}).verdict, paper_verdict::agrees);
    EXPECT_EQ(judged(s, {{"", {{1}, {3}, {0.5}}}}).verdict, paper_verdict::differs);
    s.ranks = {0, 0, 1};
    EXPECT_EQ(judged(s, {{"", {{2}, {1}, {3}}}}).verdict, paper_verdict::agrees);
    EXPECT_EQ(judged(s, {{"", {{2}, {4}, {3}}}}).verdict, paper_verdict::differs);
}

TEST(judge_statement, an_order_of_averages_is_relative_to_a_point_at_each_place) {
    // Relative to the last operand: 0.5 and 0.9 on average 0.7; 0.9 and 0.8 on average 0.85.
    paper_statement s = order_of(2);
    s.is_relative = true;
    s.take = place_take::mean;
    const judgement j =
        judged(s, {{"a", {{50, 51}, {90, 91}, {100, 100}}}, {"b", {{900, 901}, {800, 801}, {1000, 1000}}}});
    EXPECT_EQ(j.verdict, paper_verdict::agrees);
    EXPECT_EQ(j.ours.substr(0, 8), "0.703 < ");
}

TEST(judge_statement, what_has_no_value_is_not_judged) {
    const auto s = statement(statement_kind::value, "3ms");
    EXPECT_EQ(judged(s, {}).verdict, paper_verdict::not_judged);
    EXPECT_EQ(judged(s, {}).note, "no run has fct_ns.p99");
    const judgement j = judged(s, {{"a", {{3e6}}}, {"b", {{std::nullopt}}}});
    EXPECT_EQ(j.verdict, paper_verdict::not_judged);
    EXPECT_EQ(j.note, "too few values at b");
    EXPECT_EQ(judged(order_of(2), {{"", {{1}, {std::nullopt}}}}).verdict, paper_verdict::not_judged);
    EXPECT_EQ(judged(statement(statement_kind::value, ""), {{"", {{3e6}}}}).verdict, paper_verdict::not_stated);
}

// --- the record ------------------------------------------------------------------------------------------

judgement coming_to(paper_verdict verdict, bool sure) {
    judgement j;
    j.verdict = verdict;
    j.sure = sure;
    return j;
}

TEST(compare_with_record, counts_every_other_verdict_with_the_recorded_seeds) {
    paper_statement s;
    s.is_recorded = true;
    s.recorded = paper_verdict::agrees;
    EXPECT_TRUE(compare_with_record(s, coming_to(paper_verdict::agrees, false), false, true).as_recorded);
    EXPECT_FALSE(compare_with_record(s, coming_to(paper_verdict::differs, false), false, true).as_recorded);
    EXPECT_FALSE(compare_with_record(s, coming_to(paper_verdict::not_judged, false), false, true).as_recorded);
    EXPECT_FALSE(compare_with_record(s, coming_to(paper_verdict::failed, false), false, true).as_recorded);
}

TEST(compare_with_record, counts_only_what_is_sure_with_other_seeds) {
    paper_statement s;
    s.is_recorded = true;
    s.recorded = paper_verdict::agrees;
    const auto unsure = compare_with_record(s, coming_to(paper_verdict::differs, false), false, false);
    EXPECT_TRUE(unsure.as_recorded);
    EXPECT_EQ(unsure.ours.verdict, paper_verdict::not_judged);
    EXPECT_FALSE(compare_with_record(s, coming_to(paper_verdict::differs, true), false, false).as_recorded);
    EXPECT_FALSE(compare_with_record(s, coming_to(paper_verdict::failed, false), false, false).as_recorded);
}

TEST(compare_with_record, quick_has_a_record_of_its_own_or_none) {
    paper_statement s;
    s.is_recorded = true;
    s.recorded = paper_verdict::agrees;
    const auto none = compare_with_record(s, coming_to(paper_verdict::differs, true), true, true);
    EXPECT_TRUE(none.as_recorded);
    EXPECT_EQ(none.ours.verdict, paper_verdict::not_judged);
    s.quick = paper_verdict::differs;
    EXPECT_TRUE(compare_with_record(s, coming_to(paper_verdict::differs, true), true, true).as_recorded);
    EXPECT_FALSE(compare_with_record(s, coming_to(paper_verdict::agrees, true), true, true).as_recorded);
}

}  // namespace
}  // namespace weir::tb
