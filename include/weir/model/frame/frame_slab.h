// A node's packet store: frames stay in one slot from arrival to departure, and queues link slots by
// index, the way a packet memory's linked lists do.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "weir/base/prefetch.h"
#include "weir/protocol/frame.h"
#include "weir/protocol/frame_annex.h"

namespace weir::model {

/// Where a frame is in its node's store, from the store's begin. Unit: 8 B, the largest step that an address
/// can be scaled by without a multiplication. Carries no meaning: results never depend on its value.
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
    /// The next one of the frames that have arrived at the port without an event.
    frame_slot next_arrived = no_slot;
    /// Memory that the frame occupies (whole cells where memory has cells). Unit: B.
    std::uint32_t charged_bytes = 0;
    // Not of a character type: a store to one may alias anything, and the compiler would load all pointers
    // anew.
    std::uint16_t ingress_port = 0;
    std::uint16_t egress_port = 0;
    pfc_class frame_class = 0;
    /// The frame has crossed, and waits for a bank of egress memory.
    bool is_being_written = false;
    /// A switch's own: it was in no ingress memory. `ingress_port` is then its egress port.
    bool is_own = false;
    /// `cell` mode: cells that are still to cross.
    std::uint16_t cells_left = 0;
    /// Where the frame's first cell lies, in memories with banks.
    std::uint16_t first_bank = 0;
    /// Last bit in. Where memories have banks: while the frame crosses, when it began to; in its egress queue,
    /// when it came there.
    picoseconds arrival{0};
};

static_assert(sizeof(frame_route) <= 32);

/// A frame in the store, with its way: two cache lines at most.
struct alignas(32) stored_frame {
    ethernet_frame frame;
    frame_route route;
};

class frame_slab {
 public:
    frame_slot put(const ethernet_frame& frame) {
        if (__builtin_expect(m_used == m_free.size(), 0)) {
            grow();
        }
        const frame_slot slot = m_free[m_used++];
        stored_frame& stored = (*this)[slot];
        stored.frame = frame;
        stored.route.next = no_slot;
        return slot;
    }
    /// A frame will be put soon, after `others`.
    void prefetch_free(std::uint32_t others) const {
        if (m_used + others < m_free.size()) {
            prefetch_lines<2>(&(*this)[m_free[m_used + others]]);
        }
    }
    /// Frames will be put soon.
    void prefetch_places() const { prefetch_line(m_free.data() + m_used); }
    /// The frame will be looked at soon.
    void prefetch(frame_slot slot) const { prefetch_lines<2>(&(*this)[slot]); }
    /// The slot released last is used next. The frame is not touched.
    void release(frame_slot slot) { m_free[--m_used] = slot; }

    /// References hold until the next `put`.
    stored_frame& operator[](frame_slot slot) {
        return *reinterpret_cast<stored_frame*>(reinterpret_cast<unit*>(m_frames.data()) + slot);
    }
    const stored_frame& operator[](frame_slot slot) const {
        return *reinterpret_cast<const stored_frame*>(reinterpret_cast<const unit*>(m_frames.data()) + slot);
    }
    ethernet_frame& frame(frame_slot slot) { return (*this)[slot].frame; }
    const ethernet_frame& frame(frame_slot slot) const { return (*this)[slot].frame; }
    frame_route& route(frame_slot slot) { return (*this)[slot].route; }
    const frame_route& route(frame_slot slot) const { return (*this)[slot].route; }
    std::uint32_t used() const { return m_used; }

    /// Before the first `put`: each slot has an annex, which keeps what was last written to it.
    void add_annexes() { m_has_annexes = true; }
    bool has_annexes() const { return m_has_annexes; }
    frame_annex& annex(frame_slot slot) { return m_annexes[slot / slot_step]; }
    const frame_annex& annex(frame_slot slot) const { return m_annexes[slot / slot_step]; }

    /// How far slots are apart.
    static constexpr frame_slot slot_step = sizeof(stored_frame) / sizeof(std::uint64_t);

 private:
    using unit = std::uint64_t;
    static_assert(sizeof(stored_frame) % sizeof(unit) == 0);

    [[gnu::noinline, gnu::cold]] void grow();

    std::vector<stored_frame> m_frames;
    // By `m_used`: slots that are free. What lies before it is out of date.
    std::vector<frame_slot> m_free;
    std::uint32_t m_used = 0;
    bool m_has_annexes = false;
    // By slot; empty without them.
    std::vector<frame_annex> m_annexes;
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

    /// Any of its frames. Looks at those before it.
    void remove(frame_slab& slab, frame_slot slot);

 private:
    frame_slot m_head = no_slot;
    frame_slot m_tail = no_slot;
};

}  // namespace weir::model
