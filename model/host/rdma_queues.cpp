#include "weir/model/host/rdma_queues.h"

#include "weir/model/host/nic_queues.h"

namespace weir::model {

rdma_queues::rdma_queues(const nic_setup& setup)
    : m_slab(setup.slab), m_queues(setup), m_ahead(fetched_ahead(setup.config.stack_out, setup.rate)) {}

send_outcome rdma_queues::admit(const ethernet_frame& frame, bytes held, picoseconds now) {
    const bool fetched = is_fetched(frame);
    if (fetched && !has_room(frame.priority)) {
        m_refused |= 1U << frame.priority;
        return send_outcome::not_now;
    }
    const send_outcome outcome = m_queues.admit(frame, held, now);
    if (fetched && outcome == send_outcome::taken) {
        m_fetched[frame.priority] += frame.frame_bytes;
    }
    return outcome;
}

frame_slot rdma_queues::dequeue(class_mask classes, picoseconds now) {
    const frame_slot slot = m_queues.dequeue(classes, now);
    if (slot != no_slot && is_fetched(m_slab.frame(slot))) {
        m_fetched[m_slab.frame(slot).priority] -= m_slab.frame(slot).frame_bytes;
    }
    return slot;
}

bool rdma_queues::takes_again() {
    for (unsigned refused = m_refused; refused != 0; refused &= refused - 1) {
        if (has_room(static_cast<pfc_class>(__builtin_ctz(refused)))) {
            m_refused = 0;  // those without room are told so again
            return true;
        }
    }
    return false;
}

}  // namespace weir::model
