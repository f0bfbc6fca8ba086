// By rank (`transfer_fields::rank`), the lowest first: of all frames the one of lowest rank names the flow that
// is served, and of that flow the frame that came first is sent, so that a flow's frames stay in order. Where
// memory is full the frame of highest rank gives way, the latest of equals (pFabric, SIGCOMM 2013,
// section 4.1).
//
// Each call looks at all frames of the queue: pFabric's have a few dozen.
#pragma once

#include "weir/model/memory/queue_order.h"

namespace weir::model {

class rank_order final : public queue_order {
 public:
    frame_slot next(const frame_slab& slab, const frame_queue& queue) const override;
    frame_slot victim(const frame_slab& slab, const frame_queue& queue, frame_slot newcomer) const override;
};

}  // namespace weir::model
