#include "weir/model/memory/sram_timing.h"

#include <algorithm>

namespace weir::model {

sram_timing::sram_timing(const sram_config& config, unsigned ports, unsigned slices, bytes cell)
    : m_config(config),
      m_cell(cell),
      m_slices(slices),
      m_memories(slices > 0 ? slices : 2 * ports, packet_sram(config)),
      m_ports(ports),
      m_stalled(std::size_t{slices} * ports),
      m_lost(slices) {}

void sram_timing::restart_statistics() {
    for (packet_sram& memory : m_memories) {
        memory.reset_stats();
    }
    std::fill(m_stalled.begin(), m_stalled.end(), 0_ps);
    std::fill(m_lost.begin(), m_lost.end(), 0);
    for (port_state& p : m_ports) {
        p.crossbar_in_stalled = p.crossbar_out_stalled = 0_ps;
    }
}

}  // namespace weir::model
