// Queues of an RDMA adapter: as class_queues, but data of queue pairs stays in host memory until it can leave
// (`fetched_data`), by priority. pFabric's data does, too.
//
// So a pause holds back the queue pairs and not a heap of frames in the adapter, and queue pairs take turns,
// or, with pFabric, the transfer with the least left is asked for its frame.
//
//   rdma_queues queues({host_config{}, 40_Gbps, slab});
//   queues.admit(data, 0_B, 0_ps);            // taken
//   queues.admit(data, 1086_B, 0_ps);         // not_now, until the first one has been dequeued
#pragma once

#include <array>

#include "weir/model/host/class_queues.h"

namespace weir::model {

class rdma_queues final : public nic_queues {
 public:
    explicit rdma_queues(const nic_setup& setup);

    bool may_refuse() const override { return true; }
    send_outcome admit(const ethernet_frame& frame, bytes held, picoseconds now) override;
    frame_slot enqueue(frame_slot slot, picoseconds now) override { return m_queues.enqueue(slot, now); }
    frame_slot dequeue(class_mask classes, picoseconds now) override;
    class_mask backlog() const override { return m_queues.backlog(); }
    void add_flows(pfc_class c, flow_bytes_list& flows) const override { m_queues.add_flows(c, flows); }
    bool takes_again() override;

 private:
    bool has_room(pfc_class priority) const { return m_fetched[priority] <= m_ahead; }

    frame_slab& m_slab;
    class_queues m_queues;
    /// What the line sends while a frame passes the stack. Unit: B.
    std::int64_t m_ahead;
    /// Data taken and not dequeued, by priority. Unit: B.
    std::array<std::int64_t, pfc_classes> m_fetched{};
    /// Priorities that were refused.
    unsigned m_refused = 0;
};

}  // namespace weir::model
