// The names that a fabric's nodes have in SystemC's hierarchy: `agg0.1` of the plan is `agg0_1`.
//
// They follow from the plan alone, so that a node is called the same whatever rank builds it, and nodes that a
// rank does not build have names, too.
//
//   const std::vector<std::string> names = module_names(plan);
//   const std::string& tor0 = names[plan.node_index(node_ref::of_switch(0))];
#pragma once

#include <string>
#include <vector>

#include "weir/model/topology/topology.h"

namespace weir::model {

/// A plan's name as SystemC allows it: other characters than letters and digits become `_`.
std::string module_name(const std::string& name);

/// Of all nodes, by `topology::node_index`. Where two names become equal, the later node's gets a number, as
/// SystemC would give it: `s_0`, `s_0_0`, `s_0_1`.
std::vector<std::string> module_names(const topology& plan);

}  // namespace weir::model
