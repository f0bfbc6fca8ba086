// Names of modules: what SystemC allows, each once.
#include "weir/model/fabric/module_names.h"

#include <gtest/gtest.h>

#include "weir/model/fabric/fabric.h"

using namespace weir;
using namespace weir::model;

namespace {

using names = std::vector<std::string>;

/// Switches in a row; a host at the first one.
topology row_of(const names& host, const names& switches) {
    topology plan;
    for (const std::string& name : host) {
        plan.add_host(name);
    }
    for (const std::string& name : switches) {
        plan.add_switch(name);
    }
    plan.add_link(node_ref::of_host(0), node_ref::of_switch(0), {10_Gbps, 1us});
    for (switch_id s = 1; s < switches.size(); ++s) {
        plan.add_link(node_ref::of_switch(s - 1), node_ref::of_switch(s), {10_Gbps, 1us});
    }
    plan.finish();
    return plan;
}

TEST(module_names, characters_that_systemc_does_not_allow_become_underscores) {
    EXPECT_EQ(module_names(row_of({"h0"}, {"agg0.1", "core-1"})), (names{"h0", "agg0_1", "core_1"}));
}

TEST(module_names, equal_names_get_numbers_in_the_order_of_nodes) {
    EXPECT_EQ(module_names(row_of({"s_0"}, {"s.0", "s-0", "s_0_0"})),
              (names{"s_0", "s_0_0", "s_0_1", "s_0_0_0"}));
    EXPECT_EQ(module_names(row_of({"domain"}, {"s0"})), (names{"domain_0", "s0"}));
}

// A name that is taken is a warning of SystemC, which fails a test.
TEST(module_names, systemc_changes_none_of_them) {
    const topology plan = row_of({"domain"}, {"s.0", "s-0", "s_0_0", "s_0"});
    const names all = module_names(plan);
    fabric made("fabric", fabric_parameters{}, plan);
    EXPECT_EQ(made.host(0)->name(), "fabric." + all[0]);
    for (switch_id s = 0; s < plan.switches(); ++s) {
        EXPECT_EQ(made.device(s).name(), "fabric." + all[1 + s]);
    }
}

}  // namespace
