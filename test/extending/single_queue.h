// A NIC: one FIFO for all classes. A frame of a paused class blocks the frames behind it.
#pragma once

#include <memory>

#include "weir/model/host/nic_queues.h"

namespace outside {

class single_queue final : public weir::model::nic_queues {
 public:
    explicit single_queue(const weir::model::nic_setup& setup) : m_slab(setup.slab) {}

    bool may_refuse() const override { return false; }
    weir::send_outcome admit(const weir::ethernet_frame&, weir::bytes, weir::picoseconds) override {
        return weir::send_outcome::taken;
    }
    weir::model::frame_slot enqueue(weir::model::frame_slot slot, weir::picoseconds) override {
        m_queue.push(m_slab, slot);
        return weir::model::no_slot;
    }
    weir::model::frame_slot dequeue(weir::class_mask classes, weir::picoseconds) override {
        return (backlog() & classes) != 0 ? m_queue.pop(m_slab) : weir::model::no_slot;
    }
    weir::class_mask backlog() const override {
        return m_queue.empty() ? weir::class_mask{0}
                               : static_cast<weir::class_mask>(1U << m_slab.route(m_queue.head()).frame_class);
    }
    void add_flows(weir::pfc_class c, weir::model::flow_bytes_list& flows) const override {
        for (auto slot = m_queue.head(); slot != weir::model::no_slot; slot = m_slab.route(slot).next) {
            if (m_slab.route(slot).frame_class == c) {
                flows.add(m_slab.frame(slot), m_slab.frame(slot).frame_bytes);
            }
        }
    }

 private:
    weir::model::frame_slab& m_slab;
    weir::model::frame_queue m_queue;
};

inline weir::model::nic_kind add_single_queue() {
    return weir::model::nic_kinds().add(
        {"single_queue", "one FIFO for all classes", {[](const weir::model::nic_setup& setup) {
             return std::make_unique<single_queue>(setup);
         }}});
}

}  // namespace outside
