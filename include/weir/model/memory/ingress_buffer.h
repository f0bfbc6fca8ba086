// Packet memory and virtual output queues of a switch's ingress ports.
//
// Memory is charged when a frame's last bit has arrived and released when the frame has crossed
// (docs/decisions/0007-charge-at-the-last-bit.md). Between the two it decides what the MAC sends back: a class
// is to be paused from the moment its count reaches the XOFF threshold until it falls below the XON threshold.
// The count is the class's drain bytes (its own and all more urgent ones', DeTail 6.1) or its own bytes.
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
#include "weir/base/prefetch.h"
#include "weir/model/flow_control/ingress_limits.h"
#include "weir/model/frame/frame_slab.h"
#include "weir/model/memory/charge_result.h"
#include "weir/protocol/frame.h"

namespace weir::model {

class ingress_buffer {
 public:
    /// One port's part, for callers that keep a reference instead of its number: each call that takes one is
    /// the same as with the number.
    class alignas(cache_line / 2) port_state {
        friend class ingress_buffer;
        std::uint32_t total = 0;
        // Nothing happens while the total stays below: the lower one of XOFF threshold and capacity.
        std::uint32_t quiet_below = 0;
        std::uint32_t xoffed = 0;
        std::uint32_t number = 0;
        ingress_limits limits;
    };
    port_state& at(unsigned port) { return m_ports[port]; }
    /// A frame will come soon, or one of the class go.
    void prefetch(unsigned port) const { prefetch_line(&m_ports[port]); }
    void prefetch(unsigned port, pfc_class c) const {
        prefetch(port);
        prefetch_line(m_classes_used[c].meters.get() + port);
    }

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
        meter_of(p, c).pass(length, arrival, now);
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
        if (__builtin_expect(m_classes_used[r.frame_class].voqs == nullptr, 0)) {
            add_voqs(r.frame_class);
        }
        frame_queue& queue = voq(r.ingress_port, r.egress_port, r.frame_class);
        const bool was_empty = queue.empty();
        queue.push(m_slab, slot);
        return was_empty;
    }
    /// First frame of a VOQ, or `no_slot`.
    frame_slot head(unsigned ingress_port, unsigned egress_port, pfc_class c) {
        return m_classes_used[c].voqs == nullptr ? no_slot : voq(ingress_port, egress_port, c).head();
    }
    /// Takes the first frame. True if the VOQ is empty now.
    bool dequeue(unsigned ingress_port, unsigned egress_port, pfc_class c) {
        frame_queue& queue = voq(ingress_port, egress_port, c);
        queue.pop(m_slab);
        return queue.empty();
    }

    /// Bytes of the port's memory in use, all classes.
    bytes occupancy(unsigned port) const { return bytes{m_ports[port].total}; }
    bytes occupancy(unsigned port, pfc_class c) const { return bytes{class_bytes(port)[c]}; }
    bytes drain_bytes(unsigned port, pfc_class c) const { return bytes{drain_of(class_bytes(port))[c]}; }
    class_mask paused(unsigned port) const { return static_cast<class_mask>(m_ports[port].xoffed); }
    /// Null for a class that never held a frame.
    const occupancy_meter* meter(unsigned port, pfc_class c) const {
        const port_meter* const meters = m_classes_used[c].meters.get();
        return meters != nullptr && meters[port].used() ? &meters[port] : nullptr;
    }
    /// Brings the meters up to `now`.
    void settle(picoseconds now);
    /// The end of the warm-up: meters forget what was.
    void restart_statistics(picoseconds now);

 private:
    frame_queue& voq(unsigned ingress_port, unsigned egress_port, pfc_class c) {
        return m_classes_used[c].voqs[ingress_port * m_port_count + egress_port];
    }
    // A class's fill of a port, and its meter.
    occupancy_meter& meter_of(const port_state& p, pfc_class c) {
        if (__builtin_expect(m_classes_used[c].meters == nullptr, 0)) {
            add_meters(c);
        }
        return m_classes_used[c].meters[p.number];
    }
    class_counts class_bytes(unsigned port) const;
    // Not inlined: it would cost every frame the registers of an allocation.
    [[gnu::noinline, gnu::cold]] void add_meters(pfc_class c);
    [[gnu::noinline, gnu::cold]] void add_voqs(pfc_class c);
    // `length` may be the two's complement of what is taken away.
    void count(port_state& p, pfc_class c, std::uint32_t length, picoseconds now) {
        p.total += length;
        occupancy_meter& meter = meter_of(p, c);
        meter.change(static_cast<std::uint32_t>(meter.current().count()) + length, now);
    }
    class_mask above(const port_state& p, std::uint32_t threshold) const;

    /// Of one cache line.
    struct alignas(cache_line) port_meter : occupancy_meter {};
    /// Made when the class holds something first.
    struct class_state {
        /// By ingress port.
        std::unique_ptr<port_meter[]> meters;
        /// By ingress port and egress port.
        std::unique_ptr<frame_queue[]> voqs;
    };

    frame_slab& m_slab;
    unsigned m_port_count;
    class_mask m_all_classes;
    std::array<class_state, pfc_classes> m_classes_used;
    std::vector<port_state> m_ports;
    picoseconds m_statistics_start{0};
};

}  // namespace weir::model
