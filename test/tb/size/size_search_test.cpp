// The search with synthetic runs whose answers are known.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tb/study/size/size_search.h"
#include "weir/base/rng.h"

namespace weir::tb {
namespace {

std::vector<size_goal> goals_of(const std::vector<std::string>& texts) {
    std::vector<size_goal> goals;
    for (const std::string& text : texts) {
        goals.push_back(read_goal(text).value);
    }
    return goals;
}

run_outcome value(double v) {
    return {run_end::whole, "", {v}};
}
run_outcome loss() {
    return {run_end::loss, "lost", {std::nullopt}};
}

TEST(place_judge, counts_runs_in_the_order_of_their_seeds_and_none_after_the_decision) {
    const auto goals = goals_of({"flows.completed <= 5"});
    const std::vector<double> values{1, 9, 2, 3, 1, 1, 2, 1, 1, 4, 2, 2, 1, 1, 1, 1, 2, 3, 1, 1, 9, 9, 9, 9};
    place_judge in_order(goals, 0.01);
    in_order.allow(100);
    for (std::size_t i = 0; i < values.size(); ++i) {
        in_order.add(i, value(values[i]));
    }
    ASSERT_EQ(in_order.state(), verdict::met);
    EXPECT_LT(in_order.runs(), values.size());
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), 0);
    random_stream stream{1, 1, random_purpose::sizes};
    for (int shuffle = 0; shuffle < 20; ++shuffle) {
        for (std::size_t i = order.size(); i > 1; --i) {
            std::swap(order[i - 1], order[static_cast<std::size_t>(stream.uniform() * static_cast<double>(i))]);
        }
        place_judge judge(goals, 0.01);
        judge.allow(100);
        for (const std::size_t i : order) {
            judge.add(i, value(values[i]));
        }
        EXPECT_EQ(judge.state(), in_order.state());
        EXPECT_EQ(judge.runs(), in_order.runs());
        EXPECT_EQ(judge.misses(0), in_order.misses(0));
    }
}

TEST(place_judge, a_lossless_loss_misses_every_goal_and_refutes_losslessness_at_once) {
    const auto both = goals_of({"lossless", "flows.completed <= 5"});
    place_judge judge(both, 0.01);
    judge.allow(100);
    judge.add(0, {run_end::loss, "lost", {std::nullopt, std::nullopt}});
    EXPECT_EQ(judge.state(), verdict::not_met);
    EXPECT_EQ(judge.misses(0), 1U);
    EXPECT_EQ(judge.misses(1), 1U);
    EXPECT_EQ(judge.runs(), 1U);
    // Without that goal it is a miss like others.
    const auto one = goals_of({"flows.completed <= 5"});
    place_judge other(one, 0.01);
    other.allow(100);
    other.add(0, loss());
    EXPECT_EQ(other.state(), verdict::not_decided);
    EXPECT_EQ(other.misses(0), 1U);
}

TEST(place_judge, a_deadlock_misses_every_goal) {
    const auto goals = goals_of({"lossless", "flows.completed <= 5"});
    place_judge judge(goals, 0.01);
    judge.allow(100);
    judge.add(0, {run_end::deadlock, "stuck", {std::nullopt, std::nullopt}});
    EXPECT_EQ(judge.state(), verdict::not_met);
    EXPECT_EQ(judge.misses(0), 1U);
    EXPECT_EQ(judge.misses(1), 1U);
    EXPECT_EQ(judge.ended(run_end::deadlock), 1U);
    EXPECT_EQ(judge.ended(run_end::loss), 0U);
}

TEST(place_judge, a_share_of_lossless_runs_survives_a_loss_that_a_strict_goal_does_not) {
    const auto goals = goals_of({"lossless in 80% of runs"});
    place_judge judge(goals, 0.05);
    judge.allow(200);
    for (std::size_t i = 0; i < 200 && !judge.settled(); ++i) {
        judge.add(i, i == 3 || i == 20 ? loss() : value(0));
    }
    EXPECT_EQ(judge.state(), verdict::met);
    EXPECT_EQ(judge.misses(0), 2U);
    // The averaged likelihood ratio in numbers: the integral of q^2 (1 - q)^(n - 2) over q from 0 to 0.2.
    const auto ratio = [](double n) {
        double sum = 0;
        constexpr int steps = 100'000;
        for (int k = 0; k < steps; ++k) {
            const double q = 0.2 * (k + 0.5) / steps;
            sum += q * q * std::pow(1 - q, n - 2) / steps;
        }
        return sum / (0.04 * std::pow(0.8, n - 2));
    };
    const auto n = static_cast<double>(judge.runs());
    EXPECT_GE(ratio(n), 20);
    EXPECT_LT(ratio(n - 1), 20);
}

TEST(place_judge, a_failure_counts_only_where_it_is_needed) {
    const auto goals = goals_of({"lossless"});
    place_judge judge(goals, 0.01);
    judge.allow(100);
    judge.add(2, {run_end::failure, "disk", {std::nullopt}});
    EXPECT_FALSE(judge.failure());
    judge.add(0, value(0));
    judge.add(1, loss());
    EXPECT_EQ(judge.state(), verdict::not_met);
    EXPECT_FALSE(judge.failure());
    place_judge other(goals, 0.01);
    other.allow(100);
    other.add(1, {run_end::failure, "disk", {std::nullopt}});
    other.add(0, value(0));
    ASSERT_TRUE(other.failure());
    EXPECT_EQ(*other.failure(), "disk");
    EXPECT_EQ(other.runs(), 1U);
    EXPECT_EQ(other.needed(), 1U);
}

TEST(place_judge, several_goals_are_met_when_each_is_and_a_late_loss_counts) {
    const auto goals = goals_of({"frames.dropped = 0", "flows.completed >= 5"});
    place_judge judge(goals, 0.05);
    judge.allow(100);
    std::size_t n = 0;
    while (!judge.settled()) {
        judge.add(n++, {run_end::whole, "", {0.0, 7.0}});
    }
    EXPECT_EQ(judge.state(), verdict::met);
    EXPECT_EQ(judge.runs(), 29U);  // 0.9^29 < 0.05; the other goal was decided before
    // The strict goal is decided first, and missed while the other one is still open.
    const auto quick =
        goals_of({"frames.dropped = 0 proven in 10% of runs", "flows.completed >= 5 in 90% of runs"});
    place_judge late(quick, 0.05);
    late.allow(100);
    late.add(0, {run_end::whole, "", {0.0, 7.0}});
    EXPECT_EQ(late.goal_state(0), verdict::not_decided);
    late.add(1, {run_end::whole, "", {0.0, 7.0}});
    EXPECT_EQ(late.goal_state(0), verdict::met);
    EXPECT_EQ(late.state(), verdict::not_decided);
    late.add(2, {run_end::whole, "", {1.0, 7.0}});
    EXPECT_EQ(late.state(), verdict::not_met);
}

TEST(place_judge, a_run_without_a_value_misses_and_counts_as_infinitely_bad) {
    for (const bool small : {true, false}) {
        const auto goals = goals_of({small ? "flows.completed <= 5" : "flows.completed >= 5"});
        place_judge judge(goals, 0.2);
        judge.allow(100);
        judge.add(0, value(3));
        judge.add(1, {run_end::whole, "", {std::nullopt}});
        judge.add(2, value(small ? 4 : 9));
        judge.add(3, loss());
        EXPECT_EQ(judge.misses(0), small ? 2U : 3U);
        // Two of four are at most 4 (at least 3).
        EXPECT_EQ(judge.value(0)->value.end(), small ? 4 : 3);
        judge.add(4, {run_end::deadlock, "stuck", {std::nullopt}});
        EXPECT_FALSE(std::isfinite(judge.value(0)->value.end())) << "half of five are three";
        EXPECT_EQ(judge.value(0)->value.end() > 0, small);
    }
}

// Runs are asked for in one go as far as no decision can come before.
TEST(place_judge, a_lower_bound_beyond_the_goal_misses_and_any_other_never_meets_it) {
    const auto goals = goals_of({"fct_ns.p99 <= 5us"});
    const auto bound = [](double ns) { return run_outcome{run_end::whole, "", {value_range(ns, HUGE_VAL)}}; };
    place_judge beyond(goals, 0.01);
    place_judge below(goals, 0.01);
    for (place_judge* const judge : {&beyond, &below}) {
        judge->allow(100);
    }
    for (std::size_t i = 0; i < 100; ++i) {
        beyond.add(i, bound(6'000));
        below.add(i, bound(4'000));
    }
    EXPECT_EQ(beyond.state(), verdict::not_met);
    EXPECT_EQ(beyond.misses(0), beyond.runs());
    EXPECT_EQ(below.state(), verdict::not_decided);
    EXPECT_EQ(below.misses(0), 0U);
    EXPECT_EQ(below.undecided(0), 100U);
    EXPECT_EQ(below.miss_share(0).high, 1) << "all of them may miss it";
    EXPECT_EQ(below.value(0)->low, 4'000);
    EXPECT_FALSE(below.value(0)->high);
    EXPECT_STREQ(below.value(0)->value.bound(), "at least");
    EXPECT_EQ(below.value(0)->value.end(), 4'000);
    // Where large values are good, a lower bound beyond the goal meets it.
    const auto large = goals_of({"fct_ns.p99 >= 5us"});
    place_judge good(large, 0.01);
    good.allow(100);
    for (std::size_t i = 0; i < 100; ++i) {
        good.add(i, bound(6'000));
    }
    EXPECT_EQ(good.state(), verdict::met);
    EXPECT_EQ(good.value(0)->value.end(), 6'000);
    EXPECT_EQ(good.value(0)->low, 6'000);
    EXPECT_FALSE(good.value(0)->high) << "each may be any value above";
}

TEST(place_judge, undecided_runs_do_not_keep_the_others_from_deciding) {
    const auto goals = goals_of({"fct_ns.p99 <= 5us in 50% of runs"});
    place_judge judge(goals, 0.01);
    judge.allow(100);
    for (std::size_t i = 0; i < 100; ++i) {
        judge.add(i, {run_end::whole, "", {value_range(4'000, i % 10 == 0 ? HUGE_VAL : 4'000)}});
    }
    EXPECT_EQ(judge.state(), verdict::met);
}

TEST(place_judge, asks_for_the_runs_that_every_decision_needs) {
    const auto needed = [](const std::vector<std::string>& texts) {
        const auto goals = goals_of(texts);
        place_judge judge(goals, 0.05);
        judge.allow(1000);
        return judge.needed();
    };
    const share_test half({0.5, false}, 0.05);
    const std::size_t soon = *half.fewest_runs(verdict::met, 1000);
    const std::size_t late = *share_test({0.1, false}, 0.05).fewest_runs(verdict::met, 1000);
    // That nine of ten hold could be refuted by fewer runs that miss than prove it.
    const std::size_t refuted = *share_test({0.1, false}, 0.05).fewest_runs(verdict::not_met, 1000);
    ASSERT_LT(refuted, soon);
    ASSERT_LT(soon, late);
    EXPECT_EQ(needed({"flows.completed >= 5"}), soon);
    EXPECT_EQ(needed({"drops = 0"}), 29U) << "one that misses decides at any time, and is not counted on";
    EXPECT_EQ(needed({"flows.completed >= 5 in 90% of runs"}), refuted);
    // Met when both are: 29 runs. Refuted by the one that is not strict: earlier. In whatever order they are
    // given.
    EXPECT_EQ(needed({"drops = 0", "flows.completed >= 5"}), soon);
    EXPECT_EQ(needed({"flows.completed >= 5", "drops = 0"}), soon);
    EXPECT_EQ(needed({"drops = 0", "frames.sent = 0 proven in 50% of runs"}), 29U);
    EXPECT_EQ(needed({"drops = 0 proven in 50% of runs", "frames.sent = 0"}), 29U);
    // A strict goal that is soon met refutes nothing.
    EXPECT_EQ(needed({"drops = 0 proven in 10% of runs", "flows.completed >= 5"}), soon);
}

TEST(place_judge, is_never_allowed_fewer_runs_than_before) {
    const auto goals = goals_of({"flows.completed >= 5"});
    place_judge judge(goals, 0.05);
    judge.allow(10);
    judge.allow(3);
    for (std::size_t i = 0; i < 3; ++i) {
        judge.add(i, value(i == 1 ? 1 : 7));
    }
    EXPECT_FALSE(judge.settled());
    EXPECT_GT(judge.needed(), 3U);
}

TEST(place_judge, intervals_of_large_is_good_goals_are_the_right_way_round) {
    const auto goals = goals_of({"flows.completed >= 5"});
    place_judge judge(goals, 0.2);
    judge.allow(9);
    for (std::size_t i = 0; i < 9; ++i) {
        judge.add(i, value(i % 2 == 0 ? static_cast<double>(i) : 9 - static_cast<double>(i)));
    }
    const goal_estimate found = *judge.value(0);
    ASSERT_TRUE(found.low && found.high);
    EXPECT_LT(*found.low, found.value.end());
    EXPECT_LT(found.value.end(), *found.high);
}

/// Verdicts that are known at once.
class known_verdicts {
 public:
    explicit known_verdicts(std::vector<verdict> all) : m_all(std::move(all)), m_seen(m_all.size()) {}

    line_answer search(line_search::limits limits) {
        line_search line(m_all.size(), limits);
        const line_search::look look = [&](std::size_t p, std::size_t) {
            return m_seen[p] ? line_search::place_state{m_all[p], true} : line_search::place_state{};
        };
        for (auto demands = line.next(look); !demands.empty(); demands = line.next(look)) {
            for (const place_demand& demand : demands) {
                EXPECT_FALSE(m_seen[demand.position]);
                m_seen[demand.position] = true;
            }
        }
        return line.answer();
    }
    bool seen(std::size_t p) const { return m_seen[p]; }
    std::size_t looked() const {
        return static_cast<std::size_t>(std::count(m_seen.begin(), m_seen.end(), true));
    }

 private:
    std::vector<verdict> m_all;
    std::vector<bool> m_seen;
};

TEST(line_search, finds_the_first_place_of_every_monotone_curve_with_few_looks) {
    for (std::size_t n = 1; n <= 70; ++n) {
        for (std::size_t first = 0; first <= n; ++first) {
            std::vector<verdict> all(n, verdict::not_met);
            std::fill(all.begin() + static_cast<std::ptrdiff_t>(first), all.end(), verdict::met);
            known_verdicts known(all);
            const line_answer answer = known.search({100, 0, 1});
            ASSERT_EQ(answer.state, first < n ? verdict::met : verdict::not_met);
            ASSERT_EQ(answer.place, first < n ? std::optional(first) : std::nullopt);
            ASSERT_TRUE(answer.monotone());
            if (first < n) {
                ASSERT_TRUE(answer.sharp);
                ASSERT_EQ(answer.refuted, first > 0 ? std::optional(first - 1) : std::nullopt);
            }
            ASSERT_LE(static_cast<double>(known.looked()),
                      2 + std::ceil(std::log2(std::max<double>(1, static_cast<double>(n) - 1))));
        }
    }
}

TEST(line_search, spreads_the_places_of_its_curve_evenly_with_both_ends) {
    for (const std::size_t n : {1, 2, 5, 8, 40, 101}) {
        for (const std::size_t curve : {0, 1, 2, 3, 4, 6, 9}) {
            known_verdicts known(std::vector<verdict>(n, verdict::met));
            EXPECT_EQ(known.search({100, curve, 1}).place, std::optional<std::size_t>(0));
            std::vector<bool> expected(n);
            expected.front() = expected.back() = true;
            for (std::size_t i = 0; i < curve && curve > 1; ++i) {
                const double place = static_cast<double>(i * (n - 1)) / static_cast<double>(curve - 1);
                expected[static_cast<std::size_t>(std::lround(place))] = true;
            }
            for (std::size_t p = 0; p < n; ++p) {
                EXPECT_EQ(known.seen(p), expected[p]) << p << " of " << n << ", " << curve << " places";
            }
        }
    }
}

/// Every one of 3^7 curves, monotone or not, decided or not.
TEST(line_search, is_never_silently_wrong) {
    constexpr std::size_t n = 7;
    for (int code = 0; code < 2187; ++code) {
        std::vector<verdict> all;
        int rest = code;
        for (std::size_t p = 0; p < n; ++p, rest /= 3) {
            all.push_back(static_cast<verdict>(rest % 3));
        }
        for (const std::size_t curve : {0, 3, 7}) {
            known_verdicts known(all);
            const line_answer answer = known.search({100, curve, 1});
            const auto is = [&](std::size_t p, verdict v) { return known.seen(p) && all[p] == v; };
            bool early = false;
            bool out_of_order = false;
            for (std::size_t p = 0; p < n; ++p) {
                out_of_order = out_of_order || (early && is(p, verdict::not_met));
                early = early || is(p, verdict::met);
            }
            ASSERT_EQ(!answer.monotone(), out_of_order) << code;
            ASSERT_EQ(answer.place.has_value(), all[n - 1] == verdict::met) << code;
            ASSERT_EQ(answer.state == verdict::not_met, !early && all[n - 1] == verdict::not_met) << code;
            if (!answer.place) {
                continue;
            }
            ASSERT_TRUE(is(*answer.place, verdict::met)) << code;
            for (std::size_t p = *answer.place; p < n; ++p) {
                ASSERT_FALSE(is(p, verdict::not_met)) << code << ": a place beyond the answer is not met";
            }
            ASSERT_EQ(answer.sharp, *answer.place == 0 || is(*answer.place - 1, verdict::not_met)) << code;
        }
    }
}

/// Runs of a model with a known answer: a value of lognormal noise round a falling curve.
class synthetic_runs {
 public:
    explicit synthetic_runs(std::uint64_t seed) : m_seed(seed) {}

    /// The median over all runs; 10 at place 12.5.
    static double median(std::size_t point) { return 10 * std::pow(0.97, static_cast<double>(point) - 12.5); }
    run_outcome at(std::size_t point, std::size_t index) const {
        random_stream stream{m_seed, static_cast<std::uint32_t>(1 + index), random_purpose::sizes};
        double sum = -6;
        for (int i = 0; i < 12; ++i) {
            sum += stream.uniform();
        }
        return value(median(point) * std::exp(0.5 * sum));
    }

 private:
    std::uint64_t m_seed;
};

std::vector<std::size_t> line_of(std::size_t n) {
    std::vector<std::size_t> line(n);
    std::iota(line.begin(), line.end(), 0);
    return line;
}

void run_all(size_search& search, const synthetic_runs& runs, bool backwards = false) {
    while (!search.finished()) {
        std::vector<wanted_run> wanted = search.wanted();
        ASSERT_FALSE(wanted.empty());
        if (backwards) {
            std::reverse(wanted.begin(), wanted.end());
        }
        for (const wanted_run& run : wanted) {
            search.add(run.point, run.index, runs.at(run.point, run.index));
        }
    }
}

// Common random numbers, skewed values, slopes so gentle (3 % a place, noise of 50 %) that wrong verdicts would
// be easy.
TEST(size_search_statistical, wrong_verdicts_anywhere_in_a_search_are_rarer_than_its_confidence_says) {
    const auto goals = goals_of({"flows.completed <= 10"});
    size_search::limits limits;
    limits.runs = 60;
    limits.confidence = 0.8;
    int wrong = 0;
    int answered = 0;
    constexpr int searches = 300;
    for (int s = 0; s < searches; ++s) {
        size_search search({line_of(26)}, 26, goals, limits);
        run_all(search, synthetic_runs(static_cast<std::uint64_t>(s)));
        bool any = false;
        for (std::size_t p = 0; p < 26; ++p) {
            const bool holds = synthetic_runs::median(p) <= 10;
            any = any || search.judge(p).state() == (holds ? verdict::not_met : verdict::met);
        }
        wrong += any ? 1 : 0;
        answered += search.answer(0).state == verdict::met ? 1 : 0;
    }
    // Standard deviation of a share of 20 %: 2.3 %.
    EXPECT_LE(wrong, searches * (0.2 + 0.07));
    EXPECT_GT(answered, searches / 4) << "the test would hold for a search that decides nothing";
}

TEST(size_search, does_not_depend_on_the_order_in_which_runs_end) {
    const auto goals = goals_of({"flows.completed <= 12"});
    size_search::limits limits;
    limits.runs = 40;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        size_search one({line_of(26)}, 26, goals, limits);
        size_search other({line_of(26)}, 26, goals, limits);
        run_all(one, synthetic_runs(seed));
        run_all(other, synthetic_runs(seed), true);
        for (std::size_t p = 0; p < 26; ++p) {
            EXPECT_EQ(one.judge(p).runs(), other.judge(p).runs());
            EXPECT_EQ(one.judge(p).state(), other.judge(p).state());
        }
        EXPECT_EQ(one.answer(0).place, other.answer(0).place);
    }
}

TEST(size_search, tells_the_same_failure_in_whatever_order_runs_end) {
    const auto goals = goals_of({"lossless"});
    size_search::limits limits;
    limits.curve = 0;
    // Three lines of six; the second one fails at several places, and the third one at its first run.
    const auto outcome = [](const wanted_run& run) -> run_outcome {
        const bool fails = (run.point == 11 && run.index == 9) || (run.point == 6 && run.index == 4) ||
                           (run.point == 7 && run.index == 0) || run.point == 17;
        return fails                                  ? run_outcome{run_end::failure, "x", {std::nullopt}}
               : run.point % 6 == 0 && run.index == 5 ? loss()
                                                      : value(0);
    };
    random_stream stream{1, 1, random_purpose::sizes};
    for (int shuffle = 0; shuffle < 50; ++shuffle) {
        size_search search({{0, 1, 2, 3, 4, 5}, {6, 7, 8, 9, 10, 11}, {12, 13, 14, 15, 16, 17}}, 18, goals,
                           limits);
        while (!search.finished()) {
            const std::vector<wanted_run> wanted = search.wanted();
            ASSERT_FALSE(wanted.empty());
            // Far ahead of what is needed next, as many processes are.
            const wanted_run run = wanted[stream.below(static_cast<std::uint32_t>(wanted.size()))];
            search.add(run.point, run.index, outcome(run));
        }
        ASSERT_TRUE(search.failure());
        EXPECT_EQ(search.failure()->point, 6U);
        EXPECT_EQ(search.failure()->index, 4U);
        EXPECT_TRUE(search.wanted().empty());
        EXPECT_EQ(search.answer(0).place, 1U) << "what comes before is searched to its end";
    }
}

// All goals of all places together are right with the confidence: each verdict has its part of the error.
TEST(size_search, splits_its_error_over_places_and_goals) {
    const auto runs_until_met = [](const std::vector<std::string>& texts, std::size_t places,
                                   double confidence) {
        const auto goals = goals_of(texts);
        size_search::limits limits;
        limits.curve = 0;
        limits.confidence = confidence;
        size_search search({line_of(places)}, places, goals, limits);
        const std::size_t far = places - 1;
        while (search.judge(far).state() == verdict::not_decided) {
            run_outcome outcome{run_end::whole, "", {}};
            outcome.values.resize(goals.size(), 0.0);
            search.add(far, search.judge(far).runs(), outcome);
        }
        return search.judge(far).runs();
    };
    // 0.9^n <= error: 29 runs for 5 %, 49 for an eighth of it, 55 for a sixteenth, 44 for a fifth of 5 %.
    EXPECT_EQ(runs_until_met({"drops = 0"}, 1, 0.95), 29U);
    EXPECT_EQ(runs_until_met({"drops = 0"}, 8, 0.95), 49U);
    EXPECT_EQ(runs_until_met({"drops = 0", "frames.sent = 0"}, 8, 0.95), 55U);
    EXPECT_EQ(runs_until_met({"drops = 0"}, 1, 0.99), 44U);
}

TEST(size_search, makes_no_run_that_no_verdict_needs) {
    const auto goals = goals_of({"lossless"});
    size_search::limits limits;
    limits.curve = 0;
    size_search search({line_of(8)}, 8, goals, limits);
    std::size_t made = 0;
    while (!search.finished()) {
        const wanted_run run = search.wanted().front();
        search.add(run.point, run.index,
                   run.point >= 3 ? run_outcome{run_end::whole, "", {std::nullopt}} : loss());
        ++made;
    }
    std::size_t counted = 0;
    for (std::size_t p = 0; p < 8; ++p) {
        counted += search.judge(p).runs();
    }
    EXPECT_EQ(made, counted);
    EXPECT_EQ(search.answer(0).place, 3U);
    // 0.9^n <= 0.05 / 8: 49 runs.
    EXPECT_EQ(search.judge(3).runs(), 49U);
    EXPECT_EQ(search.judge(2).runs(), 1U);
}

}  // namespace
}  // namespace weir::tb
