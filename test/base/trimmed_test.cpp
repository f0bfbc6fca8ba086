#include "weir/base/trimmed.h"

#include <gtest/gtest.h>

namespace weir {
namespace {

TEST(trimmed, leaves_what_is_between_the_outer_blanks) {
    EXPECT_EQ(trimmed("\t a b \r\n"), "a b");
    EXPECT_EQ(trimmed("a"), "a");
    EXPECT_EQ(trimmed(" \t "), "");
    EXPECT_EQ(trimmed(""), "");
}

}  // namespace
}  // namespace weir
