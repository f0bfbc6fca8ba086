// What the parts of a switch see of it, and may ask of it. A part (why it pauses and drops, its watchdog, PFC
// that is somebody else's) has its own state and knows neither the other parts nor the switch's own.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "weir/base/time.h"
#include "weir/model/engine/drop_reason.h"
#include "weir/model/flow_control/mac_port.h"
#include "weir/model/frame/frame_slab.h"
#include "weir/model/switch/block_interfaces.h"

namespace weir {

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
class switch_services : public switch_view {
 public:
    /// The transmitter of a port obeys, and says what it asks for.
    virtual mac_port& mac(unsigned port) = 0;
    /// What the link partner has paused at the port is different now.
    virtual void pauses_changed(unsigned port) = 0;
    /// The port looks, before it sends its next frame, at what may keep it from that.
    virtual void attend_later(unsigned port) = 0;
    /// The port chooses a frame at the end of this instant, or when it has sent what it is sending.
    virtual void transmit_later(unsigned port) = 0;
    /// PFC that is somebody else's looks at the port then.
    virtual void look_at_pfc(unsigned port, picoseconds at, std::uint32_t reason) = 0;
    virtual void drop(frame_slot slot, unsigned port, drop_reason reason) = 0;
    /// All that waits in these classes at egress.
    virtual void drop_backlog(unsigned port, class_mask classes, drop_reason reason) = 0;
    /// Frames lost so far.
    virtual std::uint64_t dropped(unsigned port, pfc_class c, drop_reason reason) const = 0;

    virtual ~switch_services() = default;
};

}  // namespace weir
