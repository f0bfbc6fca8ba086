// Memory at each port: a frame is charged at ingress, crosses from its VOQ, and is sent from egress memory.
#pragma once

#include "weir/model/memory/memory_organisation.h"
#include "weir/model/switch/memory_path.h"

namespace weir::model {

class partitioned_path : public memory_path {
 public:
    using memory_path::memory_path;
    static registry<buffer_kind, memory_organisation>::entry kind();

    bool has_room(const frame_route& route, unsigned egress_port, std::uint64_t port_bytes,
                  std::uint64_t class_bytes) const override;
    double fill(const frame_route& route, unsigned egress_port, std::uint64_t port_bytes) const override;
    entry enter(frame_slot slot, stored_frame& stored, picoseconds now) override;
    void give_back(frame_slot slot) override;
    bool take_again(frame_slot slot) override;
    void transferred(frame_slot slot) override;
    std::unique_ptr<cause_recorder> make_causes(const cause_options& options) const override;
};

}  // namespace weir::model
