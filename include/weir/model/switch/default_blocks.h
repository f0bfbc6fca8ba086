// The ports by which a switch's blocks are bound, and the modules that it makes for those that are left open.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "weir/model/switch/block_kinds.h"

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
    /// The default is no module: the ports keep PFC themselves.
    block_port<pfc_if> pfc{"pfc"};

    /// Those that are bound. Before elaboration ends, and before the defaults: from outside.
    int bound();
};

class default_blocks {
 public:
    /// Binds a module of the kind that is chosen to each port that is open. Called while the switch is
    /// elaborated: they are its children.
    void bind(block_ports& open, const block_setup& setup);

 private:
    template <class Interface>
    void bind(block_ports::block_port<Interface>& open, const block_traits<Interface>& kind,
              const block_setup& setup);

    std::vector<std::unique_ptr<sc_core::sc_module>> m_blocks;
};

}  // namespace weir::model
