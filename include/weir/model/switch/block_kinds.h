// A switch's blocks by name: `switch.tcam`, `switch.balance`, `switch.arbiter`, `switch.scheduler`, `mac.pfc`
// and both memories. A kind makes the module that a switch binds to a port that nobody has bound.
//
//   arbiter_kinds()[named<arbiter_kind>("pim")].make(setup);
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "weir/base/enum_names.h"
#include "weir/base/registry.h"
#include "weir/model/config/block_choice.h"
#include "weir/model/config/switch_config.h"
#include "weir/model/flow_control/pfc_thresholds.h"
#include "weir/model/scheduling/scheduler.h"
#include "weir/model/switch/switch_blocks.h"
#include "weir/model/switch/switch_parameters.h"

namespace weir::model {

/// What a block is made from. All outlive it.
struct block_setup {
    const switch_parameters& parameters;
    /// Range: 1 to max_ports.
    const std::vector<port_config>& ports;
    /// Thresholds of each port.
    const std::vector<port_thresholds>& thresholds;
    /// Number of the switch among the fabric's nodes.
    unsigned index;
    /// The switch's frames, for memories.
    frame_slab& slab;
    /// `egress_view::drain_bytes` are there at all times.
    bool keeps_drain_bytes = false;

    unsigned port_count() const { return static_cast<unsigned>(ports.size()); }
};

template <class Interface>
struct block_traits {
    /// Called while the switch is elaborated: the module is its child.
    std::function<std::unique_ptr<block_module<Interface>>(const block_setup&)> make;
    /// The project's RTL takes its place in the switches that `rtl.switches` names.
    bool is_rtl = false;
};

struct arbiter_traits : block_traits<arbiter_if> {
    /// Its matches are trusted; those of others are checked.
    bool own = false;
};
struct balance_traits : block_traits<port_selector_if>, selector_facts {};
struct scheduler_traits : block_traits<scheduler_if>, scheduler_facts {};
struct pfc_traits : block_traits<pfc_if> {
    /// `pfc.watchdog` can end its pauses.
    bool has_watchdog = false;
};

registry<lookup_kind, block_traits<lookup_if>>& lookup_kinds();
constexpr registered_names<lookup_kind, lookup_kinds> names_of(lookup_kind) {
    return {};
}
registry<balance_policy, balance_traits>& balance_policies();
constexpr registered_names<balance_policy, balance_policies> names_of(balance_policy) {
    return {};
}
registry<ingress_memory_kind, block_traits<ingress_buffer_if>>& ingress_memory_kinds();
constexpr registered_names<ingress_memory_kind, ingress_memory_kinds> names_of(ingress_memory_kind) {
    return {};
}
registry<arbiter_kind, arbiter_traits>& arbiter_kinds();
constexpr registered_names<arbiter_kind, arbiter_kinds> names_of(arbiter_kind) {
    return {};
}
registry<egress_memory_kind, block_traits<egress_buffer_if>>& egress_memory_kinds();
constexpr registered_names<egress_memory_kind, egress_memory_kinds> names_of(egress_memory_kind) {
    return {};
}
registry<scheduler_kind, scheduler_traits>& scheduler_kinds();
constexpr registered_names<scheduler_kind, scheduler_kinds> names_of(scheduler_kind) {
    return {};
}
/// Without `make` the ports keep PFC themselves.
registry<pfc_kind, pfc_traits>& pfc_kinds();
constexpr registered_names<pfc_kind, pfc_kinds> names_of(pfc_kind) {
    return {};
}

}  // namespace weir::model
