// Why a switch with one memory for all ports pauses and drops.
#pragma once

#include "weir/model/memory/shared_buffer.h"
#include "weir/model/switch/cause_recorder.h"

namespace weir::model {

class shared_causes final : public cause_recorder {
 public:
    /// All outlive this.
    shared_causes(const cause_options& options, const switch_view& view, const pfc_config& flow_control,
                  const shared_buffer& memory)
        : cause_recorder(options, view, flow_control), m_memory(memory) {}

 private:
    class_mask recorded(class_mask classes) const override { return is_whole_link() ? 0xFF : classes; }
    void explain_xoff(xoff_record& record, class_mask classes, frame_slot crossing,
                      filled_queues& queues) const override;
    void explain_drop(drop_record& record, frame_slot slot) const override;
    /// Its frames are at egress only.
    void add_held_elsewhere(unsigned, pfc_class, flow_bytes_list&) const override {}
    void add_own(xoff_record& record, class_mask classes, frame_slot crossing, filled_queues& queues) const;
    void add_pooled(xoff_record& record, unsigned slice, frame_slot crossing, filled_queues& queues) const;
    /// Frames that stand in egress queues, or are just being sent. `visit(slot)`.
    template <class Visit>
    void for_each_stored(Visit&& visit) const;

    const shared_buffer& m_memory;
};

}  // namespace weir::model
