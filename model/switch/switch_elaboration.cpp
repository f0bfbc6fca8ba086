#include <string>

#include "weir/model/memory/memory_organisation.h"
#include "weir/model/memory/queue_order.h"
#include "weir/model/switch/bound_pfc.h"
#include "weir/model/switch/switch_node.h"

namespace weir::model {

void switch_node::before_end_of_elaboration() {
    // Such a block has memory of its own, which nothing would account for.
    if (m_path.organisation->shared() != nullptr && ingress.bind_count() + egress.bind_count() != 0) {
        SC_REPORT_FATAL("/weir/shared_buffer",
                        (std::string(name()) +
                         ": an ingress or egress buffer is replaced, and a shared memory is neither; expected "
                         "switch.buffer = partitioned")
                            .c_str());
    }
    if (!m_path.organisation->has_crossbar() && ingress.bind_count() + arbiter.bind_count() != 0) {
        SC_REPORT_FATAL("/weir/switch", (std::string(name()) +
                                         ": an ingress buffer or an arbiter is bound, and there is no crossbar "
                                         "that would use it; expected switch.buffer = partitioned")
                                            .c_str());
    }
    m_has_foreign_block = lookup.bind_count() + port_selection.bind_count() + ingress.bind_count() +
                              arbiter.bind_count() + egress.bind_count() + egress_scheduler.bind_count() +
                              pfc.bind_count() !=
                          0;
    m_path.rules.has_foreign_arbiter =
        arbiter.bind_count() != 0 || !arbiter_kinds()[m_path.parameters.device.arbiter].own;
    m_path.rules.scheduler_reads_lengths =
        scheduler_kinds()[m_path.parameters.device.scheduler].reads_lengths ||
        egress_scheduler.bind_count() != 0;
    bind_default_blocks();
}

// Modules that are made here are children of the switch.
template <class Interface>
void switch_node::bind_default(block_port<Interface>& open, const block_traits<Interface>& kind,
                               const block_setup& setup) {
    if (open.bind_count() != 0 || !kind.make) {
        return;
    }
    std::unique_ptr<block_module<Interface>> made = kind.make(setup);
    open.bind(made->block);
    m_default_blocks.push_back(std::move(made));
}

void switch_node::bind_default_blocks() {
    const switch_config& device = m_path.parameters.device;
    const block_choice& blocks = m_path.parameters.blocks;
    const memory_organisation& memory = organisation_of(device);
    const bool keeps_drain_bytes =
        port_selection.bind_count() != 0 || balance_policies()[device.balance].reads_drain_bytes;
    const block_setup setup{m_path.parameters, m_path.links,  m_path.thresholds,
                            index(),           m_path.frames, keeps_drain_bytes};
    // Kinds of memory that the options' conditions rule out are not made.
    const bool any_ingress = memory.has_crossbar();
    const bool any_egress = memory.has_egress_memories;
    const bool any_pfc = m_path.parameters.flow_control.mode == flow_control_mode::pfc;
    bind_default(lookup, lookup_kinds()[blocks.lookup], setup);
    bind_default(port_selection, balance_policies()[device.balance], setup);
    bind_default(ingress, ingress_memory_kinds()[any_ingress ? blocks.ingress_memory : ingress_memory_kind{}],
                 setup);
    bind_default(arbiter, arbiter_kinds()[device.arbiter], setup);
    bind_default(egress, egress_memory_kinds()[any_egress ? blocks.egress_memory : egress_memory_kind{}],
                 setup);
    bind_default(egress_scheduler, scheduler_kinds()[device.scheduler], setup);
    bind_default(pfc, pfc_kinds()[any_pfc ? blocks.pfc : pfc_kind{}], setup);
}

void switch_node::end_of_elaboration() {
    node::end_of_elaboration();
    m_path.blocks.lookup.bind(lookup.operator->());
    m_path.blocks.selector.bind(port_selection.operator->());
    m_path.blocks.ingress.bind(ingress.operator->());
    m_path.blocks.arbiter.bind(arbiter.operator->());
    m_path.blocks.egress.bind(egress.operator->());
    m_path.blocks.scheduler = egress_scheduler.operator->();
    bind_pfc();
    m_path.pipeline =
        lookup_pipeline(lookup->latency(m_path.parameters.device.lookup_delay), m_path.pipeline.interval());
    const bool watchdog_drops =
        m_path.watchdog != nullptr && m_path.parameters.flow_control.watchdog == watchdog_action::drop;
    const bool all_are_events =
        m_path.parameters.flow_control.charge != charge_time::arrival || m_path.pipeline.interval() != 0_ps;
    for (unsigned port = 0; port < ports(); ++port) {
        switch_port& p = m_path.ports[port];
        p.wire = &output(port);
        p.sending.wire_overhead = static_cast<std::uint16_t>(p.wire->overhead().count());
        p.egress_memory =
            m_path.blocks.egress.own() != nullptr ? &m_path.blocks.egress.own()->at(port) : nullptr;
        p.inspects_arrivals = p.inspects_arrivals || watchdog_drops;
        p.arrivals_are_events = p.inspects_arrivals || all_are_events;
        m_path.update_room(p, m_path.blocks.egress->room(port));
    }
    m_path.rules.reads_banks = m_path.organisation->banks() != nullptr;
    m_path.rules.crosses_plainly = m_path.organisation->has_crossbar() && !m_path.rules.reads_banks;
    choose_path();
}

void switch_node::choose_path() {
    const bound_blocks& blocks = m_path.blocks;
    const bool own_blocks = blocks.lookup.own() != nullptr && blocks.ingress.own() != nullptr &&
                            blocks.arbiter.own() != nullptr && blocks.egress.own() != nullptr;
    // The literal engine checks that the other paths change nothing.
    m_has_own_blocks = own_blocks && m_path.probe == nullptr && !m_path.parameters.literal_engine;
    const bool plain_queues =
        m_path.queues == nullptr && !queue_orders()[m_path.parameters.device.queue_order].make;
    m_path.rules.is_direct = m_has_own_blocks && plain_queues && m_path.rules.crosses_plainly;
}

void switch_node::bind_pfc() {
    if (pfc.bind_count() == 0) {
        return;
    }
    if (m_path.watchdog != nullptr) {
        SC_REPORT_FATAL("/weir/switch",
                        (std::string(name()) + ": a PFC watchdog cannot end the pauses of a PFC "
                                               "block that is bound")
                            .c_str());
    }
    m_path.flow_control =
        std::make_unique<bound_pfc>(m_path.parameters.flow_control.mode, *pfc.operator->(), ports(), m_path);
}

}  // namespace weir::model
