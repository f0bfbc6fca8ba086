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

/// Memory at the egress ports alone, into which all inputs may write at once: when its lookup is done a frame
/// is stored in its egress queue or lost. No crossbar, and no ingress memory whose fill could ask for pauses.
/// What output-queued simulators assume, and what a switch with a crossbar can be measured against.
class output_queued_path final : public partitioned_path {
 public:
    using partitioned_path::partitioned_path;

    bool has_crossbar() const override { return false; }
    entry enter(frame_slot slot, stored_frame&, picoseconds) override {
        return m_device.admit(slot) ? entry::stored : entry::lost;
    }
    void give_back(frame_slot) override {}
};

/// Sets what output queues leave no choice in.
inline void adapt_to_output_queues(switch_config& device, pfc_config& flow_control) {
    device.drop = drop_policy::egress_tail;
    device.crossbar = crossbar_mode::frame;
    flow_control.charge = charge_time::store;
}

/// Memory at the ingress ports alone, whose frames all egress queues can see: when its lookup is done a frame
/// is in its egress queue at once, and it stays charged to the port that it came by until its last bit has
/// left. The ideal switch of 802's Data Center Bridging and of the cross-layer study (2012, section III-B4):
/// input buffers under flow control, output queues written at as many times the line rate as there are ports. A
/// queue is bounded by the sum of the input buffers only.
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
