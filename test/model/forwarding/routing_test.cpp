#include "weir/model/forwarding/routing.h"

#include <gtest/gtest.h>

#include <random>

#include "weir/model/topology/topology_generators.h"

namespace weir::model {
namespace {

/// The reference: one search per host over hosts and switches alike, no prefixes. [switch][host].
std::vector<std::vector<port_bitmap>> literal_routes(const topology& t, const link_states& up) {
    std::vector<std::vector<port_bitmap>> acceptable(t.switches(), std::vector<port_bitmap>(t.hosts()));
    for (host_id h = 0; h < t.hosts(); ++h) {
        std::vector<int> distance(t.nodes(), -1);
        distance[h] = 0;
        for (int d = 0, found = 1; found != 0; ++d) {
            found = 0;
            for (link_id l = 0; l < t.links().size(); ++l) {
                const std::uint32_t a = t.node_index(t.link(l).a.node);
                const std::uint32_t b = t.node_index(t.link(l).b.node);
                for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}}) {
                    if (up[l] && distance[from] == d && distance[to] < 0) {
                        distance[to] = d + 1;
                        found = 1;
                    }
                }
            }
        }
        for (switch_id s = 0; s < t.switches(); ++s) {
            const node_ref here = node_ref::of_switch(s);
            const int own = distance[t.node_index(here)];
            for (unsigned p = 0; p < t.port_count(s); ++p) {
                const int next = distance[t.node_index(t.far_end(here, p).node)];
                if (up[t.ports(here)[p]] && own > 0 && next == own - 1) {
                    acceptable[s][h].set(p);
                }
            }
        }
    }
    return acceptable;
}

void expect_exact(const topology& t, const link_states& up) {
    const auto expected = literal_routes(t, up);
    const std::vector<route_table> tables = compute_routes(t, up);
    ASSERT_EQ(tables.size(), t.switches());
    for (switch_id s = 0; s < t.switches(); ++s) {
        for (host_id h = 0; h < t.hosts(); ++h) {
            ASSERT_EQ(lookup_route(tables[s], t.address_of(h)), expected[s][h])
                << t.name(node_ref::of_switch(s)) << " to " << t.name(node_ref::of_host(h));
        }
        EXPECT_LE(tables[s].size(), t.hosts()) << "aggregation must never make a table longer";
    }
}

std::vector<topology> generated() {
    pods_config flowbender;
    flowbender.links_per_agg = 2;
    pods_config strides;
    strides.wiring = core_wiring::strides;
    racks_config twins;
    twins.racks = 5;
    twins.hosts_per_rack = 3;
    twins.links_per_root = 2;
    fat_tree_config small;
    small.k = 4;
    small.oversubscription = 2;
    return {make_topology(single_config{}),
            make_topology(dumbbell_config{}),
            make_topology(racks_config{}),
            make_topology(pods_config{}),
            make_topology(flowbender),
            make_topology(strides),
            make_topology(twins),
            make_topology(small),
            make_topology(fat_tree_config{})};
}

TEST(routing, longest_prefix_match_gives_exactly_the_shortest_next_hops_on_all_generators) {
    for (const topology& t : generated()) {
        expect_exact(t, all_links_up(t));
    }
}

TEST(routing, tables_stay_exact_when_links_are_cut) {
    std::mt19937 random(7);
    for (const topology& t : generated()) {
        for (unsigned permille : {20U, 150U, 500U}) {
            link_states up = all_links_up(t);
            for (std::size_t l = 0; l < up.size(); ++l) {
                up[l] = random() % 1000 >= permille;
            }
            expect_exact(t, up);
        }
    }
}

TEST(routing, tables_are_exact_on_random_graphs) {
    std::mt19937 random(11);
    for (unsigned trial = 0; trial < 20; ++trial) {
        topology t;
        const unsigned switches = 2 + static_cast<unsigned>(random() % 12);
        for (unsigned s = 0; s < switches; ++s) {
            t.add_switch("s" + std::to_string(s));
            if (s > 0) {
                t.add_link(node_ref::of_switch(s), node_ref::of_switch(static_cast<switch_id>(random() % s)),
                           {1_Gbps, 1us});
            }
        }
        for (unsigned i = 0; i < switches; ++i) {
            const auto a = static_cast<switch_id>(random() % switches);
            const auto b = static_cast<switch_id>(random() % switches);
            if (a != b) {
                t.add_link(node_ref::of_switch(a), node_ref::of_switch(b), {1_Gbps, 1us});
            }
        }
        for (unsigned h = 0; h < 20; ++h) {
            t.add_host("h" + std::to_string(h));
            t.add_link(node_ref::of_host(h), node_ref::of_switch(static_cast<switch_id>(random() % switches)),
                       {1_Gbps, 1us});
        }
        t.finish();
        ASSERT_TRUE(t.validate().empty());
        expect_exact(t, all_links_up(t));
        link_states up = all_links_up(t);
        for (unsigned cut = 0; cut < 5; ++cut) {
            up[random() % up.size()] = false;
        }
        expect_exact(t, up);
    }
}

TEST(routing, tables_are_exact_on_a_line_of_a_hundred_switches) {
    // Distances far above 3, and more edge switches than one word has bits.
    topology t;
    for (unsigned s = 0; s < 100; ++s) {
        t.add_switch("s" + std::to_string(s));
        const host_id h = t.add_host("h" + std::to_string(s));
        t.add_link(node_ref::of_host(h), node_ref::of_switch(s), {1_Gbps, 1us});
        if (s > 0) {
            t.add_link(node_ref::of_switch(s), node_ref::of_switch(s - 1), {1_Gbps, 1us});
        }
    }
    t.finish();
    link_states up = all_links_up(t);
    expect_exact(t, up);
    up[*t.find_link("s50-s49")] = false;
    expect_exact(t, up);
}

TEST(routing, prefixes_are_as_few_as_the_structure_allows) {
    const topology t = make_topology(fat_tree_config{});
    const std::vector<route_table> tables = compute_routes(t, all_links_up(t));
    // An edge switch: four hosts, and up with everything else.
    ASSERT_EQ(tables[0].size(), 5U);
    EXPECT_EQ(tables[0][0].prefix_length, 0U);
    EXPECT_EQ(tables[0][0].acceptable, (port_bitmap{4, 5, 6, 7}));
    EXPECT_EQ(tables[0][1].prefix_length, 32U);
    EXPECT_EQ(tables[0][1].acceptable, (port_bitmap{0}));
    // An aggregation switch: four edge switches, and up. A core: eight pods.
    EXPECT_EQ(tables[32].size(), 5U);
    EXPECT_EQ(tables[64].size(), 8U);
    EXPECT_LE(tables[64][0].prefix_length, 16U + 8U);
    EXPECT_GE(tables[64][0].prefix_length, 16U);
    // One switch only: its hosts, and no default that would send strangers to one of them.
    const auto single = compute_routes(make_topology(single_config{}), link_states(4, true));
    ASSERT_EQ(single[0].size(), 4U);
    EXPECT_EQ(single[0][0].prefix_length, 32U);
}

TEST(routing, prefix_bits_below_the_length_are_zero_and_entries_are_sorted) {
    for (const topology& t : generated()) {
        for (const route_table& table : compute_routes(t, all_links_up(t))) {
            for (std::size_t i = 0; i < table.size(); ++i) {
                const std::uint64_t host_bits = (std::uint64_t{1} << (32 - table[i].prefix_length)) - 1;
                EXPECT_EQ(to_uint(table[i].prefix) & host_bits, 0U);
                if (i > 0) {
                    EXPECT_TRUE(table[i - 1].prefix < table[i].prefix ||
                                (table[i - 1].prefix == table[i].prefix &&
                                 table[i - 1].prefix_length < table[i].prefix_length));
                }
            }
        }
    }
}

TEST(routing, a_host_whose_link_is_cut_has_no_acceptable_port_anywhere) {
    const topology t = make_topology(fat_tree_config{});
    link_states up = all_links_up(t);
    up[t.ports(node_ref::of_host(9))[0]] = false;
    for (const route_table& table : compute_routes(t, up)) {
        EXPECT_TRUE(lookup_route(table, t.address_of(9)).none());
        EXPECT_TRUE(lookup_route(table, t.address_of(8)).any());
    }
}

TEST(routing, k_32_needs_an_entry_per_own_host_or_lower_switch_or_pod_only) {
    fat_tree_config config;
    config.k = 32;
    const topology t = make_topology(config);
    const auto tables = compute_routes(t, all_links_up(t));
    EXPECT_EQ(tables[0].size(), 17U);
    EXPECT_EQ(tables[512].size(), 17U);
    EXPECT_EQ(tables[1024].size(), 32U);
    for (host_id h = 0; h < t.hosts(); h += 37) {
        EXPECT_EQ(lookup_route(tables[1024], t.address_of(h)), (port_bitmap{h / 256}));
    }
}

TEST(routing, paths_between_pods_of_a_fat_tree_are_k_half_squared) {
    for (unsigned k : {4U, 8U, 16U}) {
        fat_tree_config config;
        config.k = k;
        const topology t = make_topology(config);
        const link_states up = all_links_up(t);
        const unsigned half = k / 2;
        const host_id far = t.hosts() - 1;
        EXPECT_EQ(shortest_paths(t, up, 0, far).paths, half * half);
        EXPECT_EQ(shortest_paths(t, up, far, 0).paths, half * half);
        EXPECT_EQ(shortest_paths(t, up, 0, far).example.size(), 6U);
        EXPECT_EQ(shortest_paths(t, up, 0, half).paths, half);
        EXPECT_EQ(shortest_paths(t, up, 0, half).example.size(), 4U);
        EXPECT_EQ(shortest_paths(t, up, 0, 1).paths, 1U);
        EXPECT_EQ(to_text(t, shortest_paths(t, up, 0, 1).example), "h0 > tor0.0 > h1");
    }
}

TEST(routing, flowbenders_fabric_has_eight_switch_paths_between_pods) {
    pods_config config;
    config.links_per_agg = 2;
    const topology t = make_topology(config);
    const shortest_path_summary s = shortest_paths(t, all_links_up(t), 0, 127);
    EXPECT_EQ(s.paths, 8U * 2U * 2U);
    EXPECT_EQ(to_text(t, s.example), "h0 > tor0.0 > agg0.0 > core0 > agg3.0 > tor3.3 > h127");
}

TEST(routing, path_counts_follow_cut_links) {
    const topology t = make_topology(fat_tree_config{});
    link_states up = all_links_up(t);
    up[*t.find_link("agg0.0-core0")] = false;
    EXPECT_EQ(shortest_paths(t, up, 0, 127).paths, 15U);
    up[*t.find_link("tor0.0-agg0.0")] = false;
    EXPECT_EQ(shortest_paths(t, up, 0, 127).paths, 12U);
    up[t.ports(node_ref::of_host(127))[0]] = false;
    EXPECT_EQ(shortest_paths(t, up, 0, 127).paths, 0U);
    EXPECT_TRUE(shortest_paths(t, up, 0, 127).example.empty());
}

}  // namespace
}  // namespace weir::model
