#include "weir/model/forwarding/static_routes.h"

#include <gtest/gtest.h>

#include <map>

#include "weir/base/rng.h"
#include "weir/model/topology/topology_generators.h"

using namespace weir;
using namespace weir::model;

namespace {

topology pods() {
    pods_config config;
    config.pods = 2;
    config.tors_per_pod = 3;
    config.hosts_per_tor = 4;
    config.aggs_per_pod = 2;
    config.cores = 2;
    return make_topology(config);
}

/// Switches in a ring, a host at each; port 0 is the host's.
topology ring(unsigned switches) {
    topology plan;
    for (unsigned s = 0; s < switches; ++s) {
        plan.add_host("h" + std::to_string(s));
        plan.add_switch("s" + std::to_string(s), 1);
        plan.add_link(node_ref::of_host(s), node_ref::of_switch(s), {1_Gbps, 1us});
    }
    for (unsigned s = 0; s < switches; ++s) {
        plan.add_link(node_ref::of_switch(s), node_ref::of_switch((s + 1) % switches), {1_Gbps, 1us});
    }
    plan.finish();
    return plan;
}

TEST(static_routes, hold_for_their_switch_and_host_and_change_nothing_else) {
    const topology plan = pods();
    ASSERT_TRUE(plan.validate().empty());
    const std::vector<route_table> computed = compute_routes(plan, all_links_up(plan));
    random_stream chance(7, 0, random_purpose::destinations);
    std::vector<static_route> routes;
    std::map<std::pair<switch_id, host_id>, port_bitmap> expected;
    for (int i = 0; i < 60; ++i) {
        const switch_id s = chance.below(plan.switches());
        const host_id h = chance.below(plan.hosts());
        const port_bitmap ports{chance.below(plan.port_count(s))};
        routes.push_back({s, h, ports});
        expected[{s, h}] = ports;
    }
    std::vector<route_table> tables = computed;
    add_static_routes(plan, routes, tables);
    for (switch_id s = 0; s < plan.switches(); ++s) {
        for (host_id h = 0; h < plan.hosts(); ++h) {
            const auto by_hand = expected.find({s, h});
            const port_bitmap found = lookup_route(tables[s], plan.address_of(h));
            EXPECT_EQ(found, by_hand != expected.end() ? by_hand->second
                                                       : lookup_route(computed[s], plan.address_of(h)));
        }
        // As tables are: no prefix twice, in their order.
        for (std::size_t i = 1; i < tables[s].size(); ++i) {
            const route_entry& a = tables[s][i - 1];
            const route_entry& b = tables[s][i];
            EXPECT_LT(std::make_pair(a.prefix, a.prefix_length), std::make_pair(b.prefix, b.prefix_length));
        }
    }
}

TEST(static_routes, detours_that_arrive_are_no_loop) {
    const topology plan = ring(4);
    // Clockwise round the ring to the switch before: port 2 leads on, but for s0, whose first link does.
    EXPECT_TRUE(find_routing_loop(plan, {{0, 3, {1}}, {1, 3, {2}}}).empty());
    EXPECT_TRUE(find_routing_loop(plan, {}).empty());
}

TEST(static_routes, frames_that_can_go_round_are_found) {
    const topology plan = ring(4);
    // For host 2, s0 and s1 send to each other.
    const std::vector<switch_id> loop = find_routing_loop(plan, {{0, 2, {1}}, {1, 2, {1}}});
    EXPECT_EQ(loop, (std::vector<switch_id>{0, 1}));
}

}  // namespace
