// Memory at the ingress ports alone, whose frames all egress queues can see: when its lookup is done a frame is
// in its egress queue at once, and it stays charged to the port that it came by until its last bit has left.
//
// This is the ideal switch of 802's Data Center Bridging and of the cross-layer study (2012, section III-B4):
// input buffers under flow control, output queues written at as many times the line rate as there are ports.
// Only the sum of the input buffers bounds a queue.
#pragma once

#include "weir/model/switch/partitioned_path.h"

namespace weir::model {

class input_buffered_path final : public partitioned_path {
 public:
    using partitioned_path::partitioned_path;
    static registry<buffer_kind, memory_organisation>::entry kind();

    bool has_crossbar() const override { return false; }
    bool stays_at_ingress() const override { return true; }
    entry enter(frame_slot slot, stored_frame& stored, picoseconds now) override;
    void leave(const frame_route& route, picoseconds at) override;
};

}  // namespace weir::model
