#include "tb/text/joined.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace weir::tb {
namespace {

TEST(joined, texts_have_separators_between_them_only) {
    EXPECT_EQ(joined(std::vector<std::string>{}), "");
    EXPECT_EQ(joined(std::vector<std::string>{"a"}), "a");
    EXPECT_EQ(joined(std::vector<std::string>{"", "b", ""}), ",b,");
    EXPECT_EQ(joined(std::set<std::string>{"b", "a"}, ", "), "a, b");
    EXPECT_EQ(joined(std::vector<int>{1, 2}, "; ", [](int n) { return std::to_string(n); }), "1; 2");
}

}  // namespace
}  // namespace weir::tb
