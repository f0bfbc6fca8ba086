#include "tb/run/checks/run_checks.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/errors_said.h"
#include "tb/run/setup/prepare_run.h"
#include "weir/model/forwarding/routing.h"

namespace weir::tb {
namespace {

using texts = std::vector<std::string>;

prepared_run fat_tree(const texts& changes, unsigned entries = 1024) {
    texts options{"--fabric.topology=fat_tree", "--fabric.k=4", "--run.duration=1ms",
                  "--switch.tcam_entries=" + std::to_string(entries)};
    for (const std::string& change : changes) {
        options.push_back("--fabric.link=" + change);
    }
    return prepare_run(load_config(options));
}

std::size_t longest(const std::vector<std::size_t>& sizes) {
    return *std::max_element(sizes.begin(), sizes.end());
}

/// Of all switches, with these links down.
std::vector<std::size_t> sizes_without(const topology& plan, const texts& down) {
    link_states up = all_links_up(plan);
    for (link_id id = 0; id < plan.links().size(); ++id) {
        up[id] = std::find(down.begin(), down.end(), plan.link(id).name) == down.end();
    }
    std::vector<std::size_t> sizes;
    for (const route_table& table : compute_routes(plan, up)) {
        sizes.push_back(table.size());
    }
    return sizes;
}

TEST(table_sizes, are_the_longest_of_all_instants) {
    const prepared_run run = fat_tree({"tor0.0-agg0.0 down at=500us", "tor1.0-agg1.0 down at=500us",
                                       "tor0.0-agg0.0 up at=600us", "tor2.1-agg2.0 down at=700us"});
    const built_topology& built = run.topology;
    const std::vector<std::size_t> sizes = table_sizes(built, all_switches(built.plan));
    std::vector<std::size_t> expected(built.plan.switches());
    for (const texts& down : {texts{}, texts{"tor0.0-agg0.0", "tor1.0-agg1.0"}, texts{"tor1.0-agg1.0"},
                              texts{"tor1.0-agg1.0", "tor2.1-agg2.0"}}) {
        const std::vector<std::size_t> then = sizes_without(built.plan, down);
        std::transform(then.begin(), then.end(), expected.begin(), expected.begin(),
                       [](std::size_t a, std::size_t b) { return std::max(a, b); });
    }
    EXPECT_EQ(sizes, expected);
    EXPECT_GT(longest(sizes), longest(sizes_without(built.plan, {})));
    // Of one switch alone.
    const std::vector<std::size_t> one = table_sizes(built, {3});
    EXPECT_EQ(one[3], expected[3]);
    EXPECT_EQ(std::count(one.begin(), one.end(), 0), static_cast<std::ptrdiff_t>(one.size()) - 1);
}

// A run that found it out on the way would end differently on each rank.
TEST(table_sizes, a_memory_that_is_too_small_for_what_is_to_come_is_refused_before_the_run) {
    const texts changes{"tor0.0-agg0.0 down at=500us", "tor1.0-agg1.0 down at=500us"};
    const built_topology built = fat_tree(changes).topology;
    const std::size_t most = longest(table_sizes(built, all_switches(built.plan)));
    EXPECT_TRUE(fat_tree(changes, static_cast<unsigned>(most)).errors.empty());
    EXPECT_TRUE(fat_tree({}, static_cast<unsigned>(most - 1)).errors.empty());
    const config_errors errors = fat_tree(changes, static_cast<unsigned>(most - 1)).errors;
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_TRUE(errors_are(errors[0], {"switch.tcam_entries: " + std::to_string(most - 1) +
                                       ", relation, at least " + std::to_string(most)}));
}

}  // namespace
}  // namespace weir::tb
