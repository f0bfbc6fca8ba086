// A switch whose packet memories have limited bandwidth (sram_timing.h), and what waits before a shared memory.
#include <algorithm>

#include "weir/base/unit_text.h"
#include "weir/model/memory/sram_timing.h"
#include "weir/model/switch/switch_node.h"

namespace weir {

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

void switch_node::make_sram() {
    const bool shared = m_shared != nullptr;
    if (m_parameters.sram.is_limited()) {
        m_sram = std::make_unique<sram_timing>(m_parameters.sram, m_port_count, shared ? m_shared->slices() : 0,
                                               m_parameters.device.memory_cell);
    }
    if (shared && frames_wait_before_memory(m_parameters)) {
        m_arrival_fifos.assign(m_port_count, arrival_fifo(m_parameters.device.ingress_fifo));
    }
}

bool frames_wait_before_memory(const switch_parameters& parameters) {
    return parameters.shared.kind == buffer_kind::shared &&
           (parameters.device.lookup_interval > 0_ps || parameters.sram.is_limited());
}

// --- from the wire ----------------------------------------------------------------------------------------

// False: no room where it could wait for its lookup; the frame is gone.
bool switch_node::enter_fifo(unsigned port, frame_slot slot) {
    const stored_frame& stored = m_slab[slot];
    if (m_arrival_fifos[port].has_room(stored.frame.length(), m_now)) {
        return true;
    }
    if (m_arrival_fifos[port].waits_for_memory()) {
        m_sram->lose(port);
    } else {
        ++m_lost_for_lookup;
    }
    const pfc_class c = stored.route.frame_class;
    if (m_shared->is_lossless(c)) {
        violate(m_now, "ingress port " + std::to_string(port) + " lost a frame of lossless class " +
                           std::to_string(c) + " (" + std::to_string(stored.frame.frame_bytes) + " B) at " +
                           to_text(m_now) + ": " + std::to_string(m_arrival_fifos[port].fill(m_now).count()) +
                           " of " + std::to_string(m_parameters.device.ingress_fifo.count()) +
                           " B of switch.ingress_fifo wait for the lookup (switch.lookup_interval = " +
                           to_text(m_parameters.device.lookup_interval) +
                           ") and the memory (sram.access_time = " + to_text(m_parameters.sram.access_time) +
                           "), which are slower than the arriving traffic");
    }
    drop(slot, port, drop_reason::ingress_fifo_full);
    return false;
}

// The frame may have to wait in front of the lookup that is done at `done`.
void switch_node::note_lookup(unsigned port, frame_slot slot, picoseconds done) {
    const picoseconds starts = done - m_pipeline.latency();
    if (starts > m_now) {
        m_arrival_fifos[port].wait_for_lookup(m_slab.frame(slot).length(), starts);
    }
}

// Ingress memory of a partitioned switch: when the frame, looked up at `done`, is also written.
picoseconds switch_node::write_ingress(unsigned port, frame_slot slot, picoseconds done) {
    frame_route& route = m_slab.route(slot);
    const packet_sram::placement put = m_sram->ingress(port).write(m_sram->cells(route.charged_bytes), m_now,
                                                                   m_ports[port].link(m_sram->cell()));
    route.first_bank = put.first_bank;
    return m_sram->in_order(port, std::max(done, m_now + put.wait));
}

// A slice of a shared memory. True: the frame is there now; else there will be an event.
bool switch_node::write_shared(unsigned slice, frame_slot slot) {
    frame_route& route = m_slab.route(slot);
    const unsigned port = route.ingress_port;
    const packet_sram::placement put = m_sram->slice(slice).write(m_sram->cells(route.charged_bytes), m_now,
                                                                  m_ports[port].link(m_sram->cell()));
    route.first_bank = put.first_bank;
    const picoseconds written = m_sram->in_order(port, m_now + put.wait);
    if (written == m_now) {
        return true;
    }
    m_sram->port(port).awaited_slice = slice;
    m_arrival_fifos[port].wait_for_memory(m_slab.frame(slot).length(), written);
    m_agenda.schedule(written, switch_stages::transfer_done, port, slot);
    return false;
}

// --- the crossbar -----------------------------------------------------------------------------------------

// How much longer a transfer takes because the frame has to be read from ingress memory.
picoseconds switch_node::read_ingress(frame_slot slot) {
    frame_route& route = m_slab.route(slot);
    const picoseconds wait = m_sram->ingress(route.ingress_port)
                                 .read(route.first_bank, m_sram->cells(route.charged_bytes), m_now, m_now,
                                       m_crossbar(m_sram->cell()));
    route.arrival = m_now;
    m_sram->stall_crossbar(route.ingress_port, route.egress_port, wait);
    return wait;
}

// True: the frame that has crossed is in egress memory, too; else its transfer goes on. Its cells came as they
// were read.
bool switch_node::write_egress(frame_slot slot) {
    frame_route& route = m_slab.route(slot);
    if (route.cells_left == 0) {
        const unsigned cells = m_sram->cells(route.charged_bytes);
        const picoseconds pace = std::max(m_crossbar(m_sram->cell()), (m_now - route.arrival) / cells);
        const packet_sram::placement put = m_sram->egress(route.egress_port).write(cells, m_now, pace);
        route.first_bank = put.first_bank;
        if (put.wait > 0_ps) {
            route.cells_left = 1;
            m_sram->stall_crossbar(route.ingress_port, route.egress_port, put.wait);
            m_agenda.schedule(m_now + put.wait, switch_stages::transfer_done, route.egress_port, slot);
            return false;
        }
    }
    route.cells_left = 0;
    return true;
}

// --- to the wire ------------------------------------------------------------------------------------------

// True: the port waits for a frame that is being read, or has sent one that had been.
bool switch_node::follow_read(switch_port& p, class_mask eligible) {
    const sram_timing::port_state& state = m_sram->port(p.number);
    if (m_now < state.reading_until) {
        return true;
    }
    const unsigned ready = state.read & eligible;
    if (ready == 0) {
        return false;
    }
    const auto c = static_cast<pfc_class>(31 - __builtin_clz(ready));
    const bytes length = m_slab.frame(m_egress->head(p.number, c)).length() + p.wire_overhead;
    send_data<false>(p, c, static_cast<std::uint32_t>(length.count()));
    return true;
}

// True: the class's first frame can be sent now; else there will be an event.
bool switch_node::read_egress(switch_port& p, pfc_class c) {
    sram_timing::port_state& state = m_sram->port(p.number);
    const auto mask = static_cast<class_mask>(1U << c);
    if ((state.read & mask) == 0) {
        const frame_route& route = m_slab.route(m_egress->head(p.number, c));
        const unsigned slice =
            m_shared != nullptr ? m_shared->slice_of({route.ingress_port, route.frame_class, route.egress_port})
                                : 0;
        packet_sram& memory = m_shared != nullptr ? m_sram->slice(slice) : m_sram->egress(p.number);
        const picoseconds wait =
            memory.read(route.first_bank, m_sram->cells(route.charged_bytes),
                        std::max(state.last_begun, route.arrival), m_now, p.link(m_sram->cell()));
        if (wait > 0_ps) {
            state.read = static_cast<class_mask>(state.read | mask);
            state.reading_until = m_now + wait;
            if (m_shared != nullptr) {
                m_sram->stall(slice, p.number, wait);
            }
            m_agenda.schedule(state.reading_until, switch_stages::memory_read, p.number, 0);
            return false;
        }
    }
    state.read = static_cast<class_mask>(state.read & ~mask);
    state.last_begun = m_now;
    return true;
}

}  // namespace weir
