#include "tb/run/results/derived_metric.h"

#include <gtest/gtest.h>

#include "tb/run/options/requested_metrics.h"
#include "tb/run/results/metric_catalogue.h"
#include "tb/study/sweep/metrics.h"

namespace weir::tb {
namespace {

const nlohmann::ordered_json summary = nlohmann::ordered_json::parse(R"({
    "simulated_ns": 1000000, "frames": {"sent": 12, "dropped": 3}, "goodput": {"bytes": 5000, "bps": 40000000},
    "fct_ns": {"count": 500, "p50": 1500.0, "p99": 9000.0, "p99_is_lower_bound": true},
    "jct_ns": {"count": 0, "p99": null}, "fct_slowdown": {"count": 99, "p99": 4.0},
    "pfc": {"paused_percent": {"tier1": 25.0}}, "drops": {"no_route": 0},
    "tags": {"a-b": {"fct_ns": {"count": 9, "max": 700}}, "a.b": {"fct_ns": {"count": 9, "max": 300}}},
    "groups": [{"tag": "x y", "bytes": 64, "priority": 0, "fct_ns": {"count": 9, "max": 5}, "jct_ns": {}}]})");

/// The value, or why there is none.
std::string value_of(const std::string& definition) {
    const auto read = read_definition(definition);
    if (!read) {
        return read.error;
    }
    const std::vector<metric_value> metrics = metrics_of(summary, {read.value});
    const metric_value* const made = find_metric(read.value.name, metrics);
    if (made == nullptr) {
        return "absent";
    }
    if (made->range) {
        return "at most " + std::to_string(made->range->high);
    }
    return (made->is_lower_bound ? "at least " : made->is_of_few ? "few: " : "") + made->value.dump();
}

TEST(derived_metric, computes_in_the_units_of_its_operands) {
    EXPECT_EQ(value_of("x = 1 + 2 * 3 - 8 / 4"), "5");
    EXPECT_EQ(value_of("x = -(1 + 2) * -2"), "6");
    EXPECT_EQ(value_of("x = 7 - 2 - 1"), "4");
    EXPECT_EQ(value_of("lost_percent = frames.dropped / frames.sent"), "25");
    EXPECT_EQ(value_of("lost = frames.dropped/frames.sent"), "0.25");
    EXPECT_EQ(value_of("x = pfc.paused_percent.tier1 / 50%"), "0.5");
    EXPECT_EQ(value_of("rest_ns = simulated_ns - 10us - fct_ns.p50"), "988500");
    EXPECT_EQ(value_of("mean_bps = goodput.bytes / simulated_ns"), "40000000");
    EXPECT_EQ(value_of("sent_bytes = goodput.bps * simulated_ns"), "5000");
    EXPECT_EQ(value_of("x_bytes = max(goodput.bytes, 1KiB) + min(1KiB, 24 * 1B)"), "5024");
    EXPECT_EQ(value_of("drain_ns = goodput.bytes / 10Gbps"), "4000");
    EXPECT_EQ(value_of("x = 1e-3 + 2e+3"), "2000.001");
    EXPECT_EQ(value_of("tail_ns_ratio = fct_ns.p50 / 1us"), "1.5") << "only the end of a name says a unit";
}

TEST(derived_metric, reads_tags_in_quotes) {
    EXPECT_EQ(value_of(R"(x_ns = tags."a-b".fct_ns.max - tags."a.b".fct_ns.max)"), "400");
    EXPECT_EQ(value_of(R"(x_ns = groups."x y".64.0.fct_ns.max)"), "5");
    EXPECT_EQ(value_of("x_ns = tags.a-b.fct_ns.max-fct_ns.p50-1ns"), "-801") << "only members have hyphens";
    EXPECT_TRUE(is_definition("x = 1"));
    EXPECT_TRUE(is_definition("tags.x = fct_ns.p99")) << "with a name that is refused";
    EXPECT_FALSE(is_definition(R"(tags."a=b".fct_ns.max)"));
    EXPECT_FALSE(is_definition(R"(tags."a = b".fct_ns.max)"));
    EXPECT_FALSE(is_definition("groups.a=b.64.0.fct_ns.max"));
    EXPECT_EQ(metrics_in({"jct_ns,drops", "x = max(1, 2)"}),
              (std::vector<std::string>{"jct_ns", "drops", "x = max(1, 2)"}));
}

TEST(metric_name, has_the_quotes_that_names_of_the_program_have) {
    for (const auto& [written, normal] :
         {std::pair(R"(tags."web-search".fct_ns.p50)", "tags.web-search.fct_ns.p50"),
          std::pair(R"(tags."query")", "tags.query"),
          std::pair("tags.a.b.fct_ns.p99", R"(tags."a.b".fct_ns.p99)"), std::pair("tags.a b", R"(tags."a b")"),
          std::pair("tags..jct_ns", R"(tags."".jct_ns)"),
          std::pair(R"(tags."w <= 3".fct_ns.p99)", R"(tags."w <= 3".fct_ns.p99)"),
          std::pair(R"(groups."a.b".8000.1.fct_ns.p99)", "groups.a.b.8000.1.fct_ns.p99"),
          std::pair(R"(groups."".8000.1)", "groups..8000.1"),
          std::pair("tags.*.fct_ns.p99", "tags.*.fct_ns.p99"), std::pair("tags", "tags"),
          std::pair(R"(tags."q.fct_ns)", R"(tags."q.fct_ns)"), std::pair("fct_ns.p99", "fct_ns.p99")}) {
        EXPECT_EQ(normal_metric(written), normal) << written;
        EXPECT_EQ(normal_metric(normal), normal);
    }
}

TEST(metric_name, is_checked_as_a_whole) {
    for (const char* const possible :
         {"tags", "tags.query", "tags.query.fct_ns", "tags.a.b.fct_ns.p99", "tags.*.fct_ns.p9?",
          "priorities.[17].jct_ns.p99", "priorities.7.jct_ns", "sizes.8192.fct_slowdown.max", "sizes.*",
          "racks.tor0.fct_ns.p99", "groups.query", "groups.a-b.64.0.jct_ns.p99", "*.p99", "*query*.p99",
          "pfc.paused_ns.tier3", "detours.tags.query", "fct-ns.p99-9", "offered", "segments.*.timeouts"}) {
        EXPECT_EQ(fault_of_metric(possible), "") << possible;
    }
    for (const auto& [wrong, said] :
         {std::pair("tags.query.fct_ns.p98", "did you mean tags.query.fct_ns.p9"),
          std::pair("tags.query.fct_nss.p99", "did you mean tags.query.fct_ns.p99"),
          std::pair("tags.*.fct_ns.p98", "is not a number"),
          std::pair("racks.tor0.jct_ns.p99", "is not a number"),
          std::pair("priorities.9.fct_ns.p99", "the priority 9; expected 0 to 7"),
          std::pair("priorities.abc", "the priority abc"), std::pair("sizes.8KiB.fct_ns.p99", "the size 8KiB"),
          std::pair("groups.query.8192.7.fct_ns.p98", "is not a number"),
          std::pair(R"(tags."q.fct_ns.p99)", "a quote that is not closed")}) {
        EXPECT_NE(fault_of_metric(wrong).find(said), std::string::npos)
            << wrong << ": " << fault_of_metric(wrong);
        EXPECT_FALSE(is_possible_metric(wrong)) << wrong;
    }
}

TEST(metric_name, errors_of_requests_have_the_order_of_their_values) {
    const config_errors errors = requested_metric_errors(
        {"offered.bsp", "tags.query, offered.bps", "a_ns = 1", "fct_ns.p99", "tags.q = fct_ns.p99", ""});
    std::vector<std::string> keys;
    for (const config_error& error : errors) {
        keys.push_back(error.key);
    }
    EXPECT_EQ(keys, (std::vector<std::string>{"output.metrics[0]", "output.metrics[2]", "output.metrics[3]",
                                              "output.metrics[4]", "output.metrics[5]"}));
}

TEST(derived_metric, has_no_value_without_operands_or_for_a_divisor_of_0) {
    EXPECT_EQ(value_of("x_ns = jct_ns.p99 + 1us"), "null");
    EXPECT_EQ(value_of("x = frames.dropped / drops.total"), "null");
    EXPECT_EQ(value_of("x_ns = pfc.paused_ns.tier7 + 1us"), "absent");
    EXPECT_EQ(value_of("x = flows.unfinished + 1"), "1") << "without the key all transfers completed";
}

TEST(derived_metric, is_a_lower_bound_only_where_its_operands_say_so) {
    EXPECT_EQ(value_of("tail_ns = fct_ns.p99 - fct_ns.p50"), "at least 7500");
    EXPECT_EQ(value_of("tail = fct_ns.p99 / fct_ns.p50"), "at least 6");
    EXPECT_EQ(value_of("x_ns = max(fct_ns.p99, fct_ns.p50)"), "at least 9000");
    EXPECT_EQ(value_of("x_ns = min(fct_ns.p99, fct_ns.p50)"), "1500");
    EXPECT_EQ(value_of("x = fct_ns.p50 / fct_ns.p99"), "at most 0.166667") << "which is no value, but a range";
    EXPECT_EQ(value_of("x_ns = fct_ns.p50 - fct_ns.p99"), "at most -7500.000000");
    EXPECT_EQ(value_of("x_ns = fct_ns.p99 * 0"), "0");
    EXPECT_EQ(value_of("x = fct_ns.p99 / fct_ns.p99"), "at most inf") << "the ratio of two bounds is not known";
    EXPECT_EQ(value_of("x = 2 * fct_slowdown.p99"), "few: 8") << "a percentile of 99 values";
    EXPECT_EQ(few_values_text("x", 3, 8), "3 of 8 runs have too few values for a percentile in x");
}

TEST(derived_metric, is_refused_with_the_reason) {
    const auto refuses = [](const std::string& definition, const std::string& because) {
        const std::string found = value_of(definition);
        EXPECT_NE(found.find(because), std::string::npos) << definition << ": " << found;
    };
    refuses("x = fct_ns.p99 + goodput.bps", "a time with a rate");
    refuses("x = fct_ns.p99 - 1", "a time with a number");
    refuses("x = fct_ns.p99", "such as x_ns");
    refuses("x_ns = goodput.bps", "such as x_bps");
    refuses("x_bytes = 1", "such as x_ratio");
    refuses("x = 1 / fct_ns.p99", "a value in ns^-1 bit^0");
    refuses("x = fct_ns.p98", "'fct_ns.p98'");
    refuses("x = x + 1", "'x'");
    for (const char* const name :
         {"simulated_ns", "goodput", "fct_ns", "lossless", "seed", "X", "9x", "x y", ""}) {
        refuses(std::string(name) + " = 1", std::string("the name '") + name + "'");
    }
    refuses("x = (1 + 2", "no ')'");
    refuses("x = 1 + 2)", "')' at its end");
    refuses("x = 1 +", "no operand");
    refuses("x =", "no operand");
    refuses("x = 3parsecs", "'3parsecs'");
    refuses("x = min(1)", "no ','");
    refuses("x = tags.\"a", "'tags.\"a'");
    refuses("x = " + std::string(100'000, '('), "longer than");
}

TEST(derived_metric, uses_other_definitions_in_any_order) {
    config_errors errors;
    const derived_metrics all = read_definitions(
        {" ratio =\ttail_ns/fct_ns.p50", "fct_ns.p99", "tail_ns = 1us", "tail_ns = 9us - fct_ns.p50"}, errors);
    EXPECT_TRUE(errors.empty());
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[1].text, "ratio = tail_ns/fct_ns.p50");
    EXPECT_EQ(find_metric("ratio", metrics_of(summary, all))->value, 5)
        << "the last definition of a name counts";
    read_definitions({"offered.bps", "a = b", "b = a"}, errors);
    ASSERT_EQ(errors.size(), 2U);
    EXPECT_EQ(errors[0].key, "output.metrics[1]");
    EXPECT_EQ(with_operands({"racks", "x = goodput.bps / offered.bps", "y = frames.sent"}),
              (std::vector<std::string>{"racks", "offered.bps"}));
}

}  // namespace
}  // namespace weir::tb
