// The text of `run.until`.
#include <gtest/gtest.h>

#include "tb/run/fields/precision_goal.h"

namespace weir::tb {
namespace {

TEST(precision_goal, goals_are_read_and_said_in_full) {
    const auto read = parse_precision_goals(
        "p99 of fct within 2% and  mean of jct of query within 0.5% at 99% and "
        "p99.9 of slowdown within 10%");
    ASSERT_TRUE(read) << read.error;
    ASSERT_EQ(read.value.size(), 3U);
    EXPECT_EQ(read.value[0].percentile, 9'900U);
    EXPECT_EQ(read.value[1].percentile, 0U);
    EXPECT_EQ(read.value[1].tag, "query");
    EXPECT_EQ(read.value[1].confidence, 0.99);
    EXPECT_EQ(goal_text(read.value[0]), "p99 of fct within 2% at 95%");
    EXPECT_EQ(goal_text(read.value[1]), "mean of jct of query within 0.5% at 99%");
    EXPECT_EQ(goal_text(read.value[2]), "p99.9 of slowdown within 10% at 95%");
    EXPECT_TRUE(parse_precision_goals(""));
    EXPECT_TRUE(parse_precision_goals("").value.empty());
}

TEST(precision_goal, what_is_wrong_is_named) {
    const std::pair<const char*, const char*> wrong[] = {
        {"p99", "`of METRIC` is missing"},
        {"p100 of fct within 2%", "'p100' is no figure"},
        {"p0 of fct within 2%", "'p0' is no figure"},
        {"p99.999 of fct within 2%", "'p99.999' has more than two decimals"},
        {"p99.x of fct within 2%", "'p99.x' is no figure"},
        {"p101.001 of fct within 2%", "'p101.001' is no figure"},
        {"max of fct within 2%", "'max' is no figure"},
        {"p99 of goodput within 2%", "'goodput' is no metric"},
        {"p99 of fct", "`within N%` is missing"},
        {"p99 of fct within 2", "'2' is not a share from 0.1% to 50%"},
        {"p99 of fct within 50 %", "'50 %' has a space before the %"},
        {"p99 of fct within 2% at 95 %", "'95 %' has a space before the %"},
        {"p99 of fct within 0%", "'0%' is not a share from 0.1% to 50%"},
        {"p99 of fct within 51%", "'51%' is not a share from 0.1% to 50%"},
        {"p99 of fct within 2% at 100%", "'100%' is not a share from 50% to 99.9%"},
        {"p99 of fct within 2% soon", "'soon' is one word too many"},
        {"p99 of fct within 2% and", "'' is no figure"},
        {"p99 of fct within 2% and p99 of fct within 1%", "asks for the p99 of fct twice"},
    };
    for (const auto& [text, why] : wrong) {
        const auto read = parse_precision_goals(text);
        EXPECT_FALSE(read) << text;
        EXPECT_NE(read.error.find(why), std::string::npos) << read.error;
        EXPECT_NE(read.error.find("expected"), std::string::npos) << read.error;
    }
}

}  // namespace
}  // namespace weir::tb
