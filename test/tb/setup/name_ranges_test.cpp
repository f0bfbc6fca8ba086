// Names as a dry run lists them.
#include "tb/run/topology/name_ranges.h"

#include <gtest/gtest.h>

namespace weir::test {

using namespace tb;
namespace {

using list = std::vector<std::string>;

TEST(name_ranges, names_that_differ_in_numbers_are_ranges) {
    EXPECT_EQ(name_ranges({}, 9), "");
    EXPECT_EQ(name_ranges({"s0"}, 9), "s0");
    EXPECT_EQ(name_ranges({"s0", "s1"}, 9), "s0, s1");
    EXPECT_EQ(name_ranges({"h0", "h1", "h2", "spine", "h3"}, 9), "h0 to h3, spine");
    EXPECT_EQ(name_ranges({"a0.0", "a0.1", "a1.0", "a1.1", "core7"}, 9), "a0.0 to a1.1, core7");
    EXPECT_EQ(name_ranges({"s.0", "s-0", "s_0"}, 9), "s.0, s-0, s_0");
    // Nothing between is said to be there that is not.
    EXPECT_EQ(name_ranges({"h0", "h1", "h2", "h5", "h6", "h7"}, 9), "h0 to h2, h5 to h7");
    EXPECT_EQ(name_ranges({"h2", "h0"}, 9), "h2, h0");
    EXPECT_EQ(name_ranges({"h07", "h08", "h09"}, 9), "h07, h08, h09");
    EXPECT_EQ(name_ranges({"h0-tor0", "h1-tor0", "h2-tor0", "h3-tor1", "h4-tor1", "h5-tor1"}, 9),
              "h0-tor0 to h2-tor0, h3-tor1 to h5-tor1");
}

TEST(name_ranges, long_lists_are_cut_and_what_is_left_out_is_counted) {
    list links;
    for (int host = 0; host < 40; ++host) {
        links.push_back("h" + std::to_string(host) + "-tor" + std::to_string(host / 4));
    }
    EXPECT_EQ(name_ranges(links, 3), "h0-tor0 to h3-tor0, h4-tor1 to h7-tor1, 28 more, h36-tor9 to h39-tor9");
    EXPECT_EQ(name_ranges({"a", "b", "c"}, 2), "a, 1 more, c");
    EXPECT_EQ(name_ranges({"a", "b", "c"}, 3), "a, b, c");
}

}  // namespace
}  // namespace weir::test
