// A NIC's default queues: a FIFO for each class, the most urgent class first, as much memory as
// `host.nic_buffer` says. What does not fit is dropped.
//
//   class_queues queues({host_config{}, 1_Gbps, slab});
//   queues.enqueue(slot, 0_ps);
//   queues.dequeue(0xFF, 1us);                // slot
#pragma once

#include <array>

#include "weir/model/host/nic_queues.h"

namespace weir::model {

class class_queues final : public nic_queues {
 public:
    explicit class_queues(const nic_setup& setup) : m_slab(setup.slab), m_limit(setup.config.nic_buffer) {}

    bool may_refuse() const override { return m_limit > 0_B; }
    send_outcome admit(const ethernet_frame& frame, bytes held, picoseconds /*now*/) override {
        const bool fits = !may_refuse() || held + frame.length() <= m_limit;
        return fits ? send_outcome::taken : send_outcome::dropped;
    }
    frame_slot enqueue(frame_slot slot, picoseconds /*now*/) override {
        const pfc_class c = m_slab.route(slot).frame_class;
        m_queues[c].push(m_slab, slot);
        m_backlog |= 1U << c;
        return no_slot;
    }
    frame_slot dequeue(class_mask classes, picoseconds /*now*/) override {
        const unsigned eligible = m_backlog & classes;
        if (eligible == 0) {
            return no_slot;
        }
        const unsigned c = 31U ^ static_cast<unsigned>(__builtin_clz(eligible));
        const frame_slot slot = m_queues[c].pop(m_slab);
        if (slot == no_slot) {
            __builtin_unreachable();  // for the compiler: callers do not look again
        }
        if (m_queues[c].empty()) {
            m_backlog &= ~(1U << c);
        }
        return slot;
    }
    class_mask backlog() const override { return static_cast<class_mask>(m_backlog); }
    void add_flows(pfc_class c, flow_bytes_list& flows) const override;

 private:
    frame_slab& m_slab;
    bytes m_limit;
    std::array<frame_queue, pfc_classes> m_queues;
    // By class. No character type: a store to one may alias anything, pointers too.
    unsigned m_backlog = 0;
};

}  // namespace weir::model
