// Packet memory and class queues of a switch's egress ports.
//
// Room is reserved when the arbiter matches a frame, charged when the frame has crossed, and released when
// its last bit has left (docs/timing-model.md). The port's memory is shared by its classes as configured, so
// that one paused class cannot take what the others need. Two signals go back from here: room, as a mask of
// classes per port, to the arbiter; and favoured ports, as a bitmap per threshold and class, to forwarding
// (DeTail 5.3, 5.4).
//
//   egress_buffer buffer(slab, config, ports);
//   if (buffer.room(port) & (1 << c)) buffer.reserve(port, c, 1530);
//   buffer.commit(slot, now);                    // after the crossbar; the frame may be sent from now on
//   buffer.dequeue(port, c);                     // its first bit leaves
//   buffer.release(port, c, 1530, now);          // its last bit has left
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "weir/base/occupancy_meter.h"
#include "weir/base/port_bitmap.h"
#include "weir/base/prefetch.h"
#include "weir/model/config/switch_config.h"
#include "weir/model/forwarding/port_choice.h"
#include "weir/model/frame/frame_slab.h"
#include "weir/model/memory/queue_order.h"

namespace weir::model {

class alignas(64) egress_buffer {
 public:
    /// One port's part, for callers that keep a reference instead of its number: each call that takes one is
    /// the same as with the number.
    class alignas(32) port_state {
        friend class egress_buffer;
        // Charged and reserved, of all classes: what room is decided on.
        std::uint32_t held = 0;
        std::uint32_t charged = 0;
        std::uint32_t room = 0;
        std::uint32_t backlog = 0;
        // Fill from which favoured ports, or drain bytes, may change.
        std::uint32_t watch_from = 0;
        std::uint32_t number = 0;
    };
    port_state& at(unsigned port) { return m_ports[port]; }
    /// A port will be selected soon for a frame of the class.
    void prefetch(pfc_class c) const {
        for (unsigned level = 0; level < m_levels; ++level) {
            prefetch_line(m_favored.data() + level * pfc_classes + c);
        }
    }
    /// A frame of the class will come or go soon: first its queue, then, when that is here, what its meter
    /// points to.
    void prefetch(unsigned port, pfc_class c) const {
        prefetch_line(&m_ports[port]);
        prefetch_line(m_queues[c].get() + port);
    }
    void prefetch_history(unsigned port, pfc_class c) const {
        if (m_queues[c] != nullptr) {
            m_queues[c][port].meter.prefetch_history();
        }
    }

    egress_buffer(frame_slab& slab, const switch_config& config, unsigned ports);

    /// The view has drain bytes at all times. Range: no frame is stored.
    void keep_drain_bytes() {
        m_keep_drain = true;
        for (port_state& p : m_ports) {
            p.watch_from = 0;
        }
    }

    /// Classes that may be granted one more frame of the largest size.
    class_mask room(unsigned port) const { return static_cast<class_mask>(m_ports[port].room); }
    /// What a class of the port may hold now, by the rule of sharing. Unit: B.
    std::uint64_t class_limit(unsigned port) const;
    /// Whether a frame fits beside what port and class hold.
    bool would_fit(std::uint64_t port_held, std::uint64_t class_held, std::uint32_t length) const {
        return port_held <= m_capacity &&
               fits(static_cast<std::uint32_t>(port_held), static_cast<std::uint32_t>(class_held), length);
    }
    /// Whether the class would have room if its port held this and no more.
    bool would_have_room(pfc_class c, const class_counts& held) const;
    /// Returns the classes that have room afterwards, as `room` does. `length` may be the two's complement of
    /// what is not needed after all.
    class_mask reserve(port_state& p, pfc_class c, std::uint32_t length);
    class_mask reserve(unsigned port, pfc_class c, std::uint32_t length) {
        return reserve(m_ports[port], c, length);
    }
    /// The frame, whose room was reserved, is here: charges it and appends it to its class's queue.
    void commit(frame_slot slot, picoseconds now);
    /// The same for a frame that is taken from its queue again at once.
    void pass(port_state& p, const frame_route& r, picoseconds now) {
        count(p, queue_of(p, r.frame_class), r.charged_bytes, now);
    }
    /// For a switch that reserves nothing: as `reserve` and `commit`, or false if there is no memory.
    bool admit(frame_slot slot, picoseconds now);

    /// Departures have no observable effect: every class has room, every class is favoured at every level, and
    /// no port selector reads drain bytes.
    bool is_quiet(const port_state& p) const { return p.room == m_all_classes && p.watch_from != 0; }
    /// Classes that have a frame to send.
    static class_mask backlog(const port_state& p) { return static_cast<class_mask>(p.backlog); }
    class_mask backlog(unsigned port) const { return backlog(m_ports[port]); }
    /// The frame that came first, from which a walk goes on by `frame_route::next`; `no_slot` if there is none.
    frame_slot head(unsigned port, pfc_class c) const {
        return m_queues[c] != nullptr ? m_queues[c][port].frames.head() : no_slot;
    }
    /// The frame that is sent next. Range: a queue that is not empty.
    frame_slot next(unsigned port, pfc_class c) const {
        const frame_queue& queue = m_queues[c][port].frames;
        return m_order == nullptr ? queue.head() : m_order->next(m_slab, queue);
    }
    /// Where frames leave first in, first out.
    frame_slot dequeue_first(port_state& p, pfc_class c);
    frame_slot dequeue(port_state& p, pfc_class c) {
        return m_order == nullptr ? dequeue_first(p, c) : take(p, c, next(p.number, c));
    }
    frame_slot dequeue(unsigned port, pfc_class c) { return dequeue(m_ports[port], c); }
    /// Takes from its queue a frame that gives way to `newcomer`; `no_slot` if none does.
    eviction evict(frame_slot newcomer);
    class_mask release(port_state& p, pfc_class c, std::uint32_t length, picoseconds now);
    class_mask release(unsigned port, pfc_class c, std::uint32_t length, picoseconds now) {
        return release(m_ports[port], c, length, now);
    }

    /// What port selection sees. Drain bytes are there after `keep_drain_bytes` only.
    const egress_view& view() const { return m_view; }

    bytes occupancy(unsigned port) const { return bytes{m_ports[port].charged}; }
    bytes occupancy(unsigned port, pfc_class c) const { return bytes{class_charged(port)[c]}; }
    bytes drain_bytes(unsigned port, pfc_class c) const { return bytes{drain_of(class_charged(port))[c]}; }
    const occupancy_meter* meter(unsigned port, pfc_class c) const {
        const class_queue* const queues = m_queues[c].get();
        return queues != nullptr && queues[port].meter.used() ? &queues[port].meter : nullptr;
    }
    /// Brings the meters up to `now`.
    void settle(picoseconds now);
    /// The end of the warm-up: meters forget what was.
    void restart_statistics(picoseconds now);

 private:
    /// One class of a port, of one cache line.
    struct alignas(64) class_queue {
        /// Its fill is what is charged.
        occupancy_meter meter;
        frame_queue frames;
        /// Charged and reserved. Unit: B.
        std::uint32_t held = 0;
    };
    static_assert(sizeof(class_queue) == 64);

    class_queue& queue_of(const port_state& p, pfc_class c) {
        if (__builtin_expect(m_queues[c] == nullptr, 0)) {
            add_queues(c);
        }
        return m_queues[c][p.number];
    }
    std::uint32_t class_held(const port_state& p, pfc_class c) const {
        return m_queues[c] != nullptr ? m_queues[c][p.number].held : 0;
    }
    class_counts class_charged(unsigned port) const;
    frame_slot take(port_state& p, pfc_class c, frame_slot slot);
    bool fits(const port_state& p, pfc_class c, std::uint32_t length) const {
        return fits(p.held, class_held(p, c), length);
    }
    bool fits(std::uint32_t held, std::uint32_t class_held, std::uint32_t length) const;
    void update_room(port_state& p) {
        if (p.held < m_all_have_room_below) {
            p.room = m_all_classes;
        } else {
            find_room(p);
        }
    }
    [[gnu::noinline]] void find_room(port_state& p);
    std::uint32_t all_have_room_below() const;
    // Not inlined: it would cost every frame the registers of an allocation.
    [[gnu::noinline, gnu::cold]] void add_queues(pfc_class c);
    void count(port_state& p, class_queue& queue, std::uint32_t length, picoseconds now);
    [[gnu::noinline]] void update_favored(port_state& p);

    // What each frame reads comes first.
    frame_slab& m_slab;
    std::uint32_t m_all_classes;
    // While a port holds less, each of its classes has room, whichever holds it.
    std::uint32_t m_all_have_room_below = 0;
    std::vector<port_state> m_ports;
    /// By class and port; a class's are made when it holds something first.
    std::array<std::unique_ptr<class_queue[]>, pfc_classes> m_queues;
    egress_view m_view;
    // Null: first in, first out.
    std::unique_ptr<queue_order> m_order;
    std::uint32_t m_capacity;
    std::uint32_t m_max_charge;
    unsigned m_classes;
    egress_share m_share;
    // Factor of the dynamic share in 1/256, so that no floating point is on a frame's path.
    std::uint64_t m_alpha_256;
    std::uint32_t m_fixed_limit;
    std::vector<std::uint32_t> m_thresholds;
    // Below it every class of a port is favoured at every level.
    std::uint32_t m_first_threshold = ~std::uint32_t{0};
    unsigned m_levels;
    picoseconds m_statistics_start{0};
    // Without `keep_drain_bytes` up to date for ports that have crossed a threshold only.
    std::vector<std::uint32_t> m_drain;
    bool m_keep_drain = false;
    std::vector<port_bitmap> m_favored;
};

}  // namespace weir::model
