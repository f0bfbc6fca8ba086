// Intervals against printed tables and sums by hand; metrics against a summary.
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "tb/run/completions/student_t.h"
#include "tb/run/results/metric_catalogue.h"
#include "tb/run/samples/resources.h"
#include "tb/study/sweep/metric_title.h"
#include "tb/study/sweep/metrics.h"
#include "tb/study/sweep/sweep_statistics.h"
#include "weir/base/rng.h"

namespace weir::tb {
namespace {

TEST(sweep_statistics, student_t_is_that_of_printed_tables) {
    // NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2.
    EXPECT_NEAR(student_t(0.95, 1), 12.706, 5e-4);
    EXPECT_NEAR(student_t(0.95, 2), 4.303, 5e-4);
    EXPECT_NEAR(student_t(0.95, 4), 2.776, 5e-4);
    EXPECT_NEAR(student_t(0.95, 9), 2.262, 5e-4);
    EXPECT_NEAR(student_t(0.90, 9), 1.833, 5e-4);
    EXPECT_NEAR(student_t(0.99, 9), 3.250, 5e-4);
    EXPECT_NEAR(student_t(0.95, 100), 1.984, 5e-4);
    EXPECT_NEAR(student_t(0.95, 1'000'000), 1.960, 5e-4);
}

TEST(sweep_statistics, an_interval_by_hand) {
    // Deviations -2, 0, 2 from 12: variance 8 / 2 = 4, standard error 2 / sqrt(3), t 4.302653.
    const mean_interval found = interval_of({10, 12, 14}, 0.95);
    EXPECT_EQ(found.n, 3U);
    EXPECT_DOUBLE_EQ(found.mean, 12);
    EXPECT_NEAR(found.half_width, 4.302653 * 2 / std::sqrt(3.0), 1e-5);
    EXPECT_NEAR(found.low(), 12 - 4.968, 1e-3);
}

TEST(sweep_statistics, one_value_has_no_interval_and_equal_ones_have_a_point) {
    EXPECT_EQ(interval_of({}, 0.95).n, 0U);
    EXPECT_FALSE(interval_of({5}, 0.95).has_width());
    EXPECT_EQ(interval_of({5, 5, 5}, 0.95).half_width, 0);
}

TEST(sweep_statistics, pairs_lose_what_they_have_in_common) {
    // Both of a pair are up and down by 100 together; the second is 3, 4, 5 above the first.
    const mean_interval found = paired_difference({{0, 3}, {100, 104}, {-100, -95}}, 0.95);
    EXPECT_DOUBLE_EQ(found.mean, 4);
    EXPECT_NEAR(found.half_width, 4.302653 / std::sqrt(3.0), 1e-5);
}

TEST(sweep_statistics, intervals_hold_the_mean_as_often_as_they_say) {
    // 4,000 samples of 5 uniform values, mean 0.5. Standard deviation of the share: sqrt(0.95 * 0.05 / 4000) =
    // 0.0034; the t interval of 5 uniform values is known to be close to its level.
    random_stream stream{3, 1, random_purpose::sizes};
    int holding = 0;
    for (int sample = 0; sample < 4000; ++sample) {
        std::vector<double> values;
        for (int i = 0; i < 5; ++i) {
            values.push_back(stream.uniform());
        }
        const mean_interval found = interval_of(values, 0.95);
        holding += found.low() <= 0.5 && 0.5 <= found.high() ? 1 : 0;
    }
    EXPECT_NEAR(holding / 4000.0, 0.95, 0.02);
}

const char* const summary_text = R"({
  "version": "0.1.0", "seed": 7, "complete": true, "simulated_ns": 2000000,
  "frames": {"sent": 5, "dropped": 3},
  "drops": {"ingress_full": 1, "bit_error": 2},
  "pfc": {"xoff_sent": 4, "paused_ns": {"host": 1.5, "tier1": 2}},
  "fct_ns": {"count": 2, "p99": 10.25},
  "jct_ns": {"count": 0, "p99": null},
  "groups": [{"tag": "query", "bytes": 8192, "priority": 7,
              "fct_ns": {"count": 2, "p99": 9}, "jct_ns": {"count": 0, "p99": null}}]})";

TEST(sweep_metrics, are_the_numbers_of_a_summary_in_its_order) {
    std::string all;
    for (const metric_value& metric : metrics_of(nlohmann::ordered_json::parse(summary_text))) {
        all += metric.name + "=" + metric.value.dump() + "\n";
    }
    EXPECT_EQ(all,
              "simulated_ns=2000000\nframes.sent=5\nframes.dropped=3\ndrops.ingress_full=1\ndrops.bit_error=2\n"
              "drops.total=3\npfc.xoff_sent=4\npfc.paused_ns.host=1.5\npfc.paused_ns.tier1=2\n"
              "pfc.paused_ns.total=3.5\nfct_ns.count=2\nfct_ns.p99=10.25\njct_ns.count=0\njct_ns.p99=null\n"
              "groups.query.8192.7.fct_ns.count=2\ngroups.query.8192.7.fct_ns.p99=9\n");
}

TEST(sweep_metrics, that_no_run_has_are_named_with_what_there_is) {
    const std::vector<std::string> names{"groups.query.8192.7.fct_ns.p99", "groups.a.b.64.0.fct_ns.p99",
                                         "fct_ns.p99", "racks.tor0.fct_ns.p99"};
    for (const auto& [name, meant] :
         {std::pair("tags.qurey.fct_ns.p99", "; did you mean tags.query.fct_ns.p99?"),
          std::pair("tags.unheard.fct_ns.p99", R"(; the tags are "a.b", query)"),
          std::pair("tags.query.jct_ns.p99", ""), std::pair("sizes.10.fct_ns", "; the sizes are 64, 8192"),
          std::pair("priorities.3", "; the priorities are 0, 7"), std::pair("offered.bps", ""),
          std::pair("racks.tor1.fct_ns.p99", "; did you mean racks.tor0.fct_ns.p99?"),
          std::pair("groups.query.8000.7.jct_ns.p99", "; did you mean groups.query.8192.7.jct_ns.p99?"),
          std::pair("groups.x.1.1.fct_ns.max", "; the groups are a.b.64.0, query.8192.7")}) {
        EXPECT_EQ(meant_text(name, names), meant) << name;
    }
    EXPECT_EQ(absent_text("tags.qurey", {}, names, "expected more"),
              "no run has 'tags.qurey'; did you mean tags.query? expected more");
    EXPECT_EQ(absent_text("offered.bps", {}, names, "expected more"),
              "no run has 'offered.bps'; expected more");
    const derived_metrics one{read_definition("x_ns = fct_ns.p99 + tags.qurey.fct_ns.p99").value};
    EXPECT_EQ(absent_text("x_ns", one, names),
              "no run has all operands of 'x_ns = fct_ns.p99 + tags.qurey.fct_ns.p99': no run has "
              "'tags.qurey.fct_ns.p99'; did you mean tags.query.fct_ns.p99?");
}

TEST(sweep_metrics, are_chosen_by_name_beginning_or_pattern) {
    EXPECT_TRUE(metric_filter({"fct_ns.p99"}).takes("fct_ns.p99"));
    EXPECT_FALSE(metric_filter({"fct_ns.p99"}).takes("fct_ns.p99_9"));
    EXPECT_TRUE(metric_filter({"fct-ns.p99-9", "groups.a_b"}).takes("fct_ns.p99_9"));
    EXPECT_TRUE(metric_filter({"groups.a_b"}).takes("groups.a-b.64.0.fct_ns.p99"));
    EXPECT_TRUE(metric_filter({"fct_ns"}).takes("fct_ns.p99_9"));
    EXPECT_FALSE(metric_filter({"fct"}).takes("fct_ns.p99_9"));
    EXPECT_TRUE(metric_filter({"*.p99"}).takes("groups.query.8192.7.jct_ns.p99"));
    EXPECT_TRUE(metric_filter().takes("anything"));
    EXPECT_TRUE(metric_filter({"fct_ns.p99", "drops", "*.p99", "groups.query", "pfc.paused_ns.tier3"})
                    .check("-")
                    .empty());
    EXPECT_TRUE(metric_filter({"fct-ns.p99", "pfc.paused-ns.tier3"}).check("-").empty());
    EXPECT_EQ(metric_filter({"fct_ns.p98", "drops.sum", "frames"}).check("-").size(), 2U);
    EXPECT_TRUE(metric_filter({R"(tags."web-search".fct_ns.p50)"}).takes("tags.web-search.fct_ns.p50"));
    EXPECT_TRUE(metric_filter({R"(groups."a.b".64.0)"}).takes("groups.a.b.64.0.fct_ns.p99"));
    for (unsigned kind = 0; kind < resource_kinds; ++kind) {
        const std::string name = std::string("resources.") + name_of(static_cast<resource_kind>(kind));
        const metric_filter numbers({name + ".busy_percent", name + ".lost_frames", name + ".bound_to_ns"});
        EXPECT_TRUE(numbers.check("-").empty()) << name;
    }
    EXPECT_TRUE(metric_filter({"segments.flow.late_percent", "fairness", "busy_links.max_percent",
                               "full_queues.free_1_hop_percent"})
                    .check("-")
                    .empty());
    // That of the worst is a name.
    EXPECT_EQ(metric_filter({"resources.link.worst", "resources.cable.of", "ecn.seen"}).check("-").size(), 2U);
}

TEST(sweep_metrics, say_which_percentiles_are_maxima) {
    const auto is_of_few = [](const std::string& value, std::uint64_t count, std::uint64_t unfinished) {
        const nlohmann::ordered_json times{{"count", count}, {"unfinished", unfinished}, {value, 1.5}};
        return find_metric("jct_ns." + value, metrics_of({{"jct_ns", times}}))->is_of_few;
    };
    const std::pair<std::string, std::uint64_t> least[] = {{"p99_9", 1'000}, {"p99", 100}, {"p90", 10}};
    for (const auto& [percentile, needed] : least) {
        EXPECT_TRUE(is_of_few(percentile, needed - 2, 1)) << percentile;
        EXPECT_FALSE(is_of_few(percentile, needed - 1, 1)) << percentile;
    }
    EXPECT_FALSE(is_of_few("p50", 1, 0));
    EXPECT_FALSE(is_of_few("max", 1, 0));
    EXPECT_EQ(few_values_text("jct_ns.p99", 3, 8),
              "3 of 8 runs have fewer than 100 values of jct_ns, so their jct_ns.p99 is the maximum");
}

TEST(metrics, have_a_direction) {
    for (const char* const low :
         {"fct_ns.p99", "tags.a.b.jct_slowdown.mean", "drops.egress_full", "fct_ns.unfinished",
          "pfc.paused_percent.host", "buffers.ingress.watermark_bytes", "program.time_ns"}) {
        EXPECT_EQ(direction_of(low), metric_direction::lower) << low;
    }
    for (const char* const high : {"goodput.bps", "goodput.line_rate_percent", "flows.completed"}) {
        EXPECT_EQ(direction_of(high), metric_direction::higher) << high;
    }
    for (const char* const none : {"fct_ns.count", "offered.bps", "frames.sent", "simulated_ns", "nothing"}) {
        EXPECT_EQ(direction_of(none), metric_direction::neither) << none;
    }
}

TEST(sweep_metrics, have_names_for_people) {
    EXPECT_EQ(metric_title("fct_ns.p99_9"), "99.9th percentile of transfer completion time");
    EXPECT_EQ(metric_title("groups.query.8192.7.jct_ns.p50"),
              "Median of job completion time (query, 8 KiB, priority 7)");
    EXPECT_EQ(metric_title("groups.query.128000.7.jct_ns.p50"),
              "Median of job completion time (query, 128 KB, priority 7)");
    EXPECT_EQ(metric_title("groups..1460.7.fct_ns.count"), "Transfers reported (1460 B, priority 7)");
    EXPECT_EQ(metric_title("groups.a.b.1460.7.fct_ns.max"),
              "Maximum of transfer completion time (a.b, 1460 B, priority 7)");
    EXPECT_EQ(metric_title("goodput.bps"), "Goodput");
    EXPECT_EQ(metric_text("goodput.bps", 9.4e9), "9.400 Gb/s");
    EXPECT_EQ(metric_text("fct_ns.p99", 12'345), "12.345 us");
    EXPECT_EQ(metric_text("groups..1460.7.fct_ns.count", 1'234), "1,234");
    EXPECT_EQ(metric_title("drops.egress_full"), "Frames lost: egress full");
    EXPECT_EQ(metric_title("frames.originated"), "Frames sent by switches");
    EXPECT_NE(metric_title("buffers.ingress.watermark_percent"),
              metric_title("buffers.ingress.watermark_bytes"));
    EXPECT_EQ(metric_title("pfc.paused_ns.tier1"), "Time paused, tier 1");
    EXPECT_EQ(metric_title("segments.flow.late_percent"), "Segments, late percent (flow)");
    EXPECT_EQ(metric_title("fairness.permutation.jain_index"), "Transfers under way, jain index (permutation)");
    EXPECT_EQ(metric_title("resources.host_link.busy_percent"), "Time busy, of the busiest: host link");
    EXPECT_EQ(metric_title("resources.memory_read.bound_from_ns"),
              "First time at its limit, of the busiest: memory read");
    for (const std::string& metric : known_metrics()) {
        EXPECT_NE(metric_title(metric), metric);
        EXPECT_EQ(metric_title(metric).find('_'), std::string::npos) << metric;
    }
}

TEST(sweep_metrics, have_units_of_axes) {
    EXPECT_EQ(metric_axis_unit("jct_ns.p99_9", 1e6, 3e6, false).name, "ms");
    EXPECT_EQ(metric_axis_unit("goodput.bps", 0, 4e10, false).name, "Gb/s");
    EXPECT_EQ(metric_axis_unit("fairness.flow.mean_bps", 0, 4e10, false).name, "Gb/s");
    EXPECT_EQ(metric_axis_unit("buffers.ingress.watermark_bytes", 0, 90'000, false).name, "KiB");
    EXPECT_EQ(metric_axis_unit("buffers.ingress.watermark_percent", 0, 90, false).name, "%");
    EXPECT_EQ(metric_axis_unit("pfc.paused_percent.host", 0, 90, false).name, "%");
    EXPECT_EQ(metric_axis_unit("groups.x_percent.1460.7.fct_ns.count", 0, 90, false).name, "");
    EXPECT_EQ(metric_axis_unit("frames.sent", 0, 3e6, false).name, "millions");
    EXPECT_EQ(metric_axis_unit("frames.sent", 0, 300, false).name, "");
}

}  // namespace
}  // namespace weir::tb
