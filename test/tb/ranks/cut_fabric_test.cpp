// Loads by hand, and cuts whose parts have about as much to do.
#ifdef WEIR_WITH_MPI

#include "tb/run/ranks/cut_fabric.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "weir/model/topology/topology_generators.h"

namespace weir::tb {
namespace {

using namespace weir::model;

topology leaf_spine(unsigned racks, unsigned hosts, unsigned roots, unsigned parallel_links = 1) {
    racks_config config;
    config.racks = racks;
    config.hosts_per_rack = hosts;
    config.roots = roots;
    config.links_per_root = parallel_links;
    return make_topology(config);
}
topology fat_tree(unsigned k) {
    fat_tree_config config;
    config.k = k;
    return make_topology(config);
}

bool is_between_switches(const topology_link& link) {
    return !link.a.node.is_host() && !link.b.node.is_host();
}

// 3 ToRs of 4 hosts, 2 roots. A ToR passes on what its hosts send to each of the two others (16 each) and what
// all send to its own (48); a root half of what leaves racks (2 x 16 for each destination).
TEST(cut_fabric, expects_the_load_of_a_leaf_spine_that_is_worked_out_by_hand) {
    const topology plan = leaf_spine(3, 4, 2);
    const expected_load load = expect_load(plan, {});
    for (switch_id s = 0; s < plan.switches(); ++s) {
        EXPECT_DOUBLE_EQ(load.switches[s], plan.tier(s) == 1 ? 2 * 16 + 48 : 3 * 32 / 2) << s;
    }
    for (link_id l = 0; l < plan.links().size(); ++l) {
        // Up for two destinations, 8 each; down for one, 16.
        EXPECT_DOUBLE_EQ(load.links[l], is_between_switches(plan.link(l)) ? 2 * 8 + 16 : 0) << l;
    }
}

// k = 4: 8 edge switches of 2 hosts. All figures are for a destination, of 2 hosts.
TEST(cut_fabric, expects_the_load_of_a_fat_tree_that_is_worked_out_by_hand) {
    const topology plan = fat_tree(4);
    const expected_load load = expect_load(plan, {});
    for (switch_id s = 0; s < plan.switches(); ++s) {
        const double expected[] = {
            // Edge: its own hosts' frames, to 7 others; all hosts' to its own.
            7 * 2 * 2 + 16 * 2,
            // Aggregation: half of what its pod's two edges send to 6 in other pods; half of what reaches
            // each of its two edges from elsewhere.
            6 * 2 * 2 + 2 * 7 * 2,
            // Core: a quarter of what three pods' 12 hosts send to each of 8.
            8 * 3 * 2,
        };
        EXPECT_DOUBLE_EQ(load.switches[s], expected[plan.tier(s) - 1]) << plan.name(node_ref::of_switch(s));
    }
    for (link_id l = 0; l < plan.links().size(); ++l) {
        const topology_link& link = plan.link(l);
        if (!is_between_switches(link)) {
            EXPECT_EQ(load.links[l], 0);
            continue;
        }
        const unsigned lower = std::min(plan.tier(link.a.node.index), plan.tier(link.b.node.index));
        // Edge to aggregation: up for 7 destinations 1 of 2 hosts, down for one 7 of 14. Aggregation to core:
        // up for 6, down for two 3 of 12.
        EXPECT_DOUBLE_EQ(load.links[l], lower == 1 ? 7 * 1 * 2 + 7 * 2 : 6 * 1 * 2 + 2 * 3 * 2) << link.name;
    }
}

// Two hosts, one root; the second sends and receives three times as much.
TEST(cut_fabric, expects_more_where_hosts_have_more_weight) {
    const topology plan = leaf_spine(2, 1, 1);
    const expected_load load = expect_load(plan, {{1, 1}, {3, 3}});
    const auto at = [&](const char* name) { return load.switches[plan.find_node(name)->index]; };
    EXPECT_DOUBLE_EQ(at("tor0"), 1 * 3 + 4 * 1);
    EXPECT_DOUBLE_EQ(at("tor1"), 3 * 1 + 4 * 3);
    EXPECT_DOUBLE_EQ(at("root0"), 3 * 1 + 1 * 3);
}

// Of three hosts, the first sends to the others, the last receives twice as much.
TEST(cut_fabric, expects_frames_from_those_who_send_to_those_who_receive) {
    const topology plan = leaf_spine(3, 1, 1);
    const expected_load load = expect_load(plan, {{1, 0}, {0, 1}, {0, 2}});
    const auto at = [&](const char* name) { return load.switches[plan.find_node(name)->index]; };
    EXPECT_DOUBLE_EQ(at("tor0"), 3);
    EXPECT_DOUBLE_EQ(at("tor1"), 1);
    EXPECT_DOUBLE_EQ(at("tor2"), 2);
    EXPECT_DOUBLE_EQ(at("root0"), 3);
}

TEST(cut_fabric, takes_the_traffic_of_no_other_number_of_hosts) {
    EXPECT_THROW(expect_load(leaf_spine(3, 1, 1), {{1, 1}, {1, 1}}), std::logic_error);
    EXPECT_THROW(cut_fabric(leaf_spine(1, 1, 1), 2, {{1, 1}, {1, 1}}), std::logic_error);
}

/// Of what each rank has to do: the most, over the mean.
double imbalance(const topology& plan, const std::vector<std::uint32_t>& rank_of, unsigned ranks,
                 const std::vector<host_traffic>& expected = {}) {
    const expected_load load = expect_load(plan, expected);
    std::vector<double> of_rank(ranks);
    for (switch_id s = 0; s < plan.switches(); ++s) {
        of_rank.at(rank_of[plan.node_index(node_ref::of_switch(s))]) += load.switches[s];
    }
    return *std::max_element(of_rank.begin(), of_rank.end()) * ranks /
           std::accumulate(of_rank.begin(), of_rank.end(), 0.0);
}
/// The part of what passes links between switches that passes from rank to rank.
double share_cut(const topology& plan, const std::vector<std::uint32_t>& rank_of) {
    const expected_load load = expect_load(plan, {});
    double cut = 0;
    for (link_id l = 0; l < plan.links().size(); ++l) {
        const topology_link& link = plan.link(l);
        cut +=
            rank_of[plan.node_index(link.a.node)] != rank_of[plan.node_index(link.b.node)] ? load.links[l] : 0;
    }
    return cut / std::accumulate(load.links.begin(), load.links.end(), 0.0);
}

TEST(cut_fabric, gives_ranks_as_much_to_do_within_a_tenth_and_hosts_to_the_rank_of_their_switch) {
    for (const topology& plan : {leaf_spine(32, 16, 16), leaf_spine(32, 16, 8, 2), fat_tree(8), fat_tree(16)}) {
        for (const unsigned ranks : {2U, 4U, 8U}) {
            SCOPED_TRACE(std::to_string(plan.switches()) + " switches, " + std::to_string(ranks) + " ranks");
            const auto rank_of = cut_fabric(plan, ranks, {});
            ASSERT_EQ(rank_of.size(), plan.nodes());
            EXPECT_LE(imbalance(plan, rank_of, ranks), 1.10);
            // By lot it would be (ranks - 1) / ranks. Of a leaf-spine no even cut is better.
            EXPECT_LE(share_cut(plan, rank_of),
                      (plan.tier(plan.switches() - 1) > 2 ? 0.9 : 1.001) * (1.0 - 1.0 / ranks));
            for (host_id h = 0; h < plan.hosts(); ++h) {
                ASSERT_EQ(rank_of[h], rank_of[plan.node_index(node_ref::of_switch(plan.edge_switch(h)))]);
            }
            EXPECT_EQ(rank_of, cut_fabric(plan, ranks, {})) << "another cut the second time";
        }
    }
}

// METIS would print a warning among the results.
TEST(cut_fabric, gives_each_switch_a_rank_where_there_are_few_and_prints_nothing) {
    testing::internal::CaptureStdout();
    for (const unsigned ranks : {1U, 2U, 3U, 4U, 5U, 9U}) {
        for (const topology& plan : {leaf_spine(2, 3, 1), leaf_spine(3, 2, 2), leaf_spine(8, 1, 1)}) {
            std::vector<unsigned> switches(ranks);
            const auto rank_of = cut_fabric(plan, ranks, {});
            for (switch_id s = 0; s < plan.switches(); ++s) {
                ++switches.at(rank_of[plan.node_index(node_ref::of_switch(s))]);
            }
            EXPECT_EQ(std::count(switches.begin(), switches.end(), 0U),
                      ranks > plan.switches() ? ranks - plan.switches() : 0)
                << plan.switches() << " switches, " << ranks << " ranks";
        }
    }
    single_config single;
    single.hosts = 4;
    const auto rank_of = cut_fabric(make_topology(single), 4, {});
    EXPECT_EQ(std::count(rank_of.begin(), rank_of.end(), rank_of[0]), 5);
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(cut_fabric, prints_nothing_where_one_switch_has_nearly_all_there_is_to_do) {
    const topology plan = leaf_spine(32, 4, 2);
    std::vector<host_traffic> expected(plan.hosts());
    expected[0] = {1, 1};
    testing::internal::CaptureStdout();
    for (const unsigned ranks : {2U, 4U, 8U, 16U}) {
        const auto rank_of = cut_fabric(plan, ranks, expected);
        EXPECT_LT(*std::max_element(rank_of.begin(), rank_of.end()), ranks);
    }
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

// A quarter of the hosts sends, another quarter receives: the rest of the fabric has nothing to do.
TEST(cut_fabric, divides_what_there_is_to_do_and_not_the_switches) {
    const topology plan = fat_tree(16);
    std::vector<host_traffic> expected(plan.hosts());
    for (host_id h = 0; h < plan.hosts() / 4; ++h) {
        expected[h].sent = 1;
        expected[plan.hosts() / 2 + h].received = 1;
    }
    for (const unsigned ranks : {2U, 4U, 8U}) {
        EXPECT_LE(imbalance(plan, cut_fabric(plan, ranks, expected), ranks, expected), 1.10) << ranks;
        EXPECT_GT(imbalance(plan, cut_fabric(plan, ranks, {}), ranks, expected), 1.10) << ranks;
    }
}

TEST(cut_fabric, does_without_weights_that_are_all_nought) {
    const topology plan = leaf_spine(8, 2, 4);
    const auto rank_of = cut_fabric(plan, 2, std::vector<host_traffic>(plan.hosts()));
    EXPECT_GT(std::count(rank_of.begin(), rank_of.end(), 0U), 4);
    EXPECT_GT(std::count(rank_of.begin(), rank_of.end(), 1U), 4);
}

}  // namespace
}  // namespace weir::tb

#endif
