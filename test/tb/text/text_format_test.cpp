#include "tb/text/text_format.h"

#include <gtest/gtest.h>

using namespace weir;
using namespace weir::tb;

namespace {

TEST(text_format, counts_have_their_thousands_apart) {
    EXPECT_EQ(count_text(12), "12");
    EXPECT_EQ(count_text(1234), "1,234");
    EXPECT_EQ(count_text(1234567), "1,234,567");
}

}  // namespace
