// What --vary and --seeds take: lists, ranges, pairs, values with commas; and what they refuse.
#include <gtest/gtest.h>

#include "support/errors_said.h"
#include "tb/run/options/run_options.h"
#include "tb/study/points/seed_list.h"
#include "tb/study/points/sweep_axis.h"

namespace weir::tb {
namespace {

using texts = std::vector<std::string>;

/// Values of one option; pairs as `a|b`. An error is a single value.
texts values_of(const std::string& vary) {
    run_config config;
    const axis_result read = read_axis(vary, make_option_table(config));
    texts all;
    for (const config_error& error : read.errors) {
        all.push_back(error.key + ": " + error.message);
    }
    for (const auto& place : read.errors.empty() ? read.axis.values : std::vector<texts>{}) {
        all.push_back(joined(place, "|"));
    }
    return all;
}

TEST(sweep_grammar, memory_may_be_given_in_cells) {
    run_config config;
    option_table table = make_option_table(config);
    table.set_cell(208_B);
    const auto values = [&](const std::string& vary) {
        const axis_result read = read_axis(vary, table);
        texts all;
        for (const config_error& error : read.errors) {
            all.push_back(error.message);
        }
        for (const auto& place : read.axis.values) {
            all.push_back(joined(place, "|"));
        }
        return all;
    };
    EXPECT_EQ(values("switch.ingress_buffer=1000c,2000c,64KiB"), (texts{"208KB", "416KB", "64KiB"}));
    EXPECT_EQ(values("switch.ingress_buffer=100c..1000c:450c"), (texts{"20800B", "114400B", "208KB"}));
    EXPECT_EQ(values("pfc.xoff,pfc.xon=(100c,50c)"), (texts{"20800B|10400B"}));
    EXPECT_TRUE(errors_are(values_of("switch.ingress_buffer=1000c"),
                           {"--vary switch.ingress_buffer: 1000c, switch.memory_cell, bytes"}));
}

TEST(sweep_grammar, a_list_of_any_kind_of_option) {
    EXPECT_EQ(values_of("switch.scheme=baseline,detail"), (texts{"baseline", "detail"}));
    EXPECT_EQ(values_of(" switch.speedup = 2 , 4,8 "), (texts{"2", "4", "8"}));
    EXPECT_EQ(values_of("output.flows=on,no"), (texts{"true", "false"}));
    EXPECT_EQ(values_of("pfc.xoff=auto,20KB"), (texts{"auto", "20KB"}));
    EXPECT_EQ(values_of("traffic.file=a.csv,../b.csv"), (texts{"a.csv", "../b.csv"}));
    EXPECT_EQ(values_of("link.rate=1Gbps"), (texts{"1Gbps"}));
}

TEST(sweep_grammar, values_are_in_the_options_own_words) {
    EXPECT_EQ(values_of("link.latency=0.0016ms,2000ns"), (texts{"1.6us", "2us"}));
    EXPECT_EQ(values_of("traffic.load=0.15,20%"), (texts{"15%", "20%"}));
    EXPECT_EQ(values_of("switch.ingress_buffer=65536B"), (texts{"64KiB"}));
    EXPECT_EQ(values_of("switch.ingress_buffer=128KB,256KB,250000B"), (texts{"128KB", "256KB", "250KB"}));
    EXPECT_EQ(values_of("switch.ingress_buffer=125KiB,250KiB"), (texts{"125KiB", "250KiB"}));
    EXPECT_EQ(values_of("switch.ingress_buffer=128KB..256KB:64KB"), (texts{"128KB", "192KB", "256KB"}));
    EXPECT_EQ(values_of("switch.ingress_buffer=128000B..256KB:lin:2"), (texts{"128KB", "256KB"}));
}

TEST(sweep_grammar, a_value_with_commas_stands_in_brackets) {
    EXPECT_EQ(values_of("traffic.priorities=(0,3,7),(7),0"), (texts{"0, 3, 7", "7", "0"}));
    EXPECT_EQ(values_of("fabric.link=(tor0-root0 down at=5ms)"), (texts{"tor0-root0 down at=5ms"}));
}

TEST(sweep_grammar, keys_are_the_tables_own_however_they_are_written) {
    run_config config;
    const option_table table = make_option_table(config);
    EXPECT_EQ(read_axis("switch.ingress-buffer,pfc.xoff=(64KiB,auto)", table).axis.keys,
              (texts{"switch.ingress_buffer", "pfc.xoff"}));
    EXPECT_EQ(values_of("switch.ingress-buffer,switch.ingress_buffer=(1KiB,1KiB)").size(), 1U);
    EXPECT_TRUE(errors_are(values_of("switch.ingress-bufer=64KiB"),
                           {"--vary: switch.ingress-bufer, switch.ingress_buffer"}));
}

TEST(sweep_grammar, plus_adds_to_an_option_that_may_be_given_several_times) {
    run_config config;
    const option_table table = make_option_table(config);
    const axis_result read = read_axis("fabric.link+=tor0-root0 down,tor0-root1 down", table);
    EXPECT_TRUE(read.errors.empty());
    EXPECT_EQ(read.axis.keys, texts{"fabric.link+"});
    EXPECT_EQ(read.axis.values.size(), 2U);
    EXPECT_TRUE(errors_are(values_of("switch.speedup+=2,4"), {"--vary: +=, speedup = value"}));
}

TEST(sweep_grammar, options_that_move_together) {
    EXPECT_EQ(values_of("pfc.xoff,pfc.xon=(20KB,10KB),(40KB, 20KB)"), (texts{"20KB|10KB", "40KB|20KB"}));
    EXPECT_EQ(values_of("traffic.priorities,switch.scheme=((0,7),detail),(0,baseline)"),
              (texts{"0, 7|detail", "0|baseline"}));
    // The same first value twice: only the whole has to differ.
    EXPECT_EQ(values_of("pfc.xoff,pfc.xon=(20KB,10KB),(20KB,5KB)"), (texts{"20KB|10KB", "20KB|5KB"}));
}

TEST(sweep_grammar, ranges_by_step_include_both_ends) {
    EXPECT_EQ(values_of("switch.ingress_buffer=64KiB..256KiB:64KiB"),
              (texts{"64KiB", "128KiB", "192KiB", "256KiB"}));
    EXPECT_EQ(values_of("link.latency=1us..2us:250ns"), (texts{"1us", "1.25us", "1.5us", "1.75us", "2us"}));
    EXPECT_EQ(values_of("traffic.load=10%..50%:10%"), (texts{"10%", "20%", "30%", "40%", "50%"}));
    EXPECT_EQ(values_of("traffic.load=0.1..0.3:0.1"), (texts{"10%", "20%", "30%"}));
    EXPECT_EQ(values_of("traffic.rate=0.1..0.7:0.2"), (texts{"0.1", "0.3", "0.5", "0.7"}));
    EXPECT_EQ(values_of("link.rate=10Gbps..40Gbps:10Gbps"), (texts{"10Gbps", "20Gbps", "30Gbps", "40Gbps"}));
    EXPECT_EQ(values_of("switch.iterations=1..4:1"), (texts{"1", "2", "3", "4"}));
    EXPECT_EQ(values_of("output.occupancy_interval=0us..10us:5us"), (texts{"0ps", "5us", "10us"}));
}

TEST(sweep_grammar, lists_of_one_element_have_ranges_too) {
    EXPECT_EQ(values_of("traffic.fan_out=8..48:8"), (texts{"8", "16", "24", "32", "40", "48"}));
    EXPECT_EQ(values_of("traffic.fan_out=8..32:log:3,(10,20,40)"), (texts{"8", "16", "32", "10, 20, 40"}));
    EXPECT_EQ(values_of("traffic.sizes=2KB..8KB:2KB"), (texts{"2KB", "4KB", "6KB", "8KB"}));
    EXPECT_EQ(values_of("shared.lossless_classes=auto,3..4:1"), (texts{"auto", "3", "4"}));
    EXPECT_TRUE(has_error(values_of("traffic.fan_out=8..4:1")[0], "does not ascend"));
    EXPECT_TRUE(has_error(values_of("traffic.fan_out=0..4:1")[0], "1 to 65535"));
}

TEST(sweep_grammar, ranges_by_count_are_whole_numbers_or_have_four_digits) {
    EXPECT_EQ(values_of("switch.ingress_buffer=16KiB..1MiB:log:7"),
              (texts{"16KiB", "32KiB", "64KiB", "128KiB", "256KiB", "512KiB", "1MiB"}));
    EXPECT_EQ(values_of("link.latency=1us..100us:log:5"),
              (texts{"1us", "3.162us", "10us", "31.62us", "100us"}));
    EXPECT_EQ(values_of("traffic.rate=1..1000:log:3"), (texts{"1", "31.62", "1000"}));
    EXPECT_EQ(values_of("traffic.rate=1e-3..1e3:log:4"), (texts{"0.001", "0.1", "10", "1000"}));
    EXPECT_EQ(values_of("switch.iterations=1..10:log:3"), (texts{"1", "3", "10"}));
    EXPECT_EQ(values_of("traffic.load=10%..90%:lin:3"), (texts{"10%", "50%", "90%"}));
    EXPECT_EQ(values_of("link.latency=1us..2us:lin:4"), (texts{"1us", "1.333us", "1.667us", "2us"}));
}

TEST(sweep_grammar, log_ranges_have_equal_ratios) {
    const auto range = expand_range(quantity_kind::time, range_text("1us..1s:log:25"));
    ASSERT_TRUE(range);
    ASSERT_EQ(range.value.size(), 25U);
    for (std::size_t i = 0; i < 25; ++i) {
        const double value = read_quantity(quantity_kind::time, range.value[i]).value;
        // Four digits are within 5e-4 of what they stand for.
        EXPECT_NEAR(value / (1e6 * std::pow(10.0, static_cast<double>(i) / 4)), 1, 5e-4) << range.value[i];
    }
}

TEST(sweep_grammar, lists_may_hold_ranges) {
    EXPECT_EQ(values_of("pfc.xoff=auto,10KB..30KB:10KB,100KB"),
              (texts{"auto", "10KB", "20KB", "30KB", "100KB"}));
}

TEST(sweep_grammar, mistakes_say_what_is_allowed) {
    const auto error_of = [](const std::string& vary) {
        const texts all = values_of(vary);
        return all.empty() ? std::string() : all.front();
    };
    EXPECT_TRUE(errors_are(error_of("link.latency=1us..10us:4us"),
                           {"--vary link.latency: 1us..10us:4us, 9us, 13us, low..high:lin:n"}));
    EXPECT_TRUE(
        errors_are(error_of("link.latency=10us..1us:1us"), {"--vary link.latency: 10us..1us:1us, above"}));
    EXPECT_TRUE(
        errors_are(error_of("link.latency=1us..2us:1"), {"--vary link.latency: 1us..2us:1, 1, us, unit"}));
    EXPECT_TRUE(errors_are(error_of("switch.iterations=1..3:log:4"),
                           {"--vary switch.iterations: 1..3:log:4, 1, twice"}));
    EXPECT_NE(error_of("link.latency=1us..2us:log").find("needs a number of values"), std::string::npos);
    EXPECT_NE(error_of("link.latency=1us..2us:exp:4").find("unknown rule 'exp'"), std::string::npos);
    EXPECT_NE(error_of("link.latency=1us..2us:log:1").find("2 to 10000 values"), std::string::npos);
    EXPECT_NE(error_of("link.latency=1us..2us:0us").find("is not above 0"), std::string::npos);
    EXPECT_NE(error_of("link.latency=1us,,2us").find("empty value"), std::string::npos);
    EXPECT_NE(error_of("link.latency=").find("has no values"), std::string::npos);
    EXPECT_NE(error_of("link.latency").find("has no '='"), std::string::npos);
    EXPECT_TRUE(has_error(error_of("=1us"), "does not name an option"));
    EXPECT_NE(error_of("link.latency,link.latency=(1us,2us)").find("given twice"), std::string::npos);
    EXPECT_NE(error_of("link.latency,link.rate=1us,1Gbps").find("is not in brackets"), std::string::npos);
    EXPECT_NE(error_of("link.latency=(1us").find("unbalanced brackets"), std::string::npos);
    EXPECT_NE(error_of("link.latency=1us)").find("unbalanced brackets"), std::string::npos);
    EXPECT_TRUE(has_error(error_of("link.latency=1us,1000ns"), "1us, twice"));
}

TEST(sweep_grammar, seeds_are_a_number_or_a_list) {
    using seeds = std::vector<std::uint64_t>;
    EXPECT_EQ(read_seeds("3", 1).value, (seeds{1, 2, 3}));
    EXPECT_EQ(read_seeds("3", 41).value, (seeds{41, 42, 43}));
    EXPECT_EQ(read_seeds("7,3,11", 1).value, (seeds{7, 3, 11}));
    EXPECT_EQ(read_seeds("1..4", 9).value, (seeds{1, 2, 3, 4}));
    EXPECT_EQ(read_seeds("5..5", 9).value, (seeds{5}));
    EXPECT_EQ(read_seeds("1..3, 10", 9).value, (seeds{1, 2, 3, 10}));
    for (const char* bad :
         {"0", "", "x", "-1", "3..1", "1,2,1", "1..20000", "0..18446744073709551615", "1.5", "1..", ","}) {
        EXPECT_FALSE(read_seeds(bad, 1)) << bad;
    }
    const std::string huge = "99999999999999999999";
    EXPECT_EQ(read_seeds(huge, 1).error.find("'" + huge + "' are more than 10000 seeds; expected"), 0U);
    for (const std::string& list : {"1," + huge, "1.." + huge}) {
        EXPECT_EQ(read_seeds(list, 1).error.find("'" + list + "' has a seed above 18446744073709551615;"), 0U);
    }
}

}  // namespace
}  // namespace weir::tb
