#include "weir/traffic/traces/flow.h"

#include <gtest/gtest.h>

namespace weir::traffic {
namespace {

TEST(tag_table, numbers_names_from_one_in_order_of_appearance) {
    tag_table tags;
    EXPECT_EQ(tags.index("query"), 1);
    EXPECT_EQ(tags.index("background"), 2);
    EXPECT_EQ(tags.index("query"), 1);
    EXPECT_EQ(tags.index(""), 0);
    EXPECT_EQ(tags.names(), (std::vector<std::string>{"", "query", "background"}));
}

TEST(tag_table, holds_255_names_and_refuses_the_next) {
    tag_table tags;
    for (int n = 1; n <= 255; ++n) {
        ASSERT_EQ(tags.index("t" + std::to_string(n)), n);
    }
    EXPECT_EQ(tags.index("one more"), std::nullopt);
    EXPECT_EQ(tags.index("t255"), 255);
    EXPECT_EQ(tags.names().size(), 256U);
}

TEST(flow, ties_of_start_are_ordered_by_place_in_the_file) {
    trace_flow a;
    trace_flow b;
    a.flow = 7;
    b.flow = 3;
    EXPECT_TRUE(starts_before(b, a));
    EXPECT_FALSE(starts_before(a, b));
    EXPECT_FALSE(starts_before(a, a));
    b.start = 1_ps;
    EXPECT_TRUE(starts_before(a, b));
}

}  // namespace
}  // namespace weir::traffic
