// Memory at the egress ports alone, into which all inputs may write at once: when its lookup is done a frame is
// stored in its egress queue or lost. There is no crossbar, and no ingress memory whose fill could ask for
// pauses. Output-queued simulators assume such a switch, and a switch with a crossbar can be measured against
// it.
#pragma once

#include "weir/model/switch/partitioned_path.h"

namespace weir::model {

class output_queued_path final : public partitioned_path {
 public:
    using partitioned_path::partitioned_path;
    static registry<buffer_kind, memory_organisation>::entry kind();

    bool has_crossbar() const override { return false; }
    entry enter(frame_slot slot, stored_frame& stored, picoseconds now) override;
    void give_back(frame_slot) override {}
    bool take_again(frame_slot) override { return true; }
};

}  // namespace weir::model
