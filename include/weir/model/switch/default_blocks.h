// The ports by which a switch's blocks are bound, and the modules that it makes for those that are left open.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "weir/model/switch/switch_blocks.h"
#include "weir/model/switch/switch_parameters.h"

namespace weir::model {

/// Bind before elaboration ends, or leave open for the default.
struct block_ports {
    template <class Interface>
    using block_port = sc_core::sc_port<Interface, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

    block_port<lookup_if> lookup{"lookup"};
    block_port<port_selector_if> port_selection{"port_selection"};
    block_port<ingress_buffer_if> ingress{"ingress"};
    block_port<arbiter_if> arbiter{"arbiter"};
    block_port<egress_buffer_if> egress{"egress"};
    block_port<scheduler_if> egress_scheduler{"egress_scheduler"};
    /// Has no default module: the ports keep PFC themselves, unless something is bound.
    block_port<pfc_if> pfc{"pfc"};

    /// Those that are bound. Before elaboration ends, and before the defaults: from outside.
    int bound();
};

class default_blocks {
 public:
    /// What they are made from. All outlive this.
    struct made_from {
        const switch_parameters& parameters;
        const std::vector<port_config>& ports;
        /// Number of the switch among the fabric's nodes.
        unsigned index;
        frame_slab& slab;
    };

    /// Binds a module to each port that is open. Called while the switch is elaborated: they are its children.
    void bind(block_ports& open, const made_from& from);

 private:
    template <class Block, class... Arguments>
    Block& make(const char* name, Arguments&&... arguments) {
        auto block = std::make_unique<Block>(name, std::forward<Arguments>(arguments)...);
        Block& made = *block;
        m_blocks.push_back(std::move(block));
        return made;
    }
    void bind_ingress(block_ports& open, const made_from& from);

    std::vector<std::unique_ptr<sc_core::sc_module>> m_blocks;
};

}  // namespace weir::model
