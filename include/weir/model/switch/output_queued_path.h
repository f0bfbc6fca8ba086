// Memory at the egress ports alone, into which all inputs may write at once: when its lookup is done a frame is
// stored in its egress queue or lost. No crossbar, and no ingress memory whose fill could ask for pauses. What
// output-queued simulators assume, and what a switch with a crossbar can be measured against.
#pragma once

#include "weir/model/switch/partitioned_path.h"

namespace weir::model {

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

}  // namespace weir::model
