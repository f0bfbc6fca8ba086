// Observes a node: is told of pauses that begin or end, of frames that are lost, and of those that a switch has
// placed by what its egress ports hold.
//
//   struct pause_log : node_watch {
//       void on_pauses(unsigned port, class_mask paused, picoseconds now) override { ... }
//       void on_drop(unsigned port, drop_reason, const ethernet_frame&, picoseconds now) override { ... }
//   };
//   pause_log log;
//   network.device(0).set_watch(log);    // before the run
//
// Called on the thread that advances the node; must not change anything.
#pragma once

#include "weir/base/time.h"
#include "weir/protocol/frame.h"

namespace weir::model {

enum class drop_reason : std::uint8_t;

class node_watch {
 public:
    virtual ~node_watch() = default;

    /// `paused`: the classes that the link partner has stopped, from now on. It may be told several times in
    /// one instant, of which the last counts, and may be what it was.
    virtual void on_pauses(unsigned port, class_mask paused, picoseconds now) = 0;
    /// A frame is lost, at this port. Frames that a host's full NIC has not taken are not told of.
    virtual void on_drop(unsigned port, drop_reason reason, const ethernet_frame& frame, picoseconds now) = 0;
    /// A switch with rules of egress queues (`marking.kind`, `switch.overflow`) sends a frame to port `placed`,
    /// where its lookup and port selection have chosen `wanted`, which holds, and will get, `held_bytes`.
    virtual void on_placed(unsigned /*wanted*/, unsigned /*placed*/, std::uint64_t /*held_bytes*/,
                           const ethernet_frame&, picoseconds /*now*/) {}
};

}  // namespace weir::model
