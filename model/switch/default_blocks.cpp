#include "weir/model/switch/default_blocks.h"

#include "weir/model/flow_control/pfc_thresholds.h"
#include "weir/model/switch/arbiter_kinds.h"

namespace weir::model {

int block_ports::bound() {
    return lookup.bind_count() + port_selection.bind_count() + ingress.bind_count() + arbiter.bind_count() +
           egress.bind_count() + egress_scheduler.bind_count() + pfc.bind_count();
}

void default_blocks::bind(block_ports& open, const made_from& from) {
    const switch_config& device = from.parameters.device;
    const auto ports = static_cast<unsigned>(from.ports.size());
    if (open.lookup.bind_count() == 0) {
        tcam_config config;
        config.entries = device.tcam_entries;
        open.lookup.bind(make<tcam_block>("tcam", config).block);
    }
    const bool own_selector = open.port_selection.bind_count() == 0;
    if (own_selector && needs_levels(device.balance)) {
        open.port_selection.bind(
            make<modulo_selector_block>("port_selector", device.balance, from.parameters.place).block);
    } else if (own_selector) {
        const std::uint64_t salt = hash_salt(from.parameters.seed, from.index);
        open.port_selection.bind(make<port_selector_block>("port_selector", device.balance, salt).block);
    }
    if (open.ingress.bind_count() == 0) {
        bind_ingress(open, from);
    }
    if (open.arbiter.bind_count() == 0) {
        auto arbiter = arbiter_kinds()[device.arbiter].make({ports, from.index, from.parameters.seed});
        open.arbiter.bind(arbiter->block);
        m_blocks.push_back(std::move(arbiter));
    }
    if (open.egress.bind_count() == 0) {
        auto& memory = make<egress_buffer_block>("egress_buffer", from.slab, device, ports);
        if (!own_selector) {
            memory.algorithm().keep_drain_bytes();
        }
        open.egress.bind(memory.block);
    }
    if (open.egress_scheduler.bind_count() == 0) {
        open.egress_scheduler.bind(make<scheduler_block>("scheduler", ports, device.egress_scheduler()).block);
    }
}

void default_blocks::bind_ingress(block_ports& open, const made_from& from) {
    const switch_parameters& parameters = from.parameters;
    const auto ports = static_cast<unsigned>(from.ports.size());
    auto& memory = make<ingress_buffer_block>("ingress_buffer", from.slab, ports, parameters.device.classes);
    for (unsigned port = 0; port < ports; ++port) {
        ingress_limits limits =
            resolve_flow_control(parameters.device, parameters.flow_control, from.ports[port]).limits;
        if (parameters.shared.kind == buffer_kind::shared) {
            // The shared memory decides; here a group's frames are only counted.
            limits.xoff = limits.xon = ingress_limits::no_threshold;
        }
        memory.algorithm().set_limits(port, limits);
    }
    open.ingress.bind(memory.block);
}

}  // namespace weir::model
