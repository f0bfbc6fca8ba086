// A plan's points, its file, and what makes two plans different.
#include <gtest/gtest.h>

#include <fstream>

#include "support/errors_said.h"
#include "tb/run/fields/load_options.h"
#include "tb/study/points/sweep_plan.h"
#include "tb/study/size/size_plan.h"
#include "tb/study/sweep/sweep_tables.h"
#include "tb/support/files/input_file.h"

namespace weir::tb {
namespace {

using settings_list = std::vector<std::pair<std::string, std::string>>;

sweep_plan example() {
    sweep_plan plan;
    plan.version = "0.1.0";
    plan.configuration = "steady.ini";
    plan.axes = {{{"switch.scheme"}, {{"fc"}, {"detail"}}},
                 {{"pfc.xoff", "pfc.xon"}, {{"20KB", "10KB"}, {"40KB", "20KB"}, {"60KB", "30KB"}}},
                 {{"link.rate"}, {{"1Gbps"}, {"10Gbps"}}}};
    plan.seeds = {4, 2};
    plan.options = {{"traffic.rate", {"500"}}, {"fabric.link", {"tor0-root0 down"}}};
    plan.inputs = {{"/data/trace.csv", {12, "0123456789abcdef"}}};
    return plan;
}

TEST(sweep_plan, points_are_every_combination_and_the_last_axis_moves_first) {
    const sweep_plan plan = example();
    ASSERT_EQ(plan.points(), 12U);
    EXPECT_EQ(plan.runs(), 24U);
    std::size_t point = 0;
    for (const char* scheme : {"fc", "detail"}) {
        for (const auto& [xoff, xon] : settings_list{{"20KB", "10KB"}, {"40KB", "20KB"}, {"60KB", "30KB"}}) {
            for (const char* rate : {"1Gbps", "10Gbps"}) {
                EXPECT_EQ(
                    plan.settings(point),
                    (settings_list{
                        {"switch.scheme", scheme}, {"pfc.xoff", xoff}, {"pfc.xon", xon}, {"link.rate", rate}}));
                ++point;
            }
        }
    }
    EXPECT_EQ(plan.describe(11),
              "point 0012: switch.scheme=detail, pfc.xoff=60KB, pfc.xon=30KB, link.rate=10Gbps");
}

TEST(sweep_plan, a_key_is_found_with_dashes_and_a_strange_one_stays_as_it_is_written) {
    sweep_plan plan;
    plan.axes = {{{"switch.ingress_buffer"}, {{"64KiB"}}}};
    EXPECT_EQ(plan.key_of("switch.ingress-buffer"), "switch.ingress_buffer");
    EXPECT_EQ(plan.key_of("switch.egress-buffer"), "switch.egress-buffer");
}

TEST(sweep_plan, without_axes_there_is_one_point) {
    sweep_plan plan;
    plan.seeds = {1, 2, 3};
    EXPECT_EQ(plan.points(), 1U);
    EXPECT_TRUE(plan.settings(0).empty());
    EXPECT_EQ(plan.describe(0), "point 0001");
}

TEST(sweep_plan, a_product_beyond_all_measure_does_not_wrap_around) {
    sweep_plan plan;
    for (int axis = 0; axis < 20; ++axis) {
        plan.axes.push_back(
            {{"k" + std::to_string(axis)}, std::vector<std::vector<std::string>>(10'000, {"1"})});
    }
    EXPECT_GT(plan.points(), sweep_plan::most_runs);
}

TEST(sweep_plan, is_read_back_from_its_file) {
    const sweep_plan plan = example();
    const std::string text = to_json(plan).dump(2);
    const plan_result read = plan_from_json(text, "plan.json");
    ASSERT_TRUE(read.errors.empty());
    EXPECT_EQ(to_json(read.plan).dump(2), text);
    EXPECT_TRUE(differences(plan, read.plan, "plan.json", false).empty());
    for (std::size_t cut = 0; cut < text.size(); cut += 7) {
        EXPECT_FALSE(plan_from_json(text.substr(0, cut), "plan.json").errors.empty()) << cut;
    }
    EXPECT_FALSE(plan_from_json("[]", "plan.json").errors.empty());
    EXPECT_FALSE(plan_from_json("{\"axes\": 3}", "plan.json").errors.empty());
}

TEST(sweep_plan, a_damaged_file_is_refused_with_line_key_and_limit) {
    const auto refusal = [](std::string text, const std::string& part, const std::string& other) {
        text.replace(text.find(part), part.size(), other);
        const config_errors errors = plan_from_json(text, "plan.json").errors;
        return errors.empty() ? "" : format_error(errors[0]);
    };
    const std::string text = to_json(example()).dump(1);
    EXPECT_TRUE(
        errors_are(refusal(text, "\"points\": 12", "\"points\": 1e400"), {"plan.json:5: 1e400, at most 9e15"}));
    EXPECT_TRUE(errors_are(refusal(text, "\"points\": 12", "\"points\": 1e30"),
                           {"plan.json: points: 1e+30, at most 9223372036854775807"}));
    EXPECT_TRUE(
        errors_are(refusal(text, "\"points\": 12", "\"points\": 12;"), {"plan.json:5: JSON, plan.json"}));
    EXPECT_TRUE(errors_are(refusal(text, "\"keep\": \"", "\"kept\": \""), {"plan.json: keep: missing, text"}));
}

TEST(sweep_plan, a_damaged_search_is_refused_with_line_and_key) {
    size_plan wanted;
    wanted.runs = example();
    wanted.wishes = {axis_wish::smallest};
    const std::string text = to_json(wanted).dump(1);
    const auto refusal = [&](const std::string& damaged) {
        const config_errors errors = search_differences(damaged, wanted, "search.json");
        return errors.empty() ? "" : format_error(errors[0]);
    };
    EXPECT_EQ(refusal(text), "");
    EXPECT_TRUE(errors_are(refusal("{\n\"curve_runs\": 1e400}"), {"search.json:2: 1e400, at most 9e15"}));
    EXPECT_TRUE(errors_are(refusal("{}"), {"search.json: runs: missing, object"}));
    EXPECT_TRUE(errors_are(refusal("{\"runs\": {\"version\": \"\"}}"),
                           {"search.json: runs.configuration: missing, text"}));
    EXPECT_TRUE(errors_are(refusal("{\"runs\":"), {"search.json:1: search.json, incomplete"}));
}

TEST(sweep_plan, every_difference_is_named) {
    const sweep_plan there = example();
    const auto keys_of = [&](const sweep_plan& wanted, bool extend = false) {
        std::string keys;
        for (const config_error& error : differences(there, wanted, "plan.json", extend)) {
            keys += error.key + " ";
        }
        return keys;
    };
    sweep_plan wanted = example();
    wanted.options = {{"traffic.rate", {"600"}}, {"tcp.mss", {"1KB"}}};
    EXPECT_EQ(keys_of(wanted), "traffic.rate tcp.mss fabric.link ");
    wanted = example();
    wanted.axes[1].values.pop_back();
    EXPECT_EQ(keys_of(wanted), "--vary ");
    wanted = example();
    wanted.keep = kept_files::all;
    wanted.inputs[0].fingerprint.crc64[3] = 'f';
    EXPECT_EQ(keys_of(wanted), "--keep /data/trace.csv ");
    wanted = example();
    wanted.seeds = {4, 2, 9};
    EXPECT_EQ(keys_of(wanted), "--seeds ");
    EXPECT_EQ(keys_of(wanted, true), "");
    wanted.seeds = {2, 4, 9};
    EXPECT_EQ(keys_of(wanted, true), "--seeds ");
    wanted.seeds = {4};
    EXPECT_EQ(keys_of(wanted, true), "--seeds ");
    wanted = example();
    wanted.version = "0.2.0";
    wanted.configuration = "other.ini";
    EXPECT_EQ(keys_of(wanted), "") << "names do not matter where the options are the same";
}

TEST(sweep_plan, a_point_is_compared_with_the_first_or_with_the_first_value_of_an_option) {
    const sweep_plan plan = example();
    EXPECT_EQ(reference_of(plan, 11, ""), 0U);
    // 11: detail, third pair, 10Gbps.
    EXPECT_EQ(
        plan.settings(reference_of(plan, 11, "switch.scheme")),
        (settings_list{
            {"switch.scheme", "fc"}, {"pfc.xoff", "60KB"}, {"pfc.xon", "30KB"}, {"link.rate", "10Gbps"}}));
    EXPECT_EQ(plan.settings(reference_of(plan, 11, "pfc.xon"))[1].second, "20KB");
    EXPECT_EQ(reference_of(plan, 1, "switch.scheme"), 1U);
}

TEST(sweep_plan, a_fingerprint_is_the_published_crc) {
    // Check value of CRC-64/XZ in the catalogue of parametrised CRC algorithms: 995dc9bbdf1939fa.
    const std::string path = testing::TempDir() + "weir_fingerprint";
    std::ofstream(path) << "123456789";
    const auto print = fingerprint_of(path);
    ASSERT_TRUE(print);
    EXPECT_EQ(print->crc64, "995dc9bbdf1939fa");
    EXPECT_EQ(print->bytes, 9U);
    EXPECT_FALSE(fingerprint_of(path + ".none"));
}

}  // namespace
}  // namespace weir::tb
