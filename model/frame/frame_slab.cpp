#include "weir/model/frame/frame_slab.h"

namespace weir::model {

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
