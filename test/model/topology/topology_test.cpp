#include "weir/model/topology/topology.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "weir/model/topology/topology_generators.h"

namespace weir::model {
namespace {

constexpr link_properties fast{10_Gbps, 1us};

bool mentions(const config_errors& errors, const std::string& key, const std::string& message) {
    for (const config_error& e : errors) {
        if (e.key.find(key) != std::string::npos && e.message.find(message) != std::string::npos) {
            return true;
        }
    }
    return false;
}

/// Two switches, a host at each.
topology small() {
    topology t;
    for (const char* s : {"s0", "s1"}) {
        t.add_switch(s);
    }
    for (std::uint32_t i = 0; i < 2; ++i) {
        const host_id h = t.add_host("h" + std::to_string(i));
        t.add_link(node_ref::of_host(h), node_ref::of_switch(i), fast);
    }
    t.add_link(node_ref::of_switch(0), node_ref::of_switch(1), fast);
    return t;
}

TEST(topology, ports_are_numbered_in_the_order_of_links) {
    topology t = small();
    t.finish();
    const node_ref s0 = node_ref::of_switch(0);
    const node_ref s1 = node_ref::of_switch(1);
    EXPECT_EQ(t.port_count(0), 2U);
    EXPECT_EQ(t.far_end(s0, 0).node, node_ref::of_host(0));
    EXPECT_EQ(t.far_end(s0, 1).node, s1);
    EXPECT_EQ(t.far_end(s0, 1).port, 1U);
    EXPECT_EQ(t.far_end(s1, 1).node, s0);
    EXPECT_EQ(t.edge_switch(1), 1U);
    EXPECT_EQ(t.edge_port(1), 0U);
    EXPECT_EQ(t.node_index(s1), 3U);
    EXPECT_EQ(t.node_at(3), s1);
    EXPECT_TRUE(t.validate().empty());
}

TEST(topology, nodes_and_links_are_found_by_name_and_parallel_links_get_names_of_their_own) {
    topology t = small();
    const link_id twin = t.add_link(node_ref::of_switch(0), node_ref::of_switch(1), fast);
    const link_id named = t.add_link(node_ref::of_switch(0), node_ref::of_switch(1), fast, "spare");
    EXPECT_EQ(t.link(twin).name, "s0-s1.2");
    EXPECT_EQ(t.find_link("s0-s1"), link_id{2});
    EXPECT_EQ(t.find_link("spare"), named);
    EXPECT_EQ(t.find_link("s1-s0"), std::nullopt);
    EXPECT_EQ(t.find_node("h1"), node_ref::of_host(1));
    EXPECT_EQ(t.find_node("h2"), std::nullopt);
}

TEST(topology, fastest_rate_and_smallest_latency_look_at_all_links) {
    topology t = small();
    t.add_link(node_ref::of_switch(0), node_ref::of_switch(1), {40_Gbps, 300ns});
    EXPECT_EQ(t.fastest_rate(0), 40_Gbps);
    EXPECT_EQ(t.smallest_latency(), 300ns);
}

TEST(topology, missing_tiers_are_the_distance_to_hosts_and_given_ones_stay) {
    topology t = small();
    const switch_id top = t.add_switch("top");
    const switch_id stated = t.add_switch("stated", 7);
    t.add_link(node_ref::of_switch(0), node_ref::of_switch(top), fast);
    t.add_link(node_ref::of_switch(top), node_ref::of_switch(stated), fast);
    t.finish();
    EXPECT_EQ(t.tier(0), 1U);
    EXPECT_EQ(t.tier(top), 2U);
    EXPECT_EQ(t.tier(stated), 7U);
}

TEST(topology, addresses_are_unique_and_group_hosts_by_edge_switch_and_pod) {
    for (const topology& t :
         {make_topology(single_config{}), make_topology(dumbbell_config{}), make_topology(racks_config{}),
          make_topology(pods_config{}), make_topology(fat_tree_config{})}) {
        std::set<std::uint32_t> seen;
        std::map<std::uint32_t, switch_id> edge_of;
        for (host_id h = 0; h < t.hosts(); ++h) {
            const std::uint32_t a = to_uint(t.address_of(h));
            EXPECT_TRUE(seen.insert(a).second);
            EXPECT_EQ(a >> 24, 10U);
            EXPECT_EQ(t.host_of(t.address_of(h)), h);
            EXPECT_EQ(edge_of.emplace(a >> 8, t.edge_switch(h)).first->second, t.edge_switch(h));
        }
    }
    const topology pods = make_topology(pods_config{});
    EXPECT_EQ(to_text(pods.address_of(0)), "10.0.0.1");
    EXPECT_EQ(to_text(pods.address_of(8)), "10.0.1.1");
    EXPECT_EQ(to_text(pods.address_of(127)), "10.3.3.8");
    EXPECT_EQ(pods.host_of(ipv4_address{0x0A000009}), std::nullopt);
    // Racks under common roots are one neighbourhood.
    EXPECT_EQ(to_text(make_topology(racks_config{}).address_of(95)), "10.0.7.12");
}

TEST(topology, a_switch_full_of_hosts_has_addresses_for_all) {
    single_config full;
    full.hosts = max_ports;
    const topology t = make_topology(full);
    EXPECT_TRUE(t.validate().empty());
    EXPECT_EQ(to_text(t.address_of(0)), "10.0.0.0");
    EXPECT_EQ(t.host_of(t.address_of(max_ports - 1)), max_ports - 1);
}

TEST(topology, validation_names_every_impossible_thing_at_once) {
    topology t = small();
    const node_ref s0 = node_ref::of_switch(0);
    const node_ref s1 = node_ref::of_switch(1);
    t.add_host("lonely");
    t.add_host("h0");
    t.add_link(node_ref::of_host(1), s0, fast);
    t.add_link(s0, s1, {0_Gbps, 1us}, "no_rate");
    t.add_link(s0, s1, {1_Gbps, picoseconds{0}}, "no_latency");
    t.add_link(s0, s1, {1_Gbps, 1us, 1.5, -0.1}, "no_rate");
    t.add_link(s1, s1, fast, "loop");
    t.add_switch("island");
    t.finish();
    const config_errors errors = t.validate();
    EXPECT_TRUE(mentions(errors, "host lonely", "has no link"));
    EXPECT_TRUE(mentions(errors, "host h0", "exists already"));
    EXPECT_TRUE(mentions(errors, "host h1", "has 2 links"));
    EXPECT_TRUE(mentions(errors, "link no_rate rate", "above 0"));
    EXPECT_TRUE(mentions(errors, "link no_latency latency", "latency greater than zero"));
    EXPECT_TRUE(mentions(errors, "link no_rate", "exists already"));
    EXPECT_TRUE(mentions(errors, "link no_rate ber", "below 1"));
    EXPECT_TRUE(mentions(errors, "link no_rate fer", "below 1"));
    EXPECT_TRUE(mentions(errors, "link loop", "with itself"));
    EXPECT_TRUE(mentions(errors, "switch island", "have no path to 's0'"));
    EXPECT_FALSE(mentions(errors, "host h1", "no link"));
}

TEST(topology, validation_refuses_host_to_host_links_empty_fabrics_and_too_many_ports) {
    topology pair;
    pair.add_host("a");
    pair.add_host("b");
    pair.add_link(node_ref::of_host(0), node_ref::of_host(1), fast);
    pair.finish();
    EXPECT_TRUE(mentions(pair.validate(), "link a-b", "connects two hosts"));
    EXPECT_TRUE(mentions(pair.validate(), "topology", "2 hosts and 0 switches"));

    single_config wide;
    wide.hosts = max_ports + 1;
    EXPECT_TRUE(mentions(make_topology(wide).validate(), "switch tor0", "at most"));
}

}  // namespace
}  // namespace weir::model
