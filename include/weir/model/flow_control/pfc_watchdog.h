// The PFC watchdog of a switch: finds egress queues that their link partner keeps paused for too long, and says
// when the pauses have stopped.
//
// Every `interval` the switch looks at each queue. One that is paused, has frames, and has still the same first
// frame as at all looks of the last `detection` is taken for one in a *storm*: from then on the switch drops
// the queue's frames, or sends them in spite of the pause (`watchdog_action`). When no pause frame has come for
// the class for `restoration`, the queue is restored (SONiC: "PFC watchdog", detection, mitigation,
// restoration).
//
//   pfc_watchdog watchdog(config, ports);
//   watchdog.note_xoff(port, xoffs, now);                         // a pause frame for these has come
//   switch (watchdog.look(port, c, queue, now)) { ... }  // at each interval
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "weir/base/time.h"
#include "weir/model/config/pfc_config.h"
#include "weir/protocol/frame.h"

namespace weir::model {

/// What the watchdog did to a queue.
struct watchdog_event {
    picoseconds time{0};
    std::uint16_t egress_port = 0;
    pfc_class frame_class = 0;
    /// A storm was found; else it was over.
    bool storm = false;
    /// Over: frames dropped meanwhile, those that came at the port included; and these alone.
    std::uint64_t dropped = 0;
    std::uint64_t dropped_arriving = 0;
};

class pfc_watchdog {
 public:
    enum class verdict : std::uint8_t { nothing, storm, restored };
    /// What a look sees of a queue. `head`: what its first frame is known by; `no_head` if it has none.
    struct queue_view {
        bool paused;
        std::uint64_t head;
    };
    static constexpr std::uint64_t no_head = ~std::uint64_t{0};

    pfc_watchdog(const pfc_config& config, unsigned ports)
        : m_detection(config.watchdog_detection), m_restoration(config.watchdog_restoration), m_ports(ports) {}

    /// Pause frames for these classes, not XON.
    void note_xoff(unsigned port, class_mask classes, picoseconds now);
    /// Range of now: not before the last call's.
    verdict look(unsigned port, pfc_class c, const queue_view& queue, picoseconds now);
    /// Classes in a storm.
    class_mask storms(unsigned port) const { return m_ports[port].storms; }

 private:
    struct queue_state {
        /// Seen paused at all looks since `since`, with this frame at its head.
        std::uint64_t head = no_head;
        picoseconds since{0};
        picoseconds last_xoff{0};
    };
    struct port_state {
        class_mask storms = 0;
        std::array<queue_state, pfc_classes> queues;
    };

    picoseconds m_detection;
    picoseconds m_restoration;
    std::vector<port_state> m_ports;
};

}  // namespace weir::model
