// Packet memory and virtual output queues of a switch's ingress ports.
//
// Memory is charged when a frame's last bit has arrived and released when the frame has crossed (design
// section 4). Between the two it decides what the MAC sends back: a class is to be paused from the moment
// its count reaches the XOFF threshold until it falls below the XON threshold. The count is the class's
// drain bytes (its own and all more urgent ones', DeTail 6.1) or its own bytes.
//
//   ingress_buffer buffer(slab, ports, classes);
//   buffer.set_limits(port, limits);
//   charge_result r = buffer.charge(port, frame_class, 1530, now);   // r.xoff: classes to pause from now on
//   buffer.enqueue(slot);                                            // after the lookup
//   class_mask xon = buffer.release(port, frame_class, 1530, now);   // after the crossbar
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "weir/base/occupancy_meter.h"
#include "weir/model/flow_control/ingress_limits.h"
#include "weir/model/frame/frame_slab.h"
#include "weir/model/memory/charge_result.h"
#include "weir/protocol/frame.h"

namespace weir::model {

class ingress_buffer {
 public:
    /// One port's part, for callers that keep a reference instead of its number: each call that takes one is
    /// the same as with the number.
    class alignas(64) port_state {
        friend class ingress_buffer;
        struct class_state {
            std::uint32_t bytes = 0;
            std::unique_ptr<occupancy_meter> meter;
        };
        class_counts class_bytes() const {
            class_counts counts{};
            for (unsigned c = 0; c < pfc_classes; ++c) {
                counts[c] = classes[c].bytes;
            }
            return counts;
        }
        std::uint32_t total = 0;
        // Nothing happens while the total stays below: the lower one of XOFF threshold and capacity.
        std::uint32_t quiet_below = 0;
        std::uint32_t xoffed = 0;
        std::array<class_state, pfc_classes> classes;
        ingress_limits limits;
    };
    port_state& at(unsigned port) { return m_ports[port]; }

    ingress_buffer(frame_slab& slab, unsigned ports, unsigned classes);

    void set_limits(unsigned port, const ingress_limits& limits) {
        m_ports[port].limits = limits;
        m_ports[port].quiet_below = std::min(limits.xoff, limits.capacity);
    }
    const ingress_limits& limits(unsigned port) const { return m_ports[port].limits; }

    /// A charge of `length` more would neither fail nor reach the XOFF threshold, whatever is released
    /// meanwhile.
    static bool is_quiet(const port_state& p, std::uint32_t length) { return p.total + length < p.quiet_below; }
    /// A charge of which `is_quiet` was true when it was announced.
    void charge_quietly(port_state& p, pfc_class c, std::uint32_t length, picoseconds now) {
        count(p, c, length, now);
    }
    /// A quiet charge at `arrival` and its release at `now`, with nothing between them. False, and nothing
    /// done: the port holds other frames.
    bool pass(port_state& p, pfc_class c, std::uint32_t length, picoseconds arrival, picoseconds now) {
        if (p.total != 0 || p.xoffed != 0) {
            return false;
        }
        if (__builtin_expect(p.classes[c].meter == nullptr, 0)) {
            add_meter(p, c);
        }
        p.classes[c].meter->pass(length, arrival, now);
        return true;
    }
    charge_result charge(unsigned port, pfc_class c, std::uint32_t length, picoseconds now);
    /// Returns the classes that are to be released and were paused before.
    class_mask release(port_state& p, pfc_class c, std::uint32_t length, picoseconds now);
    class_mask release(unsigned port, pfc_class c, std::uint32_t length, picoseconds now) {
        return release(m_ports[port], c, length, now);
    }

    /// Appends to the VOQ that the frame's route names. True if that VOQ was empty.
    bool enqueue(frame_slot slot) {
        const frame_route& r = m_slab.route(slot);
        frame_queue& queue = voq(r.ingress_port, r.egress_port, r.frame_class);
        const bool was_empty = queue.empty();
        queue.push(m_slab, slot);
        return was_empty;
    }
    /// First frame of a VOQ, or `no_slot`.
    frame_slot head(unsigned ingress_port, unsigned egress_port, pfc_class c) {
        return voq(ingress_port, egress_port, c).head();
    }
    /// Takes the first frame. True if the VOQ is empty now.
    bool dequeue(unsigned ingress_port, unsigned egress_port, pfc_class c) {
        frame_queue& queue = voq(ingress_port, egress_port, c);
        queue.pop(m_slab);
        return queue.empty();
    }

    /// Bytes of the port's memory in use, all classes.
    bytes occupancy(unsigned port) const { return bytes{m_ports[port].total}; }
    bytes occupancy(unsigned port, pfc_class c) const { return bytes{m_ports[port].classes[c].bytes}; }
    bytes drain_bytes(unsigned port, pfc_class c) const {
        return bytes{drain_of(m_ports[port].class_bytes())[c]};
    }
    class_mask paused(unsigned port) const { return static_cast<class_mask>(m_ports[port].xoffed); }
    /// Null for a class that never held a frame.
    const occupancy_meter* meter(unsigned port, pfc_class c) const { return m_ports[port].classes[c].meter.get(); }
    /// Brings the meters up to `now`.
    void settle(picoseconds now);
    /// The end of the warm-up: meters forget what was.
    void restart_statistics(picoseconds now);

 private:
    frame_queue& voq(unsigned ingress_port, unsigned egress_port, pfc_class c) {
        return m_voqs[(ingress_port * m_port_count + egress_port) * m_classes + c];
    }
    // Not inlined: it would cost every frame the registers of an allocation.
    [[gnu::noinline, gnu::cold]] void add_meter(port_state& p, pfc_class c);
    // `length` may be the two's complement of what is taken away.
    void count(port_state& p, pfc_class c, std::uint32_t length, picoseconds now) {
        port_state::class_state& of_class = p.classes[c];
        of_class.bytes += length;
        p.total += length;
        if (__builtin_expect(of_class.meter == nullptr, 0)) {
            add_meter(p, c);
        }
        of_class.meter->change(of_class.bytes, now);
    }
    class_mask above(const port_state& p, std::uint32_t threshold) const;

    frame_slab& m_slab;
    unsigned m_port_count;
    unsigned m_classes;
    class_mask m_all_classes;
    picoseconds m_statistics_start{0};
    std::vector<port_state> m_ports;
    std::vector<frame_queue> m_voqs;
};

}  // namespace weir::model
