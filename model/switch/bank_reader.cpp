#include "weir/model/switch/bank_reader.h"

#include <algorithm>

#include "weir/model/switch/memory_path.h"

namespace weir::model {

int bank_reader::class_read(unsigned port, class_mask eligible) const {
    const sram_timing::port_state& state = m_banks.port(port);
    if (m_device.now() < state.reading_until) {
        return memory_path::none_yet;
    }
    const unsigned ready = state.read & eligible;
    return ready == 0 ? memory_path::any_class : 31 - __builtin_clz(ready);
}

picoseconds bank_reader::read(unsigned port, pfc_class c, packet_sram& memory) {
    sram_timing::port_state& state = m_banks.port(port);
    const picoseconds now = m_device.now();
    const auto mask = static_cast<class_mask>(1U << c);
    if ((state.read & mask) == 0) {
        const frame_route& route = m_device.slab().route(m_device.egress().head(port, c));
        const picoseconds wait = memory.read(route.first_bank, m_banks.cells(route.charged_bytes),
                                             std::max(state.last_begun, route.arrival), now,
                                             m_device.mac(port).link(m_banks.cell()));
        if (wait > 0_ps) {
            state.read = static_cast<class_mask>(state.read | mask);
            state.reading_until = now + wait;
            m_device.read_until(port, state.reading_until);
            return wait;
        }
    }
    state.read = static_cast<class_mask>(state.read & ~mask);
    state.last_begun = now;
    return 0_ps;
}

}  // namespace weir::model
