// The switch as some of its parts see it: those that record causes of pauses and drops, the
// watchdog, and the driver of its MACs. Each has its own state, and knows neither the other parts nor the
// stages of the switch.
#pragma once

#include <cstdint>
#include <functional>

#include "weir/base/time.h"
#include "weir/model/engine/drop_reason.h"
#include "weir/model/flow_control/mac_driver.h"
#include "weir/model/frame/frame_slab.h"
#include "weir/model/switch/block_interfaces.h"

namespace weir::model {

/// Between two events.
class switch_view {
 public:
    virtual picoseconds now() const = 0;
    virtual unsigned port_count() const = 0;
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
class switch_services : public switch_view, public mac_services {
 public:
    picoseconds now() const override = 0;
    const mac_port& mac(unsigned port) const override = 0;
    mac_port& mac(unsigned port) override = 0;
    virtual mac_driver& macs() = 0;
    const frame_slab& slab() const override = 0;
    virtual frame_slab& slab() = 0;

    virtual void drop(frame_slot slot, unsigned port, drop_reason reason) = 0;
    /// Frames lost so far.
    virtual std::uint64_t dropped(unsigned port, pfc_class c, drop_reason reason) const = 0;
};

}  // namespace weir::model
