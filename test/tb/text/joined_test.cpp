#include "tb/support/text/joined.h"

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

TEST(split_list, gives_the_parts_without_blanks_and_none_of_an_empty_text) {
    EXPECT_EQ(split_list(" a, b,,c "), (std::vector<std::string>{"a", "b", "", "c"}));
    EXPECT_EQ(split_list("a,"), (std::vector<std::string>{"a", ""}));
    EXPECT_TRUE(split_list(" \t").empty());
}

}  // namespace
}  // namespace weir::tb
