#include "tb/run/tables/flow_rates.h"

#include <gtest/gtest.h>

namespace weir::tb {
namespace {

TEST(jain_index, is_one_for_equal_rates_and_one_over_n_where_one_has_all) {
    EXPECT_DOUBLE_EQ(jain_index({3, 3, 3, 3}), 1);
    EXPECT_DOUBLE_EQ(jain_index({0, 0, 5, 0}), 0.25);
    // (1 + 2 + 3)^2 / (3 x 14)
    EXPECT_DOUBLE_EQ(jain_index({1, 2, 3}), 36.0 / 42);
    EXPECT_EQ(jain_index({}), 1);
}

}  // namespace
}  // namespace weir::tb
