// A node's packet store: frames stay in one slot from arrival to departure, and queues link slots by
// index, the way a packet memory's linked lists do.
#pragma once

#include <cstdint>
#include <vector>

#include "weir/protocol/frame.h"

namespace weir {

/// Index of a frame in its node's store. Carries no meaning: results never depend on its value.
using frame_slot = std::uint32_t;
inline constexpr frame_slot no_slot = ~frame_slot{0};

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
        frame_slot slot = m_free;
        if (slot == no_slot) {
            slot = static_cast<frame_slot>(m_frames.size());
            m_frames.emplace_back(frame);
            m_routes.emplace_back();
        } else {
            m_free = m_routes[slot].next;
            m_frames[slot] = frame;
            m_routes[slot].next = no_slot;
        }
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
