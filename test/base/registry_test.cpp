#include "weir/base/registry.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace weir {
namespace {

enum class shape : std::uint8_t { square, circle };
using shapes = registry<shape, int>;

TEST(registry, ours_have_the_numbers_of_the_enumeration_and_others_those_behind) {
    shapes list{{"square", "four sides", 4}, {"circle", "none", 0}};
    EXPECT_EQ(list.find("circle"), shape::circle);
    EXPECT_EQ(list[shape::square], 4);
    const shape triangle = list.add({"triangle", "three sides", 3});
    EXPECT_EQ(static_cast<int>(triangle), 2);
    EXPECT_EQ(list.find("triangle"), triangle);
    EXPECT_EQ(list.of(triangle).doc, "three sides");
    EXPECT_EQ(list.entries().size(), 3U);
}

TEST(registry, a_name_that_nobody_registered_is_not_found) {
    const shapes list{{"square", "four sides", 4}};
    EXPECT_EQ(list.find("squar"), std::nullopt);
    EXPECT_EQ(list.find(""), std::nullopt);
}

TEST(registry, a_name_is_taken_once_and_there_is_a_number_for_each) {
    shapes list{{"square", "four sides", 4}};
    EXPECT_THROW(list.add({"square", "again", 4}), std::logic_error);
    while (list.entries().size() < 256) {
        list.add({"s" + std::to_string(list.entries().size()), "", 0});
    }
    EXPECT_THROW(list.add({"one_more", "", 0}), std::logic_error);
}

TEST(registry, an_entry_stays_where_it_is_when_others_come) {
    shapes list{{"square", "four sides", 4}};
    const int& sides = list[shape::square];
    for (int i = 0; i < 100; ++i) {
        list.add({"s" + std::to_string(i), "", i});
    }
    EXPECT_EQ(&sides, &list[shape::square]);
}

TEST(registry, a_condition_names_all_kinds_of_which_it_holds_those_of_others_too) {
    shapes list{{"square", "four sides", 4}, {"circle", "none", 0}};
    const auto has_corners = [](int sides) { return sides > 0; };
    EXPECT_EQ(list.condition("draw.shape", has_corners), "draw.shape = square");
    list.add({"triangle", "three sides", 3});
    EXPECT_EQ(list.condition("draw.shape", has_corners), "draw.shape = square or triangle");
}

}  // namespace
}  // namespace weir
