#include "weir/model/switch/banked_paths.h"

#include <algorithm>

#include "weir/model/memory/shared_memory.h"
#include "weir/model/switch/switch_path.h"

namespace weir::model {

int bank_reader::class_read(unsigned port, class_mask eligible) const {
    const sram_timing::port_state& state = m_banks.port(port);
    if (m_device.instant.now < state.reading_until) {
        return memory_path::none_yet;
    }
    const unsigned ready = state.read & eligible;
    return ready == 0 ? memory_path::any_class : 31 - __builtin_clz(ready);
}

picoseconds bank_reader::read(unsigned port, pfc_class c, packet_sram& memory) {
    sram_timing::port_state& state = m_banks.port(port);
    const picoseconds now = m_device.instant.now;
    const auto mask = static_cast<class_mask>(1U << c);
    if ((state.read & mask) == 0) {
        const frame_route& route = m_device.frames.route(m_device.egress().head(port, c));
        const picoseconds wait = memory.read(route.first_bank, m_banks.cells(route.charged_bytes),
                                             std::max(state.last_begun, route.arrival), now,
                                             m_device.ports[port].link(m_banks.cell()));
        if (wait > 0_ps) {
            state.read = static_cast<class_mask>(state.read | mask);
            state.reading_until = now + wait;
            m_device.instant.events.schedule(state.reading_until, switch_stages::memory_read, port, 0);
            return wait;
        }
    }
    state.read = static_cast<class_mask>(state.read & ~mask);
    state.last_begun = now;
    return 0_ps;
}

banked_partitioned_path::banked_partitioned_path(switch_path& device)
    : partitioned_path(device),
      m_banks(device.parameters.sram, device.rules.ports, 0, device.rules.memory_cell),
      m_reader(m_banks, device),
      m_crossbar(crossbar_link(device.parameters.device, device.links)) {}

// The frame goes on when it is also written to ingress memory.
picoseconds banked_partitioned_path::look_up(unsigned port, frame_slot slot, picoseconds now,
                                             lookup_pipeline& pipeline) {
    const picoseconds looked_up = pipeline.issue(now);
    frame_route& route = m_switch.frames.route(slot);
    const packet_sram::placement put = m_banks.ingress(port).write(m_banks.cells(route.charged_bytes), now,
                                                                   m_switch.ports[port].link(m_banks.cell()));
    route.first_bank = put.first_bank;
    return m_banks.in_order(port, std::max(looked_up, now + put.wait));
}

picoseconds banked_partitioned_path::crossing_delay(frame_slot slot) {
    frame_route& route = m_switch.frames.route(slot);
    const picoseconds now = m_switch.instant.now;
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
    frame_route& route = m_switch.frames.route(slot);
    const picoseconds now = m_switch.instant.now;
    if (!route.is_being_written) {
        const unsigned cells = m_banks.cells(route.charged_bytes);
        const picoseconds pace = std::max(m_crossbar(m_banks.cell()), (now - route.arrival) / cells);
        const packet_sram::placement put = m_banks.egress(route.egress_port).write(cells, now, pace);
        route.first_bank = put.first_bank;
        if (put.wait > 0_ps) {
            route.is_being_written = true;
            m_banks.stall_crossbar(route.ingress_port, route.egress_port, put.wait);
            m_switch.instant.events.schedule(now + put.wait, switch_stages::transfer_done, route.egress_port,
                                             slot);
            return;
        }
    }
    route.is_being_written = false;
    route.arrival = now;
    partitioned_path::transferred(slot);
}

bool banked_partitioned_path::read(unsigned port, pfc_class c) {
    return m_reader.read(port, c, m_banks.egress(port)) <= 0_ps;
}

banked_shared_path::banked_shared_path(switch_path& device)
    : shared_path(device),
      m_banks(device.parameters.sram, device.rules.ports, memory().slices(), device.rules.memory_cell),
      m_reader(m_banks, device) {}

void banked_shared_path::write(unsigned slice, frame_slot slot) {
    frame_route& route = m_switch.frames.route(slot);
    const unsigned port = route.ingress_port;
    const picoseconds now = m_switch.instant.now;
    const packet_sram::placement put = m_banks.slice(slice).write(m_banks.cells(route.charged_bytes), now,
                                                                  m_switch.ports[port].link(m_banks.cell()));
    route.first_bank = put.first_bank;
    const picoseconds written = m_banks.in_order(port, now + put.wait);
    if (written == now) {
        transferred(slot);
        return;
    }
    m_banks.port(port).awaited_slice = slice;
    fifo(port).wait_for_memory(m_switch.frames.frame(slot).length(), written);
    m_switch.instant.events.schedule(written, switch_stages::transfer_done, port, slot);
}

// The frame's last cell is in memory.
void banked_shared_path::transferred(frame_slot slot) {
    m_switch.frames.route(slot).arrival = m_switch.instant.now;
    shared_path::transferred(slot);
}

bool banked_shared_path::read(unsigned port, pfc_class c) {
    const frame_route& route = m_switch.frames.route(m_switch.egress().head(port, c));
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
