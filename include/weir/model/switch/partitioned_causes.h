// Why a switch with memory at each port, or at each ingress port alone, pauses and drops.
#pragma once

#include "weir/model/config/switch_config.h"
#include "weir/model/switch/cause_recorder.h"

namespace weir::model {

class partitioned_causes final : public cause_recorder {
 public:
    /// What is referred to outlives this. `stays_at_ingress`: ingress memory is charged for the frames in
    /// egress queues too.
    partitioned_causes(const cause_options& options, const switch_view& view, const pfc_config& flow_control,
                       const switch_config& device, bool stays_at_ingress)
        : cause_recorder(options, view, flow_control), m_device(device), m_stays_at_ingress(stays_at_ingress) {}

 private:
    class_mask recorded(class_mask classes) const override { return classes; }
    void explain_xoff(xoff_record& record, class_mask classes, frame_slot crossing,
                      filled_queues& queues) const override;
    void explain_drop(drop_record& record, frame_slot slot) const override;
    void add_held_elsewhere(unsigned egress_port, pfc_class c, flow_bytes_list& flows) const override;
    /// A frame of class `other` counts towards the pause of class `c`.
    bool counts_for(pfc_class c, pfc_class other) const;
    /// Frames that the port's ingress memory is charged for, each once: those in its VOQs or, where they stay
    /// at ingress, in egress queues; those that cross, and those whose lookup is not done. `visit(slot,
    /// looked_up)`.
    template <class Visit>
    void for_each_charged(unsigned ingress_port, Visit&& visit) const;

    const switch_config& m_device;
    bool m_stays_at_ingress;
};

}  // namespace weir::model
