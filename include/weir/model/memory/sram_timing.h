// One switch's packet memories as SRAM with limited bandwidth, and what its ports do while they wait for them.
//
//     partitioned   2 memories a port: ingress (written from the wire, read by the crossbar) and egress
//                   (written by the crossbar, read by the transmitter)
//     shared        one for each slice (written from the wire after the lookup, read by the transmitters)
//
// A transmitter reads ahead: a frame may be read from when the one before it began, or when it has come to its
// queue, whichever is later. Where that is not enough the port stands still; a frame that has been read is sent
// next of its classes, unless they are paused.
#pragma once

#include <array>
#include <vector>

#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/model/frame/frame_slab.h"
#include "weir/model/memory/packet_sram.h"
#include "weir/protocol/frame.h"

namespace weir::model {

class sram_timing {
 public:
    /// `slices`: of a shared memory; 0 for a partitioned one. `cell`: what one access moves. Range: 1 B or
    /// more.
    sram_timing(const sram_config& config, unsigned ports, unsigned slices, bytes cell);

    packet_sram& ingress(unsigned port) { return m_memories[port]; }
    packet_sram& egress(unsigned port) { return m_memories[m_ports.size() + port]; }
    packet_sram& slice(unsigned number) { return m_memories[number]; }
    /// All of them, in the order of the lines above: for statistics.
    const std::vector<packet_sram>& memories() const { return m_memories; }
    unsigned slices() const { return m_slices; }
    const sram_config& config() const { return m_config; }
    bytes cell() const { return m_cell; }
    /// Accesses that a frame takes.
    unsigned cells(std::uint32_t charged_bytes) const {
        return charged_bytes / static_cast<std::uint32_t>(m_cell.count());
    }

    struct port_state {
        /// The last frame from the wire is written; the next one is so later.
        picoseconds last_written{-1};
        /// When the last data frame's transmission began.
        picoseconds last_begun{0};
        /// Until then a frame is being read.
        picoseconds reading_until{0};
        /// Classes of which the first frame has been read.
        class_mask read = 0;
        /// Shared memory: the slice that this port's frames last waited for.
        unsigned awaited_slice = 0;
        /// Time that the crossbar's input from this port, and its output to it, were held by frames that waited
        /// for memory, at either end.
        picoseconds crossbar_in_stalled{0};
        picoseconds crossbar_out_stalled{0};
    };
    port_state& port(unsigned number) { return m_ports[number]; }
    const port_state& port(unsigned number) const { return m_ports[number]; }

    /// A port's transmitter stands still for a slice of a shared memory.
    void stall(unsigned slice, unsigned number, picoseconds wait) {
        m_stalled[slice * m_ports.size() + number] += wait;
    }
    /// Time that this port's transmitter has stood still for this slice. With a partitioned memory each is read
    /// by one transmitter (or crossbar input): `reads().wait_time`.
    picoseconds stalled(unsigned slice, unsigned number) const {
        return m_stalled[slice * m_ports.size() + number];
    }
    void stall_crossbar(unsigned from, unsigned to, picoseconds wait) {
        m_ports[from].crossbar_in_stalled += wait;
        m_ports[to].crossbar_out_stalled += wait;
    }
    /// A frame is lost because frames of its port wait for a slice.
    void lose(unsigned number) { ++m_lost[m_ports[number].awaited_slice]; }
    std::uint64_t lost(unsigned slice) const { return m_lost[slice]; }

    /// When a frame from this port's wire, that would be there at `ready`, is: frames stay in order, at
    /// different times.
    picoseconds in_order(unsigned number, picoseconds ready) {
        port_state& p = m_ports[number];
        p.last_written = ready > p.last_written ? ready : p.last_written + picoseconds{1};
        return p.last_written;
    }

    void restart_statistics();

 private:
    sram_config m_config;
    bytes m_cell;
    unsigned m_slices;
    std::vector<packet_sram> m_memories;
    std::vector<port_state> m_ports;
    /// By slice and port; by slice.
    std::vector<picoseconds> m_stalled;
    std::vector<std::uint64_t> m_lost;
};

}  // namespace weir::model
