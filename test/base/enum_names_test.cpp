#include "weir/base/enum_names.h"

#include <gtest/gtest.h>

#include "weir/base/registry.h"

namespace weir {
namespace {

enum class probe_form : std::uint8_t { ping, ramp, count };
constexpr auto names_of(probe_form) {
    return enum_names<probe_form>({{probe_form::ping, "ping", "one small frame"}, {probe_form::ramp, "ramp"}});
}

enum class probe_kind : std::uint8_t {};
registry<probe_kind, int>& probe_kinds() {
    static registry<probe_kind, int> list{{"first", "the first", 1}, {"second", "the second", 2}};
    return list;
}
constexpr registered_names<probe_kind, probe_kinds> names_of(probe_kind) {
    return {};
}

TEST(enum_names, are_found_by_value_and_by_name) {
    EXPECT_STREQ(name_of(probe_form::ramp), "ramp");
    EXPECT_STREQ(name_of(probe_form::count), "?");
    EXPECT_EQ(find_named<probe_form>("ping"), probe_form::ping);
    EXPECT_EQ(find_named<probe_form>("pin"), std::nullopt);
    EXPECT_STREQ(names_of(probe_form::ping)[0].doc, "one small frame");
}

TEST(enum_names, of_a_registry_are_those_that_it_has_by_now) {
    EXPECT_EQ(find_named<probe_kind>("third"), std::nullopt);
    const probe_kind third = probe_kinds().add({"third", "the third", 3});
    EXPECT_EQ(find_named<probe_kind>("third"), third);
    EXPECT_STREQ(name_of(third), "third");
    EXPECT_STREQ(name_of(probe_kind{}), "first");
}

}  // namespace
}  // namespace weir
