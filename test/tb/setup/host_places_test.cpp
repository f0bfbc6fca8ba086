#include "tb/run/topology/host_places.h"

#include <gtest/gtest.h>

#include "weir/model/topology/topology_generators.h"

namespace weir::tb {
namespace {

TEST(host_places, names_are_hosts_or_switches_with_hosts) {
    const topology plan = make_topology(pods_config{});
    config_errors errors;
    const std::vector<host_id> rack = hosts_of_names({"tor1.0"}, "traffic.sources", plan, errors);
    ASSERT_EQ(rack.size(), 8U);
    EXPECT_EQ(rack.front(), 32U);
    EXPECT_EQ(hosts_of_names({"tor1.*"}, "traffic.sources", plan, errors).size(), 32U);
    EXPECT_EQ(hosts_of_names({"tor1.0", "h5", "h33"}, "traffic.sources", plan, errors).size(), 9U);
    EXPECT_TRUE(hosts_of_names({}, "traffic.sources", plan, errors).empty());
    EXPECT_TRUE(errors.empty());
    hosts_of_names({"core0", "h1", "rack7"}, "traffic.sources", plan, errors);
    ASSERT_EQ(errors.size(), 2U);
    EXPECT_EQ(errors[0].key, "traffic.sources");
    EXPECT_NE(errors[0].message.find("'core0'"), std::string::npos);
}

TEST(host_places, parts_are_pods_and_what_leads_out_of_them) {
    pods_config config;
    config.links_per_agg = 2;
    const fabric_parts pods = parts_of(make_topology(config));
    ASSERT_EQ(pods.part_of.size(), 128U);
    EXPECT_EQ(pods.part_of[31], 0U);
    EXPECT_EQ(pods.part_of[32], 1U);
    // Four aggregation switches of a pod, each with two links to cores.
    const auto rate = static_cast<double>(config.core_link.rate.count());
    EXPECT_EQ(pods.up_rate, (std::vector<double>{8 * rate, 8 * rate, 8 * rate, 8 * rate}));

    const fabric_parts sides = parts_of(make_topology(dumbbell_config{}));
    ASSERT_EQ(sides.up_rate.size(), 2U);
    EXPECT_EQ(sides.up_rate[0], sides.up_rate[1]);
    EXPECT_TRUE(parts_of(make_topology(single_config{})).part_of.empty());
}

}  // namespace
}  // namespace weir::tb
