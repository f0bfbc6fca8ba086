// Verdicts on statements, from values by hand.
#include "tb/reproduce/judge_statement.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tb/reproduce/paper_results.h"

namespace weir::tb {
namespace {

using values = std::vector<std::optional<double>>;

paper_statement statement(statement_kind kind, const std::string& number, double tolerance = 0) {
    paper_statement s;
    s.kind = kind;
    s.metrics = {"fct_ns.p99"};
    const auto read = read_paper_range(number, kind, "fct_ns.p99");
    EXPECT_TRUE(read) << read.error;
    s.paper = read.value;
    s.tolerance_low = s.tolerance_high = tolerance;
    return s;
}

judgement judged(const paper_statement& s, const std::vector<statement_cell>& cells) {
    return judge_statement(s, cells, 0.95);
}

TEST(judge_statement, a_value_is_the_mean_over_seeds_in_the_papers_unit) {
    const auto s = statement(statement_kind::value, "10ms", 2);
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
    const judgement j = judged(statement(statement_kind::ratio, "1", 0.1), {{"", {{1, 200}, {2, 100}}}});
    EXPECT_DOUBLE_EQ(j.least.mean, 1);
    EXPECT_NEAR(j.least.high, std::pow(2, 12.706205), 1e-2);
    EXPECT_NEAR(j.least.low, std::pow(2, -12.7062), 1e-8);
    EXPECT_EQ(j.verdict, paper_verdict::agrees);
    EXPECT_FALSE(j.sure);
    // Pairs without a partner, or with nothing to divide by, do not count, and are told.
    const judgement one =
        judged(statement(statement_kind::ratio, "0.5"), {{"", {{1, 3, 5}, {2, std::nullopt, 0}}}});
    EXPECT_EQ(one.least.n, 1U);
    EXPECT_EQ(one.note, "1 of 3 seeds");
}

TEST(judge_statement, below_stays_below_all_of_it) {
    const judgement j =
        judged(statement(statement_kind::below, "90%", 10), {{"", {{1, 40, 9}, {100, 100, 100}}}});
    EXPECT_LT(j.greatest.high, 100);
    EXPECT_LT(j.least.low, j.least.mean);
    EXPECT_LT(j.least.mean, j.least.high);
}

TEST(judge_statement, tolerance_does_not_make_a_loser_win) {
    // Within 60 points of 2..20 %, and above what it should be below.
    EXPECT_EQ(judged(statement(statement_kind::below, "2..20%", 60), {{"", {{150, 150}, {100, 100}}}}).verdict,
              paper_verdict::differs);
    EXPECT_EQ(judged(statement(statement_kind::ratio, "1.1", 0.2), {{"", {{95}, {100}}}}).verdict,
              paper_verdict::differs);
    EXPECT_EQ(judged(statement(statement_kind::ratio, "1", 0.2), {{"", {{95}, {100}}}}).verdict,
              paper_verdict::agrees)
        << "equal ones have no winner";
}

TEST(judge_statement, is_sure_only_where_no_value_of_the_interval_says_otherwise) {
    const auto s = statement(statement_kind::value, "10ms", 1);
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
    // In order, and chance could turn who wins.
    const auto below = statement(statement_kind::below, "50%", 5);
    EXPECT_EQ(judged(below, {{"", {{60, 130, 80}, {100, 100, 100}}}}).verdict, paper_verdict::in_order);
    EXPECT_FALSE(judged(below, {{"", {{60, 130, 80}, {100, 100, 100}}}}).sure);
    EXPECT_TRUE(judged(below, {{"", {{80, 81, 82}, {100, 100, 100}}}}).sure);
}

TEST(judge_statement, what_lies_beyond_what_was_measured_is_a_bound) {
    judgement j =
        judged(statement(statement_kind::ratio, ""), {{"", {{600, 600}, {300, 300}}, censoring::above}});
    EXPECT_EQ(j.verdict, paper_verdict::not_stated);
    EXPECT_EQ(j.ours, ">2");
    j = judged(statement(statement_kind::ratio, "1.21", 0.1),
               {{"", {{600, 600}, {200, 200}}, censoring::below}});
    EXPECT_EQ(j.verdict, paper_verdict::not_judged);
    EXPECT_EQ(j.ours, "<3");
    EXPECT_EQ(interval_text(j), "");
}

TEST(judge_statement, below_is_a_share_of_what_is_compared_with) {
    const judgement j = judged(statement(statement_kind::below, "81%", 5), {{"", {{5.3, 5.3}, {28.7, 28.7}}}});
    EXPECT_NEAR(j.least.mean, 100 * (28.7 - 5.3) / 28.7, 1e-9);
    EXPECT_EQ(j.verdict, paper_verdict::agrees);
    EXPECT_EQ(j.ours, "81.5%");
}

TEST(judge_statement, who_wins_is_right_where_the_amount_is_not) {
    const auto s = statement(statement_kind::below, "20..25%", 5);
    EXPECT_EQ(judged(s, {{"", {{50}, {100}}}}).verdict, paper_verdict::in_order);
    EXPECT_EQ(judged(s, {{"", {{101}, {100}}}}).verdict, paper_verdict::differs);
    EXPECT_EQ(judged(s, {{"", {{100}, {100}}}}).verdict, paper_verdict::differs);
    // One place of several is on the other side.
    EXPECT_EQ(judged(s, {{"a", {{50}, {100}}}, {"b", {{101}, {100}}}}).verdict, paper_verdict::differs);
    const auto ratio = statement(statement_kind::ratio, "3");
    EXPECT_EQ(judged(ratio, {{"", {{2}, {1}}}}).verdict, paper_verdict::in_order);
    EXPECT_EQ(judged(ratio, {{"", {{1}, {2}}}}).verdict, paper_verdict::differs);
    // Equal ones have no order.
    EXPECT_EQ(judged(statement(statement_kind::ratio, "1", 0.05), {{"", {{2}, {1}}}}).verdict,
              paper_verdict::differs);
    // Numbers alone have none either.
    EXPECT_EQ(judged(statement(statement_kind::value, "3ms"), {{"", {{2e6}}}}).verdict, paper_verdict::differs);
}

TEST(judge_statement, a_range_holds_for_every_place_or_for_the_least_or_the_greatest) {
    auto s = statement(statement_kind::below, "10..81%", 5);
    const std::vector<statement_cell> cells{{"a", {{83}, {100}}}, {"b", {{16}, {100}}}, {"c", {{50}, {100}}}};
    judgement j = judged(s, cells);
    EXPECT_EQ(j.verdict, paper_verdict::agrees);
    EXPECT_DOUBLE_EQ(j.least.mean, 17);
    EXPECT_DOUBLE_EQ(j.greatest.mean, 84);
    EXPECT_EQ(j.ours, "17..84%");
    s.tolerance_high = 2;
    EXPECT_EQ(judged(s, cells).verdict, paper_verdict::in_order);
    s.take = place_take::least;
    EXPECT_EQ(judged(s, cells).ours, "17%");
    EXPECT_EQ(judged(s, cells).verdict, paper_verdict::agrees);
    s.take = place_take::most;
    EXPECT_EQ(judged(s, cells).ours, "84%");
}

TEST(judge_statement, an_average_is_that_of_the_places_with_the_means_of_their_bounds) {
    auto s = statement(statement_kind::below, "50%", 5);
    s.take = place_take::mean;
    const std::vector<statement_cell> cells{{"a", {{80, 82}, {100, 100}}}, {"b", {{20, 22}, {100, 100}}}};
    const judgement j = judged(s, cells);
    const judgement a = judged(s, {cells[0]});
    const judgement b = judged(s, {cells[1]});
    EXPECT_DOUBLE_EQ(j.least.mean, (a.least.mean + b.least.mean) / 2);
    EXPECT_DOUBLE_EQ(j.least.low, (a.least.low + b.least.low) / 2);
    EXPECT_DOUBLE_EQ(j.greatest.high, (a.greatest.high + b.greatest.high) / 2);
    EXPECT_EQ(j.verdict, paper_verdict::agrees);
    EXPECT_EQ(judged(s, {{"a", {{80}, {100}}}, {"b", {{20}, {100}}}}).ours, "50%");
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
    auto s = statement(statement_kind::order, "");
    // The second is 1 above the first with each seed, the third 10 above the second, however seeds differ.
    judgement j = judged(s, {{"", {{10e6, 20e6}, {11e6, 21e6}, {21e6, 31e6}}}});
    EXPECT_EQ(j.verdict, paper_verdict::agrees);
    EXPECT_TRUE(j.sure);
    EXPECT_EQ(j.ours, "15 < 16 < 26 ms");
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
    j = judged(s, {{"x", {{1e6, 2e6}, {2e6, 3.5e6}, {9e6, 9e6}}}});
    EXPECT_DOUBLE_EQ(j.least.mean, 1.25);
    EXPECT_EQ(judged(s, {{"", {{1e6, 4e6}, {2e6, 3e6}}}}).note, "cannot be told from chance");
}

TEST(judge_statement, what_has_no_value_is_not_judged) {
    const auto s = statement(statement_kind::value, "3ms");
    EXPECT_EQ(judged(s, {}).verdict, paper_verdict::not_judged);
    EXPECT_EQ(judged(s, {}).note, "no run has fct_ns.p99");
    const judgement j = judged(s, {{"a", {{3e6}}}, {"b", {{std::nullopt}}}});
    EXPECT_EQ(j.verdict, paper_verdict::not_judged);
    EXPECT_EQ(j.note, "too few values at b");
    EXPECT_EQ(judged(statement(statement_kind::order, ""), {{"", {{1}, {std::nullopt}}}}).verdict,
              paper_verdict::not_judged);
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
    s.recorded = paper_verdict::agrees;
    EXPECT_TRUE(compare_with_record(s, coming_to(paper_verdict::agrees, false), false, true).as_recorded);
    EXPECT_FALSE(compare_with_record(s, coming_to(paper_verdict::differs, false), false, true).as_recorded);
    EXPECT_FALSE(compare_with_record(s, coming_to(paper_verdict::not_judged, false), false, true).as_recorded);
    EXPECT_FALSE(compare_with_record(s, coming_to(paper_verdict::failed, false), false, true).as_recorded);
}

TEST(compare_with_record, counts_only_what_is_sure_with_other_seeds) {
    paper_statement s;
    s.recorded = paper_verdict::agrees;
    const auto unsure = compare_with_record(s, coming_to(paper_verdict::differs, false), false, false);
    EXPECT_TRUE(unsure.as_recorded);
    EXPECT_EQ(unsure.ours.verdict, paper_verdict::not_judged);
    EXPECT_FALSE(compare_with_record(s, coming_to(paper_verdict::differs, true), false, false).as_recorded);
    EXPECT_FALSE(compare_with_record(s, coming_to(paper_verdict::failed, false), false, false).as_recorded);
}

TEST(compare_with_record, quick_has_a_record_of_its_own_or_none) {
    paper_statement s;
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
