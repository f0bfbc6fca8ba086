// Extended generalised fat-trees against the definition's closed forms, and against the fabrics that are
// special cases of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/errors_said.h"
#include "weir/model/topology/topology_generators.h"

namespace weir::model {
namespace {

xgft_config tree_of(const std::vector<unsigned>& children, const std::vector<unsigned>& parents,
                    unsigned top_hosts = 0) {
    xgft_config config;
    config.children = children;
    config.parents = parents;
    config.top_hosts = top_hosts;
    return config;
}

/// Distances in links, and numbers of shortest paths, from one node to all: a literal breadth-first search.
struct search {
    std::vector<unsigned> distance;
    std::vector<std::uint64_t> paths;

    search(const topology& t, node_ref from) : distance(t.nodes(), ~0U), paths(t.nodes(), 0) {
        std::vector<std::uint32_t> reached{t.node_index(from)};
        distance[reached[0]] = 0;
        paths[reached[0]] = 1;
        for (std::size_t i = 0; i < reached.size(); ++i) {
            const node_ref here = t.node_at(reached[i]);
            for (unsigned p = 0; p < t.ports(here).size(); ++p) {
                const std::uint32_t next = t.node_index(t.far_end(here, p).node);
                if (distance[next] == ~0U) {
                    distance[next] = distance[reached[i]] + 1;
                    reached.push_back(next);
                }
                if (distance[next] == distance[reached[i]] + 1) {
                    paths[next] += paths[reached[i]];
                }
            }
        }
    }
};

const std::vector<xgft_config> trees{
    tree_of({5}, {1}),
    tree_of({16, 4}, {1, 2}),
    tree_of({2, 2, 2, 2}, {1, 2, 2, 2}),
    tree_of({3, 2, 4}, {1, 2, 3}),
    tree_of({2, 3, 2, 2}, {1, 3, 1, 2}),
    tree_of({4, 1, 3}, {1, 2, 2}),
};

TEST(xgft, levels_have_as_many_nodes_and_ports_as_the_definition_says) {
    for (const xgft_config& config : trees) {
        const topology t = make_topology(config);
        ASSERT_TRUE(config.validate().empty());
        ASSERT_TRUE(t.validate().empty());
        std::vector<std::uint64_t> count(config.height() + 1, 0);
        count[0] = t.hosts();
        for (switch_id s = 0; s < t.switches(); ++s) {
            const unsigned level = t.tier(s);
            const unsigned up = level < config.height() ? config.parents[level] : 0;
            EXPECT_EQ(t.port_count(s), config.children[level - 1] + up) << t.name(node_ref::of_switch(s));
            ++count[level];
        }
        for (std::size_t level = 0; level <= config.height(); ++level) {
            std::uint64_t expected = 1;
            for (std::size_t i = 0; i < config.height(); ++i) {
                expected *= i < level ? config.parents[i] : config.children[i];
            }
            EXPECT_EQ(count[level], expected) << "level " << level;
        }
    }
}

// Two leaves whose nearest common ancestors are of level l: 2 l links, and a path for each of these ancestors.
TEST(xgft, leaves_have_the_distances_and_numbers_of_paths_of_the_closed_form) {
    for (const xgft_config& config : trees) {
        const topology t = make_topology(config);
        for (host_id from = 0; from < t.hosts(); ++from) {
            const search found(t, node_ref::of_host(from));
            for (host_id to = 0; to < t.hosts(); ++to) {
                unsigned level = 0;
                std::uint64_t paths = 1;
                for (host_id a = from, b = to; a != b; ++level) {
                    a /= config.children[level];
                    b /= config.children[level];
                    paths *= config.parents[level];
                }
                EXPECT_EQ(found.distance[to], 2 * level);
                EXPECT_EQ(found.paths[to], paths);
            }
        }
    }
}

/// Links between the same ports, of hosts and switches of the same numbers.
void expect_same_fabric(const topology& a, const topology& b) {
    ASSERT_EQ(a.links().size(), b.links().size());
    EXPECT_EQ(a.hosts(), b.hosts());
    EXPECT_EQ(a.switches(), b.switches());
    for (link_id l = 0; l < a.links().size(); ++l) {
        const topology_link& x = a.link(l);
        const topology_link& y = b.link(l);
        EXPECT_TRUE(x.a.node == y.a.node && x.b.node == y.b.node && x.a.port == y.a.port &&
                    x.b.port == y.b.port && x.rate == y.rate && x.latency == y.latency)
            << x.name << " and " << y.name;
    }
    for (host_id h = 0; h < a.hosts(); ++h) {
        EXPECT_EQ(a.address_of(h), b.address_of(h));
    }
}

TEST(xgft, racks_and_fat_trees_are_special_cases_link_by_link) {
    racks_config racks;
    racks.root_link = {10_Gbps, 3us};
    xgft_config two = tree_of({racks.hosts_per_rack, racks.racks}, {1, racks.roots});
    two.agg_link = racks.root_link;
    expect_same_fabric(make_topology(two), make_topology(racks));

    fat_tree_config fat;
    fat.oversubscription = 2;
    fat.agg_link = {10_Gbps, 2us};
    fat.core_link = {40_Gbps, 3us};
    xgft_config three = tree_of({8, 4, 8}, {1, 4, 4});
    three.agg_link = fat.agg_link;
    three.core_link = fat.core_link;
    expect_same_fabric(make_topology(three), make_topology(fat));
}

// Petrini and Vanneschi: k^n leaves and n k^(n-1) switches; all have 2 k ports but those at the top.
TEST(xgft, a_k_ary_n_tree_has_its_size) {
    const topology t = make_topology(tree_of({3, 3, 3}, {1, 3, 3}));
    EXPECT_EQ(t.hosts(), 27U);
    EXPECT_EQ(t.switches(), 3U * 9U);
    EXPECT_EQ(t.links().size(), 3U * 27U);
}

TEST(xgft, hosts_at_the_top_come_after_the_leaves_and_reach_all) {
    const topology t = make_topology(tree_of({16, 4}, {1, 2}, 8));
    EXPECT_TRUE(t.validate().empty());
    EXPECT_EQ(t.hosts(), 64U + 16U);
    EXPECT_EQ(t.tier(4), 2U);
    for (host_id h = 64; h < 80; ++h) {
        EXPECT_EQ(t.edge_switch(h), h < 72 ? 4U : 5U);
        EXPECT_EQ(t.edge_port(h), 4 + (h - 64) % 8);
        const search found(t, node_ref::of_host(h));
        for (host_id leaf = 0; leaf < 64; ++leaf) {
            EXPECT_EQ(found.distance[leaf], 3U);
            EXPECT_EQ(found.paths[leaf], 1U);
        }
        EXPECT_EQ(found.distance[h < 72 ? 79 : 64], 4U) << "down to a rack, and up again";
    }
    EXPECT_EQ(t.name(node_ref::of_switch(5)), "s2.1");
    EXPECT_TRUE(t.find_link("s1.3-s2.1"));
    EXPECT_TRUE(t.find_link("h79-s2.1"));
}

TEST(xgft, levels_above_the_second_have_links_of_their_own) {
    xgft_config config = tree_of({2, 2, 2, 2}, {1, 2, 2, 2});
    config.host_link = {1_Gbps, 1us};
    config.agg_link = {2_Gbps, 2us};
    config.core_link = {4_Gbps, 4us};
    const topology t = make_topology(config);
    for (const topology_link& link : t.links()) {
        const unsigned lower = link.a.node.is_host() ? 0 : t.tier(link.a.node.index);
        EXPECT_EQ(link.rate, lower == 0 ? 1_Gbps : lower == 1 ? 2_Gbps : 4_Gbps) << link.name;
    }
}

TEST(xgft, what_is_no_tree_is_refused_with_what_is_expected) {
    EXPECT_TRUE(errors_are(tree_of({}, {}).validate()[0], {"xgft_children: 0, relation, 1 to 16"}));
    EXPECT_TRUE(errors_are(tree_of({4, 4}, {1}).validate()[0], {"xgft_parents: 1, relation xgft_children, 2"}));
    EXPECT_TRUE(errors_are(tree_of({4, 4}, {2, 2}).validate()[0], {"xgft_parents: 2, relation, 1"}));
    EXPECT_TRUE(errors_are(tree_of({4, 0}, {1, 2}).validate()[0],
                           {"xgft_children: 0, 1 to " + std::to_string(max_ports)}));
    xgft_config config = tree_of({4, 2}, {1, 2});
    config.core_link.latency = 0_ps;
    EXPECT_EQ(config.validate()[0].key, "core_link.latency");
    if (max_ports < 256) {
        return;
    }
    EXPECT_TRUE(
        errors_are(tree_of({200, 2}, {1, 57}).validate()[0],
                   {"xgft_children: relation xgft_children xgft_parents xgft_top_hosts, 257, at most 256"}));
    EXPECT_TRUE(
        errors_are(tree_of({4, 200}, {1, 2}, 57).validate()[0],
                   {"xgft_children: relation xgft_children xgft_parents xgft_top_hosts, 257, at most 256"}));
    EXPECT_TRUE(errors_are(tree_of({2, 2, 2, 2, 2, 2, 2, 2}, {1, 8, 8, 8, 8, 8, 8, 8}).validate()[0],
                           {"xgft_children: 256, 2796160, at most 1048576, 32768"}));
    EXPECT_TRUE(errors_are(tree_of({200, 200, 200, 200}, {1, 1, 1, 1}).validate()[0],
                           {"xgft_children: 1600000000, 8040201, at most 1048576, 32768"}));
}

}  // namespace
}  // namespace weir::model
