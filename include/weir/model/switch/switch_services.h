// What the parts of a switch see of it, and may ask of it. A part (memory organisation, causes of pauses and
// drops, watchdog, a bound PFC block) has its own state, and knows neither the other parts nor the state of the
// switch.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "weir/base/time.h"
#include "weir/model/engine/drop_reason.h"
#include "weir/model/engine/violation.h"
#include "weir/model/flow_control/mac_driver.h"
#include "weir/model/frame/frame_slab.h"
#include "weir/model/marking/marker.h"
#include "weir/model/switch/block_interfaces.h"

namespace weir::model {

/// Between two events.
class switch_view {
 public:
    virtual picoseconds now() const = 0;
    virtual unsigned ports() const = 0;
    virtual unsigned classes() const = 0;
    virtual const frame_slab& slab() const = 0;
    virtual ingress_buffer_if& ingress() const = 0;
    virtual egress_buffer_if& egress() const = 0;
    virtual const mac_port& mac(unsigned port) const = 0;
    /// Most bytes that one class may hold of a port's egress memory.
    virtual std::uint64_t egress_class_limit(unsigned port) const = 0;
    /// Frames that are in no queue: `looked_up` are those that cross, or will in this instant; the others have
    /// come, or will come, and are being looked up.
    virtual void for_each_between_queues(
        const std::function<void(frame_slot, bool looked_up)>& visit) const = 0;

 protected:
    ~switch_view() = default;
};

/// Within an event.
class switch_services : public switch_view, public mac_services, public frame_origin {
 public:
    picoseconds now() const override = 0;
    const mac_port& mac(unsigned port) const override = 0;
    mac_port& mac(unsigned port) override = 0;
    virtual mac_driver& macs() = 0;
    const frame_slab& slab() const override = 0;
    virtual frame_slab& slab() = 0;

    virtual void drop(frame_slot slot, unsigned port, drop_reason reason) = 0;
    /// All that waits in these classes at egress.
    virtual void drop_backlog(unsigned port, class_mask classes, drop_reason reason) = 0;
    /// Frames lost so far.
    virtual std::uint64_t dropped(unsigned port, pfc_class c, drop_reason reason) const = 0;
    /// An invariant is broken: the run ends.
    virtual void violate(violation_kind kind, const std::string& what) = 0;

    // A frame's way, for a memory organisation.
    /// Ingress memory is released.
    virtual void leave_ingress(frame_slot slot) = 0;
    /// The same at a time that is not after now, of a frame that has been charged.
    virtual void leave_ingress(const frame_route& route, picoseconds at) = 0;
    /// It enters its VOQ and competes for the crossbar.
    virtual void request_crossing(frame_slot slot) = 0;
    /// It has crossed and is in egress memory.
    virtual void finish_crossing(frame_slot slot) = 0;
    /// A frame of its egress queue gives way to it, and is dropped. False: none does.
    virtual bool evict_for(frame_slot slot) = 0;
    /// It is appended to its egress queue if that has room, perhaps after others have given way. False: it has
    /// been dropped.
    virtual bool admit(frame_slot slot) = 0;
    /// It is appended to its egress queue, for which room was reserved.
    virtual void enqueue(frame_slot slot) = 0;
    /// `memory_path::transferred` is called at `until`. `port`: orders events of one instant.
    virtual void transfer_until(unsigned port, frame_slot slot, picoseconds until) = 0;
    /// The port chooses a frame to send at `until`.
    virtual void read_until(unsigned port, picoseconds until) = 0;
    /// These classes of the link partner are to be paused. `crossing`: as `cause_recorder::note_xoff`.
    virtual void note_xoff(unsigned port, class_mask classes, frame_slot crossing) = 0;
};

}  // namespace weir::model
