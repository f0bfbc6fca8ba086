#include "weir/base/how_many.h"

#include <gtest/gtest.h>

namespace weir {
namespace {

TEST(how_many, one_is_singular_and_all_others_are_plural) {
    EXPECT_EQ(how_many(0, "run"), "0 runs");
    EXPECT_EQ(how_many(1, "run"), "1 run");
    EXPECT_EQ(how_many(11, "shortest path"), "11 shortest paths");
    EXPECT_EQ(how_many(1, "switch", "switches"), "1 switch");
    EXPECT_EQ(how_many(2, "switch", "switches"), "2 switches");
}

}  // namespace
}  // namespace weir
