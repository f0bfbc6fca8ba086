// Goals, as they are written.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "support/errors_said.h"
#include "tb/run/options/run_options.h"
#include "tb/study/size/size_goal.h"

namespace weir::tb {
namespace {

std::string said(const std::string& text) {
    const auto goal = read_goal(text);
    return goal ? goal.value.text : "error";
}

TEST(size_goal, is_put_in_the_words_of_summaries) {
    EXPECT_EQ(said("lossless"), "lossless proven in 90% of runs");
    EXPECT_EQ(said("lossless in 80% of runs"), "lossless in 80% of runs");
    EXPECT_EQ(said("lossless proven in 99% of runs"), "lossless proven in 99% of runs");
    EXPECT_EQ(said("drops = 0"), "frames.dropped = 0 proven in 90% of runs");
    EXPECT_EQ(said("drops=0 in 99% of runs"), "frames.dropped = 0 in 99% of runs");
    EXPECT_EQ(said("p99.9 fct <= 10ms"), "fct_ns.p99_9 <= 10ms in 50% of runs");
    EXPECT_EQ(said("p99.9 fct<=10ms"), "fct_ns.p99_9 <= 10ms in 50% of runs");
    EXPECT_EQ(said("median jct of query.8192.7 < 250us in 90% of runs"),
              "groups.query.8192.7.jct_ns.p50 < 250us in 90% of runs");
    EXPECT_EQ(said("paused <= 2ms"), "pfc.paused_ns.total <= 2ms in 50% of runs");
    EXPECT_EQ(said("paused tier1 <= 2ms"), "pfc.paused_ns.tier1 <= 2ms in 50% of runs");
    EXPECT_EQ(said("pfc.xoff_sent < 1000"), "pfc.xoff_sent < 1000 in 50% of runs");
    EXPECT_EQ(said("goodput >= 40Gbps in 90% of runs"), "goodput.bps >= 40Gbps in 90% of runs");
    EXPECT_EQ(said("goodput.bps > 1.5Gbps"), "goodput.bps > 1.5Gbps in 50% of runs");
    EXPECT_EQ(said("goodput.bytes > 15"), "goodput.bytes > 15 in 50% of runs");
    EXPECT_EQ(said("buffers.headroom.watermark_percent <= 80"),
              "buffers.headroom.watermark_percent <= 80 in 50% of runs");
    EXPECT_EQ(said("buffers.ingress.watermark_bytes <= 9000"),
              "buffers.ingress.watermark_bytes <= 9000 in 50% of runs");
    EXPECT_EQ(said("buffers.ingress.watermark_bytes <= 64KiB"),
              "buffers.ingress.watermark_bytes <= 65536 in 50% of runs");
    EXPECT_EQ(said("buffers.headroom.watermark_percent < 80.3%"),
              "buffers.headroom.watermark_percent < 80.3 in 50% of runs");
    EXPECT_EQ(said("gap_bytes >= -2KB"), "gap_bytes >= -2000 in 50% of runs");
    EXPECT_EQ(said("buffers.mezzanine.watermark_bytes <= 9000"), "error");
    EXPECT_EQ(said("flows.completed >= 100"), "flows.completed >= 100 in 50% of runs");
    EXPECT_EQ(said(R"(tags."web-search".fct_ns.p50 <= 30ms)"),
              "tags.web-search.fct_ns.p50 <= 30ms in 50% of runs");
    EXPECT_EQ(said(R"(p99 fct of "a.b".8192.7 <= 1ms)"), "groups.a.b.8192.7.fct_ns.p99 <= 1ms in 50% of runs");
    EXPECT_EQ(said("gap_bps <= -1.5Mbps"), "gap_bps <= -1.5Mbps in 50% of runs");
    EXPECT_EQ(said("gap > -2"), "gap > -2 in 50% of runs");
    EXPECT_EQ(read_goal("gap_ns >= -5us").value.bound, -5000);
}

TEST(size_goal, reads_its_own_words) {
    for (const char* text :
         {"lossless in 90% of runs", "lossless proven in 90% of runs",
          "frames.dropped = 0 proven in 99% of runs", "fct_ns.p99_9 <= 10ms in 50% of runs",
          "frames.dropped = 0 in 99% of runs", "pfc.paused_ns.total > 1.5us in 12.5% of runs",
          "fct_ns.p99 <= 1.1 x of switch.ingress_buffer=1GiB in 50% of runs",
          R"(tags."x = y".fct_ns.p99 <= 2ms in 50% of runs)",
          R"(tags."w <= 3 x of y".fct_ns.p99 <= 2 x of pfc.xoff=1KB in 50% of runs)",
          "gap_ns <= -5us in 50% of runs"}) {
        EXPECT_EQ(said(text), text);
    }
}

TEST(size_goal, has_its_bound_in_the_metrics_unit) {
    const size_goal goal = read_goal("p99 fct <= 1.5ms in 90% of runs").value;
    EXPECT_EQ(goal.metric, "fct_ns.p99");
    EXPECT_EQ(read_goal("resources.link.busy_percent <= 99").value.metric, "resources.link.busy_percent");
    EXPECT_EQ(goal.bound, 1.5e6);
    EXPECT_DOUBLE_EQ(goal.rule.allowed_misses, 0.1);
    EXPECT_FALSE(goal.rule.strict);
    EXPECT_TRUE(goal.holds(1.5e6));
    EXPECT_FALSE(goal.holds(1.5e6 + 1));
    EXPECT_FALSE(read_goal("p99 fct < 1.5ms").value.holds(1.5e6));
    EXPECT_TRUE(read_goal("flows.completed >= 5").value.holds(5));
    EXPECT_FALSE(read_goal("flows.completed > 5").value.holds(5));
    EXPECT_EQ(read_goal("goodput >= 1.5Gbps").value.bound, 1.5e9);
    EXPECT_FALSE(read_goal("goodput >= 1.5Gbps").value.wants_small());
    EXPECT_TRUE(read_goal("drops = 0").value.rule.strict);
    EXPECT_TRUE(read_goal("drops = 0 proven in 80% of runs").value.rule.strict);
    EXPECT_FALSE(read_goal("drops = 0 in 80% of runs").value.rule.strict);
    EXPECT_FALSE(read_goal("lossless in 80% of runs").value.rule.strict);
    EXPECT_DOUBLE_EQ(read_goal("lossless in 80% of runs").value.rule.allowed_misses, 0.2);
    EXPECT_FALSE(read_goal("drops <= 3").value.rule.strict);
    EXPECT_TRUE(read_goal("lossless").value.is_lossless());
}

TEST(size_goal, that_is_zero_is_missed_below_zero_too) {
    const size_goal goal = read_goal("d = 0 proven in 50% of runs").value;
    EXPECT_EQ(goal.text, "d = 0 proven in 50% of runs");
    EXPECT_TRUE(goal.holds(0.));
    EXPECT_FALSE(goal.holds(-5.));
    EXPECT_FALSE(goal.holds(5.));
    EXPECT_EQ(goal.holds(value_range(-5, 5)), std::nullopt);
    EXPECT_EQ(goal.holds(value_range(0, HUGE_VAL)), std::nullopt);
    EXPECT_EQ(goal.holds(value_range(-HUGE_VAL, -1)), false);
}

TEST(size_goal, is_refused_with_what_is_allowed) {
    for (const char* text : {"",
                             "p99 fct",
                             "p98 fct <= 1ms",
                             "p99 fct <= 10",
                             "p99 fct <= 1ms 2ms",
                             "drops = 3",
                             "lossless <= 1",
                             "fct_ns <= 1ms",
                             "drops <= 1 in 100% of runs",
                             "drops <= 1 in 0% of runs",
                             "*.p99 <= 1ms",
                             "p99 fct of <= 1ms",
                             "drops <= 5B",
                             "buffers.ingress.watermark_bytes <= 5ms",
                             "buffers.ingress.watermark_percent <= 5B",
                             "<= 5",
                             "drops <= 1 proven in 90% of runs",
                             "groups.query.8192.7.fct_ns.p98 <= 1ms",
                             "groups.query.8192.7 <= 1ms",
                             "groups. <= 1",
                             "p99 fct of query <= 1ms",
                             "goodput >= 40",
                             "goodput >= 4ms",
                             "p99 fct <= 0 x of switch.ingress_buffer=1GiB",
                             "p99 fct <= 1ms x of switch.ingress_buffer=1GiB",
                             "p99 fct <= 1.1 x of",
                             "p99 fct <= x of switch.ingress_buffer=1GiB",
                             "drops = 0 x of switch.ingress_buffer=1GiB",
                             "lossless <= 1.1 x of switch.ingress_buffer=1GiB",
                             "p99 fct <= 1.1 x of switch.ingress_buffer=1GiB proven in 90% of runs",
                             "goodput host >= 1Gbps",
                             "fct_ns.p99 <= -1ms",
                             "gap <= -1.1 x of switch.ingress_buffer=1GiB",
                             "priorities.9.fct_ns.p99 <= 1ms",
                             R"(tags."q.fct_ns.p99 <= 1ms)"}) {
        const auto goal = read_goal(text);
        EXPECT_FALSE(goal) << text;
        EXPECT_NE(goal.error.find("expected "), std::string::npos) << text << ": " << goal.error;
    }
}

TEST(size_goal, a_group_that_is_none_is_told_the_form_of_groups_and_not_all_forms_of_goals) {
    for (const char* text : {"p99 jct of query <= 1ms", "groups.query.8192.7 <= 1ms"}) {
        EXPECT_TRUE(errors_are(read_goal(text).error, {std::string(text) + ", group, TAG."}));
    }
}

TEST(size_goal, a_run_without_the_group_has_no_value) {
    const std::vector<metric_value> run{{"fct_ns.p99", 5}, {"groups.query.8192.7.fct_ns.p99", 7}};
    EXPECT_EQ(judged_metric("groups.query.8192.7.fct_ns.p99", run)->value, 7);
    EXPECT_EQ(judged_metric("groups.query.4096.7.fct_ns.p99", run), nullptr);
    EXPECT_THROW(judged_metric("frames.dropped", run), std::runtime_error);
}

/// The goal with its reference point, or the keys and texts of errors.
std::pair<size_goal, std::string> referring(const std::string& reference) {
    run_config config;
    size_goal goal = read_goal("goodput >= 0.9x of " + reference + " in 80% of runs").value;
    std::string errors;
    for (const config_error& error : read_reference(goal, make_option_table(config))) {
        errors += error.key + ": " + error.message + "\n";
    }
    return {goal, errors};
}

TEST(size_goal, compares_with_the_options_of_a_reference_point) {
    const auto [goal, errors] = referring("switch.ingress-buffer = 1024MiB, traffic.sizes=(2KB, 8KB)");
    EXPECT_EQ(errors, "");
    EXPECT_TRUE(goal.is_relative());
    EXPECT_FALSE(goal.wants_small());
    EXPECT_EQ(goal.bound, 0.9) << "a factor, not a rate";
    EXPECT_DOUBLE_EQ(goal.rule.allowed_misses, 0.2);
    EXPECT_EQ(goal.text,
              "goodput.bps >= 0.9 x of switch.ingress_buffer=1GiB,traffic.sizes=(2KB, 8KB) in 80% of runs");
    EXPECT_EQ(read_goal(goal.text).value.reference, goal.reference);
    EXPECT_EQ(measured_text("fct_ns.p99", {4000, HUGE_VAL}), "at least 4.000 us");
    for (const auto& [reference, said] :
         {std::pair("switch.ingres_buffer=1GiB", "did you mean switch.ingress_buffer?"),
          std::pair("switch.ingress_buffer", "has no '='"),
          std::pair("switch.ingress_buffer=1MB,2MB", "'2MB' has no '='"),
          std::pair("switch.ingress_buffer=1MB..2MB:1MB", "has several values"),
          std::pair("pfc.xoff=1KB,pfc.xoff=2KB", "'pfc.xoff' is given twice"),
          std::pair("run.seed=3", "run.seed cannot be varied"),
          std::pair("pfc.xoff=(1KB", "unbalanced brackets"), std::pair("pfc.xoff=many", "'many' ")}) {
        const std::string wrong = referring(reference).second;
        EXPECT_NE(wrong.find(said), std::string::npos) << reference << ": " << wrong;
        EXPECT_EQ(wrong.rfind("--goal 'goodput.bps >= 0.9 x of ", 0), 0U) << wrong;
    }
}

TEST(size_goal, a_ratio_of_bounds_is_an_interval) {
    const value_range late(4, HUGE_VAL);
    EXPECT_EQ(value_range(3).ratio_to(2).end(), 1.5);
    EXPECT_TRUE(value_range(3).ratio_to(2).is_exact());
    EXPECT_STREQ(late.ratio_to(2).bound(), "at least");
    EXPECT_EQ(late.ratio_to(2).end(), 2);
    EXPECT_TRUE(value_range(2).ratio_to(late).is_upper_bound());
    EXPECT_EQ(value_range(2).ratio_to(late).end(), 0.5);
    EXPECT_TRUE(std::isinf(late.ratio_to(late).end())) << "the ratio of two bounds is not known";
    EXPECT_STREQ(late.ratio_to(late).bound(), "");
    for (const char* op : {"<= 1", ">= 1"}) {
        const size_goal goal = read_goal("goodput " + std::string(op) + " x of pfc.xoff=1KB").value;
        EXPECT_EQ(goal.holds(late.ratio_to(late)), std::nullopt) << op;
        EXPECT_EQ(goal.holds(late.ratio_to(2)), !goal.wants_small()) << op;
        EXPECT_EQ(goal.holds(value_range(2).ratio_to(late)), goal.wants_small()) << op;
        EXPECT_EQ(goal.holds(late.ratio_to(8)), std::nullopt) << op;
        EXPECT_EQ(goal.holds(value_range(8).ratio_to(late)), std::nullopt) << op;
    }
}

TEST(size_goal, a_metric_that_no_run_has_must_be_defined) {
    const std::vector<size_goal> goals{read_goal("tail_ns <= 2us").value, read_goal("drops = 0").value};
    EXPECT_EQ(goals[0].bound, 2000);
    ASSERT_EQ(unknown_metrics(goals, {}).size(), 1U);
    EXPECT_NE(unknown_metrics(goals, {})[0].message.find("tail_ns"), std::string::npos);
    EXPECT_TRUE(unknown_metrics(goals, {read_definition("tail_ns = fct_ns.max - 1us").value}).empty());
}

TEST(size_goal, its_claim_is_what_stands_before_the_share) {
    EXPECT_EQ(read_goal("lossless").value.claim(), "lossless");
    EXPECT_EQ(read_goal("lossless in 80% of runs").value.claim(), "lossless");
    EXPECT_EQ(read_goal("drops = 0").value.claim(), "frames.dropped = 0");
    EXPECT_EQ(read_goal("p99 fct <= 10ms").value.claim(), "fct_ns.p99 <= 10ms");
}

}  // namespace
}  // namespace weir::tb
