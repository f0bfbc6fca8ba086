#include "weir/model/topology/topology_generators.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "support/errors_said.h"

namespace weir::model {
namespace {

/// Switches of each tier, and ports of the switches of each tier (which must all have as many).
struct census {
    std::map<unsigned, unsigned> switches;
    std::map<unsigned, unsigned> ports;
    std::size_t links;
    unsigned hosts;
};

census count(const topology& t) {
    EXPECT_TRUE(t.validate().empty());
    census c{{}, {}, t.links().size(), t.hosts()};
    for (switch_id s = 0; s < t.switches(); ++s) {
        ++c.switches[t.tier(s)];
        EXPECT_EQ(c.ports.emplace(t.tier(s), t.port_count(s)).first->second, t.port_count(s));
    }
    return c;
}

TEST(topology_generators, single_is_one_switch) {
    const census c = count(make_topology(single_config{}));
    EXPECT_EQ(c.hosts, 4U);
    EXPECT_EQ(c.links, 4U);
    EXPECT_EQ(c.ports.at(1), 4U);
}

TEST(topology_generators, dumbbell_has_one_bottleneck_between_its_sides) {
    dumbbell_config config;
    config.left = 3;
    config.right = 2;
    config.bottleneck = {100_Mbps, 50us};
    const topology t = make_topology(config);
    EXPECT_TRUE(t.validate().empty());
    EXPECT_EQ(t.hosts(), 5U);
    EXPECT_EQ(t.links().size(), 6U);
    EXPECT_EQ(t.edge_switch(2), 0U);
    EXPECT_EQ(t.edge_switch(3), 1U);
    const topology_link& between = t.link(*t.find_link("tor0-tor1"));
    EXPECT_EQ(between.rate, 100_Mbps);
    EXPECT_EQ(between.latency, 50us);
}

TEST(topology_generators, racks_default_is_detail_with_oversubscription_three) {
    const topology t = make_topology(racks_config{});
    const census c = count(t);
    EXPECT_EQ(c.hosts, 96U);
    EXPECT_EQ(c.switches.at(1), 8U);
    EXPECT_EQ(c.switches.at(2), 4U);
    EXPECT_EQ(c.ports.at(1), 12U + 4U);
    EXPECT_EQ(c.ports.at(2), 8U);
    EXPECT_EQ(c.links, 96U + 32U);
    EXPECT_EQ(t.name(node_ref::of_switch(7)), "tor7");
    EXPECT_EQ(t.name(node_ref::of_switch(8)), "root0");
}

TEST(topology_generators, pods_default_is_the_slides_fabric) {
    const topology t = make_topology(pods_config{});
    const census c = count(t);
    EXPECT_EQ(c.hosts, 128U);
    EXPECT_EQ(c.switches.at(1), 16U);
    EXPECT_EQ(c.switches.at(2), 16U);
    EXPECT_EQ(c.switches.at(3), 8U);
    EXPECT_EQ(c.ports.at(1), 8U + 4U);
    EXPECT_EQ(c.ports.at(2), 4U + 2U);
    EXPECT_EQ(c.ports.at(3), 4U);
    EXPECT_EQ(c.links, 128U + 64U + 32U);
    // Aggregation switch 2 of pod 1 reaches cores 4 and 5.
    EXPECT_TRUE(t.find_link("agg1.2-core4"));
    EXPECT_TRUE(t.find_link("agg1.2-core5"));
    EXPECT_FALSE(t.find_link("agg1.2-core6"));
    EXPECT_TRUE(t.find_link("tor1.0-agg1.3"));
    EXPECT_FALSE(t.find_link("tor1.0-agg2.3"));
}

TEST(topology_generators, flowbender_has_eight_uplinks_per_tor_and_four_to_one_at_the_aggregation) {
    pods_config config;
    config.links_per_agg = 2;
    const topology t = make_topology(config);
    const census c = count(t);
    EXPECT_EQ(c.ports.at(1), 8U + 8U);
    EXPECT_EQ(c.ports.at(2), 8U + 2U);
    EXPECT_EQ(c.links, 128U + 128U + 32U);
    EXPECT_TRUE(t.find_link("tor0.0-agg0.0.2"));
}

TEST(topology_generators, each_core_gets_as_many_links_where_aggregation_switches_share_cores) {
    pods_config config;
    config.cores_per_agg = 6;
    const census c = count(make_topology(config));
    EXPECT_EQ(c.ports.at(2), 4U + 6U);
    EXPECT_EQ(c.ports.at(3), 4U * 3U);
}

TEST(topology_generators, k_8_fat_tree_has_128_hosts_80_switches_384_links) {
    const topology t = make_topology(fat_tree_config{});
    const census c = count(t);
    EXPECT_EQ(c.hosts, 128U);
    EXPECT_EQ(t.switches(), 80U);
    EXPECT_EQ(c.links, 384U);
    for (unsigned tier : {1U, 2U, 3U}) {
        EXPECT_EQ(c.switches.at(tier), tier == 3 ? 16U : 32U);
        EXPECT_EQ(c.ports.at(tier), 8U);
    }
}

TEST(topology_generators, k_32_fat_tree_has_8192_hosts_1280_switches) {
    fat_tree_config config;
    config.k = 32;
    const topology t = make_topology(config);
    EXPECT_EQ(count(t).hosts, 8192U);
    EXPECT_EQ(t.switches(), 1280U);
    EXPECT_EQ(t.links().size(), 3U * 8192U);
}

TEST(topology_generators, a_core_has_one_link_to_each_pod) {
    const topology t = make_topology(fat_tree_config{});
    for (switch_id s = 64; s < 80; ++s) {
        std::set<std::string> pods;
        for (unsigned p = 0; p < t.port_count(s); ++p) {
            const std::string& agg = t.name(t.far_end(node_ref::of_switch(s), p).node);
            pods.insert(agg.substr(0, agg.find('.')));
        }
        EXPECT_EQ(pods.size(), 8U);
    }
}

TEST(topology_generators, fat_tree_oversubscription_multiplies_hosts_and_tiers_have_their_own_links) {
    fat_tree_config config;
    config.k = 4;
    config.oversubscription = 3;
    config.agg_link = {10_Gbps, 2us};
    config.core_link = {40_Gbps, 3us};
    const topology t = make_topology(config);
    EXPECT_TRUE(t.validate().empty());
    EXPECT_EQ(t.hosts(), 8U * 6U);
    EXPECT_EQ(t.link(*t.find_link("h0-tor0.0")).rate, 1_Gbps);
    EXPECT_EQ(t.link(*t.find_link("tor0.0-agg0.1")).rate, 10_Gbps);
    EXPECT_EQ(t.link(*t.find_link("agg0.1-core3")).latency, 3us);
    config.hosts_per_edge = 5;
    EXPECT_EQ(make_topology(config).hosts(), 8U * 5U);
}

std::string keys_of(const config_errors& errors) {
    std::string keys;
    for (const config_error& e : errors) {
        EXPECT_NE(e.message.find("expected"), std::string::npos) << e.message;
        keys += e.key + " ";
    }
    return keys;
}

TEST(topology_generators, configs_out_of_range_are_refused_with_every_key) {
    EXPECT_TRUE(single_config{}.validate().empty());
    EXPECT_TRUE(dumbbell_config{}.validate().empty());
    EXPECT_TRUE(racks_config{}.validate().empty());
    EXPECT_TRUE(pods_config{}.validate().empty());
    EXPECT_TRUE(fat_tree_config{}.validate().empty());

    EXPECT_EQ(keys_of(single_config{0, {0_Gbps, picoseconds{0}}}.validate()),
              "hosts host_link.rate host_link.latency ");
    dumbbell_config dumbbell;
    dumbbell.left = 0;
    dumbbell.right = max_ports;
    EXPECT_EQ(keys_of(dumbbell.validate()), "left right ");
    racks_config racks;
    racks.racks = max_ports + 1;
    racks.hosts_per_rack = max_ports;
    EXPECT_EQ(keys_of(racks.validate()), "racks hosts_per_rack ");
    pods_config pods;
    pods.cores = 9;
    EXPECT_EQ(keys_of(pods.validate()), "cores ");
    pods.cores = 3;
    EXPECT_EQ(keys_of(pods.validate()), "cores ");
    pods.cores = 0;
    EXPECT_EQ(keys_of(pods.validate()), "cores ");
    pods.pods = 1;
    EXPECT_EQ(keys_of(pods.validate()), "");
    EXPECT_TRUE(make_topology(pods).validate().empty());
    pods = {};
    pods.wiring = core_wiring::strides;
    pods.cores = 4;
    EXPECT_EQ(keys_of(pods.validate()), "wiring ");
    fat_tree_config tree;
    tree.k = 7;
    EXPECT_EQ(keys_of(tree.validate()), "k ");
    tree.k = 64;
    tree.oversubscription = 8;
    EXPECT_EQ(keys_of(tree.validate()), "hosts_per_edge ");
    tree = {};
    tree.k = 160;
    tree.oversubscription = UINT32_MAX / 80;
    EXPECT_EQ(keys_of(tree.validate()), "oversubscription ");
    pods = {};
    pods.cores = 70'000;
    pods.core_link.rate = 0_bps;
    EXPECT_EQ(keys_of(pods.validate()), "cores core_link.rate ");
}

TEST(topology_generators, a_fabric_that_is_too_large_is_refused_before_it_is_built) {
    if (max_ports < 256) {
        GTEST_SKIP() << "needs switches of 256 ports";
    }
    fat_tree_config tree;
    tree.k = 160;  // 1,024,000 hosts, 32,000 switches
    EXPECT_EQ(keys_of(tree.validate()), "");
    tree.k = 162;
    EXPECT_EQ(keys_of(tree.validate()), "k ");
    tree.hosts_per_edge = 1;  // few hosts; 32,805 switches
    EXPECT_TRUE(errors_are(tree.validate(), {"k: 162, 2 to 160"}));
    tree.k = 160;
    EXPECT_EQ(keys_of(tree.validate()), "");
    tree.hosts_per_edge = 160;
    EXPECT_TRUE(errors_are(tree.validate()[0], {"k: 2048000 hosts, 32000 switches, at most 1048576, 32768"}));
    pods_config pods;
    pods.pods = 256;
    pods.tors_per_pod = 64;
    pods.hosts_per_tor = 64;  // 2^20 hosts; 16,384 + 1,024 + 8 switches
    EXPECT_EQ(keys_of(pods.validate()), "");
    pods.hosts_per_tor = 65;
    EXPECT_EQ(keys_of(pods.validate()), "pods ");
}

}  // namespace
}  // namespace weir::model
