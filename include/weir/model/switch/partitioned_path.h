// Memory at each port: a frame is charged at ingress, crosses from its VOQ, and is sent from egress memory.
#pragma once

#include "weir/model/switch/memory_path.h"

namespace weir::model {

class partitioned_path : public memory_path {
 public:
    using memory_path::memory_path;

    bool has_room(const frame_route& route, unsigned egress_port, std::uint64_t port_bytes,
                  std::uint64_t class_bytes) const override;
    entry enter(frame_slot slot, stored_frame&, picoseconds) override {
        m_device.request_crossing(slot);
        return entry::crosses;
    }
    void give_back(frame_slot slot) override { m_device.leave_ingress(slot); }
    void transferred(frame_slot slot) override { m_device.finish_crossing(slot); }
    std::unique_ptr<cause_recorder> make_causes(const cause_options& options,
                                                const switch_view& view) const override;
};

}  // namespace weir::model
