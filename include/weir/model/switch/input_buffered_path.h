// Memory at the ingress ports alone, whose frames all egress queues can see: when its lookup is done a frame is
// in its egress queue at once, and it stays charged to the port that it came by until its last bit has left.
// The ideal switch of 802's Data Center Bridging and of the cross-layer study (2012, section III-B4): input
// buffers under flow control, output queues written at as many times the line rate as there are ports. A
// queue is bounded by the sum of the input buffers only.
#pragma once

#include "weir/model/switch/partitioned_path.h"

namespace weir::model {

class input_buffered_path final : public partitioned_path {
 public:
    using partitioned_path::partitioned_path;

    bool has_crossbar() const override { return false; }
    bool stays_at_ingress() const override { return true; }
    entry enter(frame_slot slot, stored_frame&, picoseconds) override {
        return m_device.admit(slot) ? entry::stored : entry::lost;
    }
    void leave(const frame_route& route, picoseconds at) override { m_device.leave_ingress(route, at); }
};

/// Sets what leaves no choice: no egress port has memory of its own to run out of.
inline void adapt_to_input_buffers(switch_config& device, std::size_t ports) {
    device.egress_buffer = device.ingress_buffer * static_cast<std::int64_t>(ports);
    device.share = egress_share::whole;
    device.drop = drop_policy::egress_tail;
    device.crossbar = crossbar_mode::frame;
}

}  // namespace weir::model
