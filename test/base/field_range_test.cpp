#include "weir/base/field_range.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/errors_said.h"

namespace weir {
namespace {

TEST(field_range, ends_are_in_or_out_as_they_say) {
    const field_range included{1U, 16U};
    EXPECT_FALSE(included.holds(0));
    EXPECT_TRUE(included.holds(1));
    EXPECT_TRUE(included.holds(16));
    EXPECT_FALSE(included.holds(17));
    const field_range low_excluded{0_ps, 9_ps, range_ends::low_excluded};
    EXPECT_FALSE(low_excluded.holds(0_ps));
    EXPECT_TRUE(low_excluded.holds(1_ps));
    EXPECT_TRUE(low_excluded.holds(9_ps));
    const field_range both_excluded{0.0, 1.0, range_ends::both_excluded};
    EXPECT_FALSE(both_excluded.holds(0));
    EXPECT_TRUE(both_excluded.holds(std::nextafter(1.0, 0.0)));
    EXPECT_FALSE(both_excluded.holds(1));
    const field_range even{2U, 256U, range_ends::even};
    EXPECT_TRUE(even.holds(2));
    EXPECT_FALSE(even.holds(7));
    EXPECT_FALSE(even.holds(0));
    EXPECT_FALSE(even.holds(258));
}

TEST(field_range, not_a_number_is_in_no_range) {
    for (const range_ends ends : {range_ends::included, range_ends::low_excluded, range_ends::both_excluded}) {
        EXPECT_FALSE((field_range<double>{0.0, 1e9, ends}).holds(std::nan("")));
    }
}

TEST(field_range, text_says_what_holds) {
    EXPECT_EQ((field_range{16_B, 4096_B}.text(field_text<bytes>)), "16B to 4KiB");
    EXPECT_EQ((field_range{0.0, 64.0, range_ends::low_excluded}.text(field_text<double>)),
              "above 0, at most 64");
    EXPECT_EQ((field_range{0.0, 1.0, range_ends::both_excluded}.text(field_text<double>)), "above 0, below 1");
    EXPECT_EQ((field_range{2U, 256U, range_ends::even}.text(field_text<unsigned>)),
              "even numbers from 2 to 256");
}

TEST(range_check, every_violation_has_its_key_value_and_rule) {
    range_check check("switch");
    EXPECT_TRUE(check.within("speedup", 16U, field_range{1U, 16U}));
    EXPECT_FALSE(check.within("speedup", 17U, field_range{1U, 16U}));
    EXPECT_FALSE(check.require(false, "load", 0.25, "at most a tenth"));
    check.fail("pfc.xoff", "is in another block; expected here");
    EXPECT_FALSE(check.fits("speedup"));
    EXPECT_TRUE(check.fits("cell"));
    EXPECT_FALSE(check.fits("pfc.xoff"));
    const config_errors errors = check.take();
    EXPECT_TRUE(
        errors_are(errors, {"switch.speedup: 17, 1 to 16", "switch.load: relation, 0.25, at most a tenth",
                            "pfc.xoff: another block"}));
}

TEST(range_check, a_relation_names_the_options_that_it_involves_and_leaves_its_text_whether_it_holds_or_not) {
    range_check check("pfc");
    EXPECT_TRUE(check.require(true, "xoff", 1_B, "1B to {} ({switch.ingress_buffer})", 9_B));
    EXPECT_FALSE(check.require(false, "xon", 7_B, "at most {xoff} ({})", 6_B));
    EXPECT_TRUE(check.refuse(true, "reserve", "'{}' with {xoff} uses up {switch.ingress_buffer}", "{xon}"));
    const config_errors errors = check.take();
    ASSERT_EQ(errors.size(), 2U);
    EXPECT_TRUE(errors_are(errors[0], {"pfc.xon: relation pfc.xoff, 7B, at most xoff, 6B"}));
    // A value is a value, whatever it looks like.
    EXPECT_EQ(errors[1].message, "'{xon}' with xoff uses up switch.ingress_buffer");
    EXPECT_EQ(errors[1].others, (std::vector<std::string>{"pfc.xoff", "switch.ingress_buffer"}));
    ASSERT_EQ(errors.relations.size(), 3U);
    EXPECT_EQ(errors.relations[0].key, "pfc.xoff");
    EXPECT_EQ(errors.relations[0].text, "1B to {} ({switch.ingress_buffer})");
    EXPECT_EQ(errors.relations[0].kind, relation_kind::limit);
    EXPECT_EQ(errors.relations[2].kind, relation_kind::refusal);
}

TEST(range_check, all_relations_of_an_option_are_reported_unless_its_value_is_wrong) {
    range_check check("pfc");
    EXPECT_FALSE(check.require(false, "xoff", 7_B, "at most {switch.ingress_buffer}"));
    EXPECT_TRUE(check.refuse(true, "xoff", "is none of {switch.classes}"));
    EXPECT_FALSE(check.fits("xoff"));
    // Any error of the other option.
    EXPECT_FALSE(check.require(false, "xon", 7_B, "at most {xoff}"));
    check.within("reserve", 9_B, field_range{0_B, 8_B});
    EXPECT_TRUE(check.refuse(true, "reserve", "is none of {switch.classes}"));
    check.fail("reserve", "is wrong otherwise, too");
    const config_errors errors = check.take();
    ASSERT_EQ(errors.size(), 4U);
    EXPECT_EQ(errors[1].message, "is none of switch.classes");
    EXPECT_TRUE(errors_are(errors[2], {"pfc.reserve: 9B, 0B to 8B"}));
    EXPECT_EQ(errors[3].message, "is wrong otherwise, too");
}

TEST(range_check, each_wrong_value_of_a_list_is_reported_and_the_relation_is_there_without_any) {
    const auto check_list = [](const std::vector<unsigned>& list) {
        range_check check("a");
        check.refuse_each(
            list, [](unsigned each) { return each > 4; }, "list", "has {}; expected at most {most} ({})", 4U);
        return check.take();
    };
    const config_errors errors = check_list({1, 7, 3, 9});
    EXPECT_TRUE(errors_are(errors, {"a.list: relation a.most, 7, at most most, 4",
                                    "a.list: relation a.most, 9, at most most, 4"}));
    EXPECT_EQ(errors.relations.size(), 1U);
    EXPECT_EQ(check_list({}).size(), 0U);
    EXPECT_EQ(check_list({}).relations.size(), 1U);
}

TEST(range_check, an_option_without_a_value_that_others_need_is_missing) {
    range_check check("a");
    EXPECT_FALSE(check.refuse_missing(false, "file", "'' is empty; {kind} needs it"));
    EXPECT_TRUE(check.refuse_missing(true, "file", "'' is empty; {kind} needs it"));
    EXPECT_TRUE(check.refuse(true, "kind", "'' is a word as others are"));
    const config_errors errors = check.take();
    ASSERT_EQ(errors.size(), 2U);
    EXPECT_TRUE(errors[0].is_missing());
    EXPECT_EQ(errors[0].others, std::vector<std::string>{"a.kind"});
    EXPECT_FALSE(errors[1].is_missing());
}

TEST(range_check, a_relation_with_an_option_that_has_an_error_is_not_reported) {
    range_check check("pfc");
    check.fail("xoff", "is refused");
    EXPECT_FALSE(check.require(false, "xon", 7_B, "at most {xoff}"));
    EXPECT_FALSE(check.require(false, "xoff", 7_B, "at most {switch.ingress_buffer}"));
    EXPECT_FALSE(check.require(false, "reserve", 7_B, "at most {switch.ingress_buffer}"));
    const config_errors errors = check.take();
    ASSERT_EQ(errors.size(), 2U);
    EXPECT_EQ(errors[1].key, "pfc.reserve");
}

}  // namespace
}  // namespace weir
