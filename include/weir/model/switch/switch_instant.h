// A switch's time: its agenda, the present instant, and what is left to do when all events of the instant have
// happened.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "weir/base/agenda.h"
#include "weir/model/crossbar/slot_clock.h"
#include "weir/model/frame/frame_slab.h"
#include "weir/model/switch/switch_port.h"
#include "weir/model/switch/switch_stages.h"

namespace weir::model {

struct switch_instant {
    switch_instant(std::size_t ports, picoseconds slot_time)
        // A port that has been served can come once more: a cut link's frames release others in a shared
        // memory.
        : transmit_pending(std::make_unique<std::uint16_t[]>(2 * ports)), slots(slot_time) {}

    /// Nothing else happens in this instant, and nothing waits for its end.
    bool is_last_event() const { return events.next_key() > last_key && !is_unfinished; }
    /// The arbiter runs at the end of this instant.
    void arbitrate_later() {
        arbitration_pending = true;
        is_unfinished = true;
    }
    /// `cell` mode: there is something to match.
    void wake_slot() {
        const picoseconds at = slots.wake(now);
        if (at != never) {
            events.schedule(at, switch_stages::slot, 0, 0);
        }
    }
    /// The end of the port's transmission gets an event.
    void await_end(switch_port& p) {
        if (!p.sending.end_scheduled) {
            p.sending.end_scheduled = true;
            events.schedule(p.sending.end, switch_stages::transmit_done, p.number, 0);
        }
    }
    /// The port chooses a frame at the end of this instant, or when it has sent what it is sending.
    void transmit_later(switch_port& p) {
        if (p.sending.busy(now)) {
            await_end(p);
        } else if (!p.sending.pending) {
            p.sending.pending = true;
            is_unfinished = true;
            transmit_pending[transmit_count++] = static_cast<std::uint16_t>(p.number);
        }
    }

    agenda<switch_stages> events;
    picoseconds now{0};
    /// The largest key that an event of this instant can have.
    event_key last_key = 0;
    /// Arrivals that have been taken reach to here: the quantum's end, unless it is long (node::take_window).
    picoseconds run_end{0};
    /// One of the next four has something to do at the instant's end.
    bool is_unfinished = false;
    bool arbitration_pending = false;
    /// Number of ports that are marked pending: each picks a frame at the end of this instant.
    std::uint16_t transmit_count = 0;
    std::unique_ptr<std::uint16_t[]> transmit_pending;
    /// A frame that alone wants to cross, from its lookup to the end of the instant; or `no_slot`.
    frame_slot lone = no_slot;
    /// When the crossbar has its next slot (`cell` mode).
    slot_clock slots;
};

}  // namespace weir::model
