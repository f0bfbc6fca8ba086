#include "weir/model/topology/topology_kinds.h"

#include <gtest/gtest.h>

namespace weir::model {
namespace {

TEST(fabric_kinds, a_generator_makes_the_fabric_of_its_own_sizes) {
    topology_sizes sizes;
    sizes.single.hosts = 3;
    sizes.fat_tree.k = 4;
    EXPECT_EQ(fabric_kinds()[named<fabric_kind>("single")].make(sizes).hosts(), 3U);
    EXPECT_EQ(fabric_kinds()[named<fabric_kind>("fat_tree")].make(sizes).hosts(), 16U);
    sizes.fat_tree.k = 5;
    EXPECT_FALSE(fabric_kinds()[named<fabric_kind>("fat_tree")].validate(sizes).empty());
    EXPECT_TRUE(fabric_kinds()[named<fabric_kind>("single")].validate(sizes).empty());
}

TEST(fabric_kinds, have_the_names_of_the_enumeration) {
    EXPECT_EQ(fabric_kinds().find("pods"), named<fabric_kind>("pods"));
    EXPECT_EQ(fabric_kinds().find("file"), named<fabric_kind>("file"));
    EXPECT_FALSE(fabric_kinds()[named<fabric_kind>("file")].make);
}

TEST(fabric_kinds, options_of_a_tier_are_for_the_fabrics_that_have_it) {
    EXPECT_EQ(with_tier(link_tier::root), "fabric.topology = racks");
    EXPECT_EQ(with_tier(link_tier::core), "fabric.topology = pods or fat_tree or xgft");
}

}  // namespace
}  // namespace weir::model
