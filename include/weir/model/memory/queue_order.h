// A queue order decides which frame of an egress queue is sent next, and which one gives way in a full memory.
//
// The default, `fifo`, is no object at all: first in, first out, and the frame that comes is the one that is
// lost. Kinds are registered by name here.
//
//   rank_order order;
//   frame_slot next = order.next(slab, queue);
#pragma once

#include <functional>
#include <memory>

#include "weir/base/enum_names.h"
#include "weir/base/registry.h"
#include "weir/model/config/switch_config.h"
#include "weir/model/frame/frame_action.h"
#include "weir/model/frame/frame_slab.h"

namespace weir::model {

struct pfc_config;
struct shared_buffer_config;
struct sram_config;

/// A frame that has been taken from its queue for another one, and what happens to it: it is trimmed or
/// dropped.
struct eviction {
    frame_slot victim = no_slot;
    frame_action action = frame_action::drop;
};

class queue_order {
 public:
    virtual ~queue_order() = default;
    /// The frame that is sent next. Range: a queue that is not empty.
    virtual frame_slot next(const frame_slab& slab, const frame_queue& queue) const = 0;
    /// The frame that gives way to `newcomer`, which is not in the queue; or `newcomer`.
    virtual frame_slot victim(const frame_slab& slab, const frame_queue& queue, frame_slot newcomer) const = 0;
    /// Returns whether a frame that gives way is trimmed or dropped.
    virtual frame_action action() const { return frame_action::drop; }
};

struct queue_order_traits {
    /// None: first in, first out, and the new frame is the one that is dropped.
    std::function<std::unique_ptr<queue_order>()> make;
    /// It reads `transfer_fields::rank`, which only some transports set.
    bool reads_ranks = false;
};

registry<queue_order_kind, queue_order_traits>& queue_orders();
constexpr registered_names<queue_order_kind, queue_orders> names_of(queue_order_kind) {
    return {};
}

/// Refuses an order (`switch.queue_order`) that contradicts flow control or the memory.
void check_queue_order(range_check& check, const switch_config& device, const pfc_config& flow_control,
                       const shared_buffer_config& shared, const sram_config& sram);

/// By rank (`transfer_fields::rank`), the lowest first: of all frames the one of lowest rank names the flow
/// that is served, and of that flow the frame that came first is sent, so that a flow's frames stay in order.
/// Where memory is full the frame of highest rank gives way, the latest of equals (pFabric, SIGCOMM 2013,
/// section 4.1).
///
/// Each call looks at all frames of the queue: pFabric's have a few dozen.
class rank_order final : public queue_order {
 public:
    frame_slot next(const frame_slab& slab, const frame_queue& queue) const override;
    frame_slot victim(const frame_slab& slab, const frame_queue& queue, frame_slot newcomer) const override;
};

}  // namespace weir::model
