#include "weir/model/switch/banked_shared_path.h"

#include "weir/model/memory/shared_memory.h"

namespace weir::model {

banked_shared_path::banked_shared_path(const switch_parameters& parameters,
                                       const std::vector<port_config>& ports, switch_services& device,
                                       const std::string& name)
    : shared_path(parameters, ports, device, name),
      m_banks(parameters.sram, static_cast<unsigned>(ports.size()), memory().slices(),
              parameters.device.memory_cell),
      m_reader(m_banks, device) {}

void banked_shared_path::write(unsigned slice, frame_slot slot) {
    frame_route& route = m_device.slab().route(slot);
    const unsigned port = route.ingress_port;
    const picoseconds now = m_device.now();
    const packet_sram::placement put = m_banks.slice(slice).write(m_banks.cells(route.charged_bytes), now,
                                                                  m_device.mac(port).link(m_banks.cell()));
    route.first_bank = put.first_bank;
    const picoseconds written = m_banks.in_order(port, now + put.wait);
    if (written == now) {
        transferred(slot);
        return;
    }
    m_banks.port(port).awaited_slice = slice;
    fifo(port).wait_for_memory(m_device.slab().frame(slot).length(), written);
    m_device.transfer_until(port, slot, written);
}

// The frame's last cell is in memory.
void banked_shared_path::transferred(frame_slot slot) {
    m_device.slab().route(slot).arrival = m_device.now();
    m_device.enqueue(slot);
}

bool banked_shared_path::read(unsigned port, pfc_class c) {
    const frame_route& route = m_device.slab().route(m_device.egress().head(port, c));
    const unsigned slice = memory().slice_of(flow_of(route));
    const picoseconds wait = m_reader.read(port, c, m_banks.slice(slice));
    if (wait > 0_ps) {
        m_banks.stall(slice, port, wait);
    }
    return wait <= 0_ps;
}

void banked_shared_path::restart_statistics() {
    shared_path::restart_statistics();
    m_banks.restart_statistics();
}

}  // namespace weir::model
