// The receive side of PFC at one port: which classes the link partner has stopped, and until when.
//
// A received frame REPLACES the timer of each class whose enable bit is set, be the new time longer or
// shorter; 0 is XON; other classes are untouched (802.3 Annex 31D; 802.1Qbb). A class is paused over the
// half-open interval [start, end): a frame of it may start exactly at `end`.
//
// When to call: the standard gives a port the response time T_R, counted from the last bit of the PFC frame,
// before it must stop starting frames. T_R is the caller's: `apply` is called when local time has reached
// last bit + T_R, for XOFF and XON alike, so a pause of q quanta lasts [last bit + T_R, last bit + T_R + q).
// A frame whose transmission has begun is never cut short; that is T_O and the transmitter's affair.
// Within one instant call `apply` before `expire`, and both before a frame is chosen: a refresh that takes
// effect at the old end then leaves no gap.
//
//   pause_timers timers;
//   timers.apply(frame.pause, now, link);                 // now = last bit + T_R
//   if ((timers.paused_mask() >> c & 1) == 0) { ... }     // on a frame's path: one byte
//   if (timers.next_expiry() <= now) { wake(timers.expire(now)); }
#pragma once

#include <array>
#include <cstdint>

#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/protocol/frame.h"

namespace weir::model {

/// What one port has received. Plain counters: 32 bits hold 4.29e9 frames, which take seven simulated seconds
/// of nothing but PFC frames at 400 Gb/s.
struct pause_timer_stats {
    /// Time in which the class was paused, up to the last `settle`, `apply` or `expire`. Unit: ps.
    std::array<picoseconds, pfc_classes> paused_time{};
    /// Enabled classes of received frames with a time above 0, refreshes included.
    std::array<std::uint32_t, pfc_classes> xoff_received{};
    /// Enabled classes with time 0, also of classes that were not paused.
    std::array<std::uint32_t, pfc_classes> xon_received{};
    /// Frames, whatever they enabled.
    std::uint32_t frames_received = 0;
};

class pause_timers {
 public:
    /// A PFC frame takes effect at `now` (last bit + T_R) on a link of `link`'s rate. `now` never goes back.
    /// Returns the classes that were paused until now and are no more (XON, or an end that was due).
    class_mask apply(const pause_fields& fields, picoseconds now, const serializer& link);
    class_mask apply(const pause_fields& fields, picoseconds now, bit_rate rate) {
        return apply(fields, now, serializer{rate});
    }
    /// An 802.3x PAUSE frame: `quanta[0]` for every class.
    class_mask apply_pause(const pause_fields& fields, picoseconds now, const serializer& link);
    class_mask apply_pause(const pause_fields& fields, picoseconds now, bit_rate rate) {
        return apply_pause(fields, now, serializer{rate});
    }

    /// Paused classes as of the last `apply` or `expire`; right as long as `expire` is called no later than
    /// at `next_expiry`.
    class_mask paused_mask() const { return m_paused; }
    /// Paused classes at `now`, at or after the last call, whether `expire` has been called or not.
    class_mask paused(picoseconds now) const;
    /// End of the class's pause, or 0 where it was never paused. Past ends stay readable.
    picoseconds pause_end(pfc_class c) const { return m_end[c]; }
    /// Earliest end of a pause, or `never`; `latest_time` for all that would be later (65,535 quanta are 33.6 s
    /// at 1 Mb/s).
    picoseconds next_expiry() const { return m_next_expiry; }
    /// Ends the pauses whose end is at or before `now`, and returns their classes.
    class_mask expire(picoseconds now);

    /// Ends the pauses of these classes by other means than a frame.
    void end_pauses(class_mask classes, picoseconds now);

    /// A bound `pfc_if` keeps the timers: these classes are paused from `now` on, until it is asked again at
    /// `next`, which becomes `next_expiry`. Returns the classes that were paused until now and no longer are.
    class_mask follow(class_mask paused, picoseconds next, picoseconds now);

    /// Adds paused time up to `now` to the statistics. Call at the end of a run or of a measurement.
    void settle(picoseconds now);
    const pause_timer_stats& stats() const { return m_stats; }

 private:
    void find_next_expiry();

    // First: each frame reads it (mac_port.h).
    class_mask m_paused = 0;
    picoseconds m_next_expiry = never;
    picoseconds m_settled{0};
    std::array<picoseconds, pfc_classes> m_end{};
    pause_timer_stats m_stats;
};
static_assert(sizeof(pause_timers) <= 256, "one per port of every switch");

}  // namespace weir::model
