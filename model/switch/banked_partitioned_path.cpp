#include "weir/model/switch/banked_partitioned_path.h"

#include <algorithm>

namespace weir::model {

banked_partitioned_path::banked_partitioned_path(const switch_parameters& parameters,
                                                 const std::vector<port_config>& ports, switch_services& device)
    : partitioned_path(parameters, device),
      m_banks(parameters.sram, static_cast<unsigned>(ports.size()), 0, parameters.device.memory_cell),
      m_reader(m_banks, device),
      m_crossbar(crossbar_link(parameters.device, ports)) {}

// The frame goes on when it is also written to ingress memory.
picoseconds banked_partitioned_path::look_up(unsigned port, frame_slot slot, picoseconds now,
                                             lookup_pipeline& pipeline) {
    const picoseconds looked_up = pipeline.issue(now);
    frame_route& route = m_device.slab().route(slot);
    const packet_sram::placement put = m_banks.ingress(port).write(m_banks.cells(route.charged_bytes), now,
                                                                   m_device.mac(port).link(m_banks.cell()));
    route.first_bank = put.first_bank;
    return m_banks.in_order(port, std::max(looked_up, now + put.wait));
}

picoseconds banked_partitioned_path::crossing_delay(frame_slot slot) {
    frame_route& route = m_device.slab().route(slot);
    const picoseconds now = m_device.now();
    const picoseconds wait =
        m_banks.ingress(route.ingress_port)
            .read(route.first_bank, m_banks.cells(route.charged_bytes), now, now, m_crossbar(m_banks.cell()));
    route.arrival = now;
    m_banks.stall_crossbar(route.ingress_port, route.egress_port, wait);
    return wait;
}

// The frame's cells come to egress memory as they are read from ingress memory. Where its last cell has to wait
// for a bank there, the transfer lasts until it is written.
void banked_partitioned_path::transferred(frame_slot slot) {
    frame_route& route = m_device.slab().route(slot);
    const picoseconds now = m_device.now();
    if (!route.is_being_written) {
        const unsigned cells = m_banks.cells(route.charged_bytes);
        const picoseconds pace = std::max(m_crossbar(m_banks.cell()), (now - route.arrival) / cells);
        const packet_sram::placement put = m_banks.egress(route.egress_port).write(cells, now, pace);
        route.first_bank = put.first_bank;
        if (put.wait > 0_ps) {
            route.is_being_written = true;
            m_banks.stall_crossbar(route.ingress_port, route.egress_port, put.wait);
            m_device.transfer_until(route.egress_port, slot, now + put.wait);
            return;
        }
    }
    route.is_being_written = false;
    route.arrival = now;
    m_device.finish_crossing(slot);
}

bool banked_partitioned_path::read(unsigned port, pfc_class c) {
    return m_reader.read(port, c, m_banks.egress(port)) <= 0_ps;
}

}  // namespace weir::model
