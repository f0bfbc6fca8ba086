#include "tb/run/topology/fabric_texts.h"

#include <gtest/gtest.h>

#include "support/errors_said.h"

namespace weir::tb {
namespace {

/// h0, h1 at s0, h2, h3 at s1; two links between the switches, and s2 between them. Ports of s0: 0, 1 hosts; 2,
/// 3 s1; 4 s2.
topology small() {
    topology plan;
    for (unsigned h = 0; h < 4; ++h) {
        plan.add_host("h" + std::to_string(h));
    }
    for (unsigned s = 0; s < 3; ++s) {
        plan.add_switch("s" + std::to_string(s));
    }
    const auto link = [&](node_ref a, node_ref b) { plan.add_link(a, b, {1_Gbps, 1us}); };
    for (host_id h = 0; h < 4; ++h) {
        link(node_ref::of_host(h), node_ref::of_switch(h / 2));
    }
    link(node_ref::of_switch(0), node_ref::of_switch(1));
    link(node_ref::of_switch(0), node_ref::of_switch(1));
    link(node_ref::of_switch(0), node_ref::of_switch(2));
    link(node_ref::of_switch(1), node_ref::of_switch(2));
    plan.finish();
    return plan;
}

std::string route_error(const std::string& text) {
    const parsed_routes result = parse_routes(small(), {text});
    return result.errors.empty() ? std::string{} : result.errors[0].message;
}

TEST(route_texts, lead_over_all_links_to_a_neighbour_or_over_one) {
    const parsed_routes result =
        parse_routes(small(), {"s0 to h2 via s1", "s0 to h3 via s0-s1.2,s2", "s1 to h0 via s2"});
    ASSERT_TRUE(result.errors.empty()) << result.errors[0].message;
    ASSERT_EQ(result.routes.size(), 3U);
    EXPECT_EQ(result.routes[0].at, 0U);
    EXPECT_EQ(result.routes[0].to, 2U);
    EXPECT_EQ(result.routes[0].ports, (port_bitmap{2, 3}));
    EXPECT_EQ(result.routes[1].ports, (port_bitmap{3, 4}));
    EXPECT_EQ(result.routes[2].at, 1U);
    EXPECT_TRUE(result.loop_warning.empty()) << result.loop_warning;
}
TEST(route_texts, for_a_switch_mean_all_of_its_hosts) {
    const parsed_routes result = parse_routes(small(), {"s0 to s1 via s2"});
    ASSERT_EQ(result.routes.size(), 2U);
    EXPECT_EQ(result.routes[0].to, 2U);
    EXPECT_EQ(result.routes[1].to, 3U);
}
TEST(route_texts, that_are_wrong_are_refused_with_what_is_allowed) {
    EXPECT_TRUE(has_error(route_error("s0 h2 s1"), "SWITCH, HOST, NEIGHBOUR"));
    EXPECT_NE(route_error("s0 to h2 via s1 s2").find("is not a route"), std::string::npos);
    EXPECT_NE(route_error("s0 to h2 via").find("is not a route"), std::string::npos);
    EXPECT_TRUE(has_error(route_error("s9 to h2 via s1"), "s9"));
    EXPECT_TRUE(has_error(route_error("h1 to h2 via s0"), "h1, is a host"));
    EXPECT_TRUE(has_error(route_error("s0 to h7 via s1"), "h7, no host"));
    EXPECT_TRUE(has_error(route_error("s0 to s2 via s1"), "s2, no hosts"));
    EXPECT_TRUE(has_error(route_error("s1 to h0 via h1"), "h1, neighbour, s1"));
    EXPECT_NE(route_error("s0 to h2 via s1,").find("ends with a comma"), std::string::npos);
    const parsed_routes twice = parse_routes(small(), {"s0 to s1 via s1", "s0 to h3 via s2"});
    ASSERT_EQ(twice.errors.size(), 1U);
    EXPECT_EQ(twice.errors[0].key, "fabric.route[1]");
    EXPECT_NE(twice.errors[0].message.find("a second route to h3"), std::string::npos);
}
TEST(route_texts, that_lead_in_a_circle_are_warned_of) {
    const parsed_routes result = parse_routes(small(), {"s0 to h2 via s2", "s2 to h2 via s0"});
    EXPECT_TRUE(result.errors.empty());
    EXPECT_NE(result.loop_warning.find("s0 > s2 > ..."), std::string::npos) << result.loop_warning;
}

}  // namespace
}  // namespace weir::tb
