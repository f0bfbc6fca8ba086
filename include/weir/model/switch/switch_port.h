// One port of a switch: its MAC, its parts of the packet memories, and the frames that are about to come.
#pragma once

#include <cstdint>

#include "weir/model/flow_control/mac_port.h"
#include "weir/model/link/wire.h"
#include "weir/model/memory/egress_buffer.h"
#include "weir/model/memory/ingress_buffer.h"
#include "weir/model/switch/frame_path.h"

namespace weir::model {

/// What each frame needs of its port, beside its MAC's transmitter.
struct port_path {
    wire_output* wire = nullptr;
    // Of the default egress buffer: this port's part.
    egress_buffer::port_state* egress_memory = nullptr;
    // Frames whose last bit has come, or will come, without an event, in the order of time.
    frame_slot first_arrived = no_slot;
    frame_slot last_arrived = no_slot;
    // Accepted and not charged yet. Unit: B.
    std::uint32_t incoming_bytes = 0;
    std::uint8_t number = 0;
    // Classes with room at egress, as the arbiter knows it.
    class_mask room = 0xFF;
    // Arrivals may be lost: the link is impaired, or there is a watchdog that drops.
    bool inspects_arrivals = false;
    // So each is an event; or lookups queue, or memory is charged later.
    bool arrivals_are_events = false;
};
static_assert(max_ports - 1 <= 0xFF, "ports are numbered by a byte");

// The path's part, the transmitter and the mask of paused classes are one cache line.
struct alignas(64) switch_port : port_path, mac_port {
    using mac_port::mac_port;

    /// Names the port in calls to the egress buffer.
    template <class Path>
    decltype(auto) at_egress() {
        if constexpr (Path::has_own_blocks) {
            return (*egress_memory);
        } else {
            return unsigned{number};
        }
    }
};

}  // namespace weir::model
