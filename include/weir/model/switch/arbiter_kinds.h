// Crossbar arbiters by name: `switch.arbiter`. A kind makes the module that a switch binds where nothing else
// is bound.
//
//   arbiter_kinds()[arbiter_kind::pim].make({8, 3, 1});   // for 8 ports, the switch of index 3, seed 1
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "weir/base/enum_names.h"
#include "weir/base/registry.h"
#include "weir/model/config/switch_config.h"
#include "weir/model/switch/switch_blocks.h"

namespace weir::model {

struct arbiter_setup {
    /// Range: 1 to max_ports.
    unsigned ports;
    /// The switch, among the fabric's nodes; the run's seed: for chance.
    unsigned node;
    std::uint64_t seed;
};

struct arbiter_traits {
    /// Called while the switch is elaborated: the module is its child.
    std::function<std::unique_ptr<block_module<arbiter_if>>(const arbiter_setup&)> make;
    /// Its matches are trusted; those of others are checked.
    bool own = false;
};

registry<arbiter_kind, arbiter_traits>& arbiter_kinds();
constexpr registered_names<arbiter_kind, arbiter_kinds> names_of(arbiter_kind) {
    return {};
}

}  // namespace weir::model
