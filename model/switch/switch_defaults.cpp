// The blocks that a switch makes for itself where nothing else was bound.
#include "weir/model/crossbar/islip.h"
#include "weir/model/crossbar/maximum_size.h"
#include "weir/model/crossbar/pim.h"
#include "weir/model/crossbar/round_robin.h"
#include "weir/model/flow_control/pfc_thresholds.h"
#include "weir/model/switch/switch_blocks.h"
#include "weir/model/switch/switch_node.h"

namespace weir {

template <class Block, class... Arguments>
Block& switch_node::make_default(const char* block_name, Arguments&&... arguments) {
    auto block = std::make_unique<Block>(block_name, std::forward<Arguments>(arguments)...);
    Block& made = *block;
    m_defaults.push_back(std::move(block));
    return made;
}

void tcam_block::load(const std::vector<route_entry>& routes) {
    const auto count = static_cast<std::uint32_t>(routes.size());
    if (count > m_entries) {
        SC_REPORT_FATAL("/weir/tcam", (std::string(name()) + ": " + std::to_string(count) +
                                       " routes exceed switch.tcam_entries = " + std::to_string(m_entries))
                                          .c_str());
    }
    for (std::uint32_t i = 0; i < m_used; ++i) {
        static_cast<void>(m_table.erase(i));
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        const route_entry& route = routes[i];
        const tcam_status status = m_table.set_prefix(i, route.prefix, route.prefix_length, route.acceptable);
        if (status != tcam_status::done) {
            SC_REPORT_FATAL("/weir/tcam", (std::string(name()) + ": " + describe(status)).c_str());
        }
    }
    m_used = count;
}

void switch_node::bind_default_arbiter() {
    switch (m_parameters.device.arbiter) {
        case arbiter_kind::islip:
            arbiter.bind(make_default<arbiter_block<islip>>("islip", ports()).block);
            return;
        case arbiter_kind::pim: {
            const random_stream chance{m_parameters.seed, index(), random_purpose::arbitration};
            arbiter.bind(make_default<arbiter_block<pim>>("pim", ports(), chance).block);
            return;
        }
        case arbiter_kind::round_robin:
            arbiter.bind(make_default<arbiter_block<round_robin>>("round_robin", ports()).block);
            return;
        case arbiter_kind::maximum_size:
            arbiter.bind(make_default<arbiter_block<maximum_size>>("maximum_size", ports()).block);
            return;
    }
}

void switch_node::before_end_of_elaboration() {
    const switch_config& device = m_parameters.device;
    if (m_shared != nullptr) {
        require_own_buffers();
    }
    m_has_foreign_block = lookup.bind_count() + port_selection.bind_count() + ingress.bind_count() +
                              arbiter.bind_count() + egress.bind_count() + egress_scheduler.bind_count() +
                              pfc.bind_count() !=
                          0;
    if (lookup.bind_count() == 0) {
        tcam_config config;
        config.entries = device.tcam_entries;
        lookup.bind(make_default<tcam_block>("tcam", config).block);
    }
    const bool own_selector = port_selection.bind_count() == 0;
    if (own_selector) {
        const std::uint64_t salt = hash_salt(m_parameters.seed, index());
        port_selection.bind(make_default<port_selector_block>("port_selector", device.balance, salt).block);
    }
    if (ingress.bind_count() == 0) {
        auto& memory = make_default<ingress_buffer_block>("ingress_buffer", m_slab, ports(), m_classes);
        for (unsigned port = 0; port < ports(); ++port) {
            ingress_limits limits =
                resolve_flow_control(device, m_parameters.flow_control, m_port_configs[port]).limits;
            if (m_shared != nullptr) {
                // The shared memory decides; here a group's frames are only counted.
                limits.xoff = limits.xon = ingress_limits::no_threshold;
            }
            memory.algorithm().set_limits(port, limits);
        }
        ingress.bind(memory.block);
    }
    m_arbiter_is_foreign = arbiter.bind_count() != 0;
    if (!m_arbiter_is_foreign) {
        bind_default_arbiter();
    }
    if (egress.bind_count() == 0) {
        auto& memory = make_default<egress_buffer_block>("egress_buffer", m_slab, device, ports());
        if (!own_selector) {
            memory.algorithm().keep_drain_bytes();
        }
        egress.bind(memory.block);
    }
    m_scheduler_reads_lengths =
        device.scheduler != scheduler_kind::strict || egress_scheduler.bind_count() != 0;
    if (egress_scheduler.bind_count() == 0) {
        egress_scheduler.bind(
            make_default<scheduler_block>("scheduler", ports(), device.egress_scheduler()).block);
    }
}

}  // namespace weir
