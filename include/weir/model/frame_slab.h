// A node's packet store: frames stay in one slot from arrival to departure, and queues link slots by
// index, the way a packet memory's linked lists do.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "weir/protocol/frame.h"

namespace weir {

/// Index of a frame in its node's store. Carries no meaning: results never depend on its value.
using frame_slot = std::uint32_t;
inline constexpr frame_slot no_slot = ~frame_slot{0};

/// A count per class. Unit: B.
using class_counts = std::array<std::uint32_t, pfc_classes>;

/// Drain bytes: what must leave before a new frame of the class can, its own class's bytes and those of all
/// more urgent ones (DeTail 5.4). Computed where a threshold is at stake, not at each change.
constexpr class_counts drain_of(const class_counts& class_bytes) {
    class_counts drain{};
    std::uint32_t sum = 0;
    for (unsigned c = pfc_classes; c-- > 0;) {
        sum += class_bytes[c];
        drain[c] = sum;
    }
    return drain;
}

/// Where a frame is on its way through a switch.
struct frame_route {
    frame_slot next = no_slot;
    /// Memory that the frame occupies (whole cells where memory has cells). Unit: B.
    std::uint32_t charged_bytes = 0;
    std::uint8_t ingress_port = 0;
    std::uint8_t egress_port = 0;
    pfc_class frame_class = 0;
    /// `cell` mode: cells that are still to cross.
    std::uint16_t cells_left = 0;
};

class frame_slab {
 public:
    frame_slot put(const ethernet_frame& frame) {
        if (__builtin_expect(m_free == no_slot, 0)) {
            grow();
        }
        const frame_slot slot = m_free;
        m_free = m_routes[slot].next;
        m_frames[slot] = frame;
        m_routes[slot].next = no_slot;
        ++m_used;
        return slot;
    }
    void release(frame_slot slot) {
        m_routes[slot].next = m_free;
        m_free = slot;
        --m_used;
    }

    ethernet_frame& frame(frame_slot slot) { return m_frames[slot]; }
    const ethernet_frame& frame(frame_slot slot) const { return m_frames[slot]; }
    frame_route& route(frame_slot slot) { return m_routes[slot]; }
    const frame_route& route(frame_slot slot) const { return m_routes[slot]; }
    std::uint32_t used() const { return m_used; }

 private:
    [[gnu::noinline, gnu::cold]] void grow() {
        m_free = static_cast<frame_slot>(m_frames.size());
        m_frames.emplace_back();
        m_routes.emplace_back();
    }

    std::vector<ethernet_frame> m_frames;
    std::vector<frame_route> m_routes;
    frame_slot m_free = no_slot;
    std::uint32_t m_used = 0;
};

/// First-in first-out list of slots, linked through the store.
class frame_queue {
 public:
    bool empty() const { return m_head == no_slot; }
    frame_slot head() const { return m_head; }

    void push(frame_slab& slab, frame_slot slot) {
        slab.route(slot).next = no_slot;
        if (m_head == no_slot) {
            m_head = slot;
        } else {
            slab.route(m_tail).next = slot;
        }
        m_tail = slot;
    }
    frame_slot pop(const frame_slab& slab) {
        const frame_slot slot = m_head;
        m_head = slab.route(slot).next;
        return slot;
    }

 private:
    frame_slot m_head = no_slot;
    frame_slot m_tail = no_slot;
};

}  // namespace weir
