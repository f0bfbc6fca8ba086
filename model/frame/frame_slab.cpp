#include "weir/model/frame/frame_slab.h"

#include <algorithm>

namespace weir::model {

// By a third: of the memory of many nodes little is free then.
void frame_slab::grow() {
    const std::size_t count = m_frames.size();
    const std::size_t larger = std::max<std::size_t>(8, count + count / 3);
    m_frames.reserve(larger);
    m_frames.resize(larger);
    m_free.resize(larger);
    for (std::size_t slot = count; slot < larger; ++slot) {
        m_free[slot] = static_cast<frame_slot>(slot) * slot_step;
    }
    if (m_has_annexes) {
        m_annexes.resize(larger);
    }
}

void frame_queue::remove(frame_slab& slab, frame_slot slot) {
    const frame_slot after = slab.route(slot).next;
    if (slot == m_head) {
        m_head = after;
        return;
    }
    frame_slot before = m_head;
    while (slab.route(before).next != slot) {
        before = slab.route(before).next;
    }
    slab.route(before).next = after;
    m_tail = slot == m_tail ? before : m_tail;
}

}  // namespace weir::model
