#include "tb/support/text/text_format.h"

#include <gtest/gtest.h>

using namespace weir;
using namespace weir::tb;

namespace {

TEST(text_format, counts_have_their_thousands_apart) {
    EXPECT_EQ(count_text(12), "12");
    EXPECT_EQ(count_text(1234), "1,234");
    EXPECT_EQ(count_text(1234567), "1,234,567");
}

TEST(text_format, times_and_rates_below_0_have_a_sign_in_every_unit) {
    EXPECT_EQ(duration_text(-1500_ps), "-1.500 ns");
    EXPECT_EQ(duration_text(-25'000'125_ps), "-25.000 us");
    EXPECT_EQ(duration_text(-7'850'292'400_ps), "-7.850 ms");
    EXPECT_EQ(duration_text(picoseconds{-1'234'567'890'123'000}), "-1,234.568 s");
    EXPECT_EQ(rate_text(-5), "-0.005 kb/s");
    EXPECT_EQ(rate_text(-12'345'678), "-12.346 Mb/s");
    EXPECT_EQ(rate_text(-1'000'000'000), "-1.000 Gb/s");
    EXPECT_EQ(rate_text(-2'500'000'000'000), "-2.500 Tb/s");
    EXPECT_EQ(duration_text(picoseconds{-0}), "0.000 ns");
    EXPECT_EQ(rate_text(-1, 2), "0.000 Gb/s") << "a value that is rounded to 0 has no sign";
    EXPECT_EQ(duration_text(-999'999'500_ps), "-1.000 ms") << "rounded away from 0, as above it";
}

}  // namespace
