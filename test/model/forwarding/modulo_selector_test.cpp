// d-mod-k and s-mod-k on trees: the formula, the loads of links, and permutations that do not contend.
#include "weir/model/forwarding/modulo_selector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "weir/model/forwarding/routing.h"
#include "weir/model/topology/topology_generators.h"

namespace weir::model {
namespace {

xgft_config tree_of(const std::vector<unsigned>& children, const std::vector<unsigned>& parents) {
    xgft_config config;
    config.children = children;
    config.parents = parents;
    return config;
}

/// A fabric with its tables, and a selector in each switch.
struct routed_fabric {
    topology plan;
    modulo_key key;
    std::vector<route_table> tables = compute_routes(plan, all_links_up(plan));
    std::vector<std::uint64_t> divisors = modulo_divisors(plan);

    unsigned select(switch_id s, host_id src, host_id dst) const {
        ethernet_frame frame;
        frame.src = plan.address_of(src);
        frame.dst = plan.address_of(dst);
        random_stream chance{1, 1, random_purpose::port_selection};
        const port_knowledge ports{{}, &unlimited_room, chance};
        const port_bitmap acceptable = lookup_route(tables[s], frame.dst);
        return modulo_selector(key, {&plan, divisors[s]}).select({0_ps, 0, frame, acceptable, {}, ports});
    }
    /// The ports, by switch, from the source's to the destination's.
    std::vector<std::pair<switch_id, unsigned>> path(host_id src, host_id dst) const {
        std::vector<std::pair<switch_id, unsigned>> taken;
        for (node_ref here = node_ref::of_switch(plan.edge_switch(src)); !here.is_host();) {
            taken.emplace_back(here.index, select(here.index, src, dst));
            here = plan.far_end(here, taken.back().second).node;
            EXPECT_TRUE(!here.is_host() || here.index == dst);
        }
        return taken;
    }
    /// Transfers over each port of each switch.
    template <class Pairs>
    std::map<std::pair<switch_id, unsigned>, unsigned> loads(const Pairs& pairs) const {
        std::map<std::pair<switch_id, unsigned>, unsigned> all;
        for (const auto& [src, dst] : pairs) {
            for (const auto& hop : path(src, dst)) {
                ++all[hop];
            }
        }
        return all;
    }
};

constexpr modulo_key keys[] = {modulo_key::destination, modulo_key::source};

TEST(modulo_selector, goes_up_by_the_digits_of_the_hosts_number) {
    for (const modulo_key key : keys) {
        for (const xgft_config& config :
             {tree_of({16, 4}, {1, 2}), tree_of({3, 2, 4}, {1, 2, 3}), tree_of({2, 3, 2, 2}, {1, 3, 1, 2})}) {
            const routed_fabric f{make_topology(config), key};
            for (host_id src = 0; src < f.plan.hosts(); ++src) {
                for (host_id dst = 0; dst < f.plan.hosts(); ++dst) {
                    const std::uint64_t number = key == modulo_key::destination ? dst : src;
                    std::uint64_t above = 1;
                    std::size_t hop = 0;
                    const auto path = f.path(src, dst);
                    // Up while the leaves' numbers differ above this level.
                    host_id a = src / config.children[0];
                    host_id b = dst / config.children[0];
                    for (std::size_t level = 1; a != b; ++level, ++hop) {
                        above *= config.parents[level - 1];
                        EXPECT_EQ(path[hop].second,
                                  config.children[level - 1] + number / above % config.parents[level]);
                        a /= config.children[level];
                        b /= config.children[level];
                    }
                    EXPECT_EQ(path.size(), 2 * hop + 1);
                }
            }
        }
    }
}

// Every shift of a k-ary n-tree: no link carries two of its transfers, up or down.
TEST(modulo_selector, shifts_do_not_contend_on_k_ary_n_trees) {
    for (const modulo_key key : keys) {
        for (const xgft_config& config : {tree_of({4, 4}, {1, 4}), tree_of({3, 3, 3}, {1, 3, 3})}) {
            const routed_fabric f{make_topology(config), key};
            for (host_id shift = 1; shift < f.plan.hosts(); ++shift) {
                std::vector<std::pair<host_id, host_id>> pairs;
                for (host_id h = 0; h < f.plan.hosts(); ++h) {
                    pairs.emplace_back(h, (h + shift) % f.plan.hosts());
                }
                for (const auto& [hop, transfers] : f.loads(pairs)) {
                    EXPECT_EQ(transfers, 1U) << "shift " << shift;
                }
            }
        }
    }
}

// All pairs of N = k^n leaves: a link between levels l and l + 1 has N - k^l transfers in each direction,
// because one residue of the numbers goes over it.
TEST(modulo_selector, all_pairs_load_the_links_of_a_level_alike) {
    for (const modulo_key key : keys) {
        const routed_fabric f{make_topology(tree_of({3, 3, 3}, {1, 3, 3})), key};
        std::vector<std::pair<host_id, host_id>> pairs;
        for (host_id src = 0; src < 27; ++src) {
            for (host_id dst = 0; dst < 27; ++dst) {
                pairs.emplace_back(src, dst);
            }
        }
        const auto loads = f.loads(pairs);
        for (switch_id s = 0; s < f.plan.switches(); ++s) {
            for (unsigned port = 0; port < f.plan.port_count(s); ++port) {
                const node_ref far = f.plan.far_end(node_ref::of_switch(s), port).node;
                const unsigned below = far.is_host() ? 0 : std::min(f.plan.tier(s), f.plan.tier(far.index));
                const unsigned expected = below == 0 ? 27U : below == 1 ? 27U - 3 : 27U - 9;
                EXPECT_EQ(loads.at({s, port}), expected);
            }
        }
    }
}

TEST(modulo_selector, the_other_generators_have_the_divisors_of_their_levels) {
    racks_config racks;
    racks.links_per_root = 2;
    const topology two = make_topology(racks);
    const std::vector<std::uint64_t> of_racks = modulo_divisors(two);
    EXPECT_EQ(first_link_across_levels(two), no_link);
    const topology three = make_topology(pods_config{});
    const std::vector<std::uint64_t> of_pods = modulo_divisors(three);
    EXPECT_EQ(first_link_across_levels(three), no_link);
    for (switch_id s = 0; s < two.switches(); ++s) {
        EXPECT_EQ(of_racks[s], two.tier(s) == 1 ? 1U : racks.roots * 2U);
    }
    for (switch_id s = 0; s < three.switches(); ++s) {
        EXPECT_EQ(of_pods[s], three.tier(s) == 1 ? 1U : three.tier(s) == 2 ? 4U : 4U * 2U);
    }
    const topology dumbbell = make_topology(dumbbell_config{});
    EXPECT_EQ(first_link_across_levels(dumbbell), *dumbbell.find_link("tor0-tor1"));
}

TEST(modulo_selector, takes_the_remaining_ports_in_turn_and_counts_strangers_as_host_0) {
    const topology plan = make_topology(tree_of({8, 4}, {1, 4}));
    random_stream chance{1, 1, random_purpose::port_selection};
    const port_knowledge ports{{}, &unlimited_room, chance};
    port_bitmap left;
    left.set(8);
    left.set(9);
    left.set(11);
    const modulo_selector selector(modulo_key::destination, {&plan, 1});
    for (host_id dst = 8; dst < 32; ++dst) {
        ethernet_frame frame;
        frame.dst = plan.address_of(dst);
        const unsigned expected[] = {8, 9, 11};
        EXPECT_EQ(selector.select({0_ps, 0, frame, left, {}, ports}), expected[dst % 3]);
    }
    ethernet_frame stranger;
    stranger.dst = ipv4_address{0x0B00'0001};
    EXPECT_EQ(selector.select({0_ps, 0, stranger, left, {}, ports}), 8U);
}

}  // namespace
}  // namespace weir::model
