#include "weir/model/switch/default_blocks.h"

#include "weir/model/memory/memory_organisation.h"

namespace weir::model {

int block_ports::bound() {
    return lookup.bind_count() + port_selection.bind_count() + ingress.bind_count() + arbiter.bind_count() +
           egress.bind_count() + egress_scheduler.bind_count() + pfc.bind_count();
}

template <class Interface>
void default_blocks::bind(block_ports::block_port<Interface>& open, const block_traits<Interface>& kind,
                          const block_setup& setup) {
    if (open.bind_count() != 0 || !kind.make) {
        return;
    }
    std::unique_ptr<block_module<Interface>> made = kind.make(setup);
    open.bind(made->block);
    m_blocks.push_back(std::move(made));
}

void default_blocks::bind(block_ports& open, const block_setup& setup) {
    const switch_parameters& parameters = setup.parameters;
    const switch_config& device = parameters.device;
    const block_choice& blocks = parameters.blocks;
    const memory_organisation& memory = organisation_of(device);
    // Kinds of memory that the options' conditions rule out are not made.
    const bool any_ingress = memory.has_crossbar();
    const bool any_egress = memory.has_egress_memories;
    const bool any_pfc = parameters.flow_control.mode == flow_control_mode::pfc;
    bind(open.lookup, lookup_kinds()[blocks.lookup], setup);
    bind(open.port_selection, balance_policies()[device.balance], setup);
    bind(open.ingress, ingress_memory_kinds()[any_ingress ? blocks.ingress_memory : ingress_memory_kind{}],
         setup);
    bind(open.arbiter, arbiter_kinds()[device.arbiter], setup);
    bind(open.egress, egress_memory_kinds()[any_egress ? blocks.egress_memory : egress_memory_kind{}], setup);
    bind(open.egress_scheduler, scheduler_kinds()[device.scheduler], setup);
    bind(open.pfc, pfc_kinds()[any_pfc ? blocks.pfc : pfc_kind{}], setup);
}

}  // namespace weir::model
