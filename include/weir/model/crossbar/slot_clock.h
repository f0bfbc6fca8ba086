// When a crossbar that moves cells has its next slot. Slots lie at whole multiples of the slot time, so that
// all ports of a switch share them; a slot in which nothing can be matched is left out.
#pragma once

#include <cstdint>

#include "weir/base/time.h"

namespace weir::model {

class slot_clock {
 public:
    explicit slot_clock(picoseconds slot_time) : m_slot_time(slot_time) {}

    picoseconds slot_time() const { return m_slot_time; }
    /// Of the slot that was scheduled last: an event of an earlier number has lost its place.
    std::uint32_t number() const { return m_number; }
    picoseconds last() const { return m_last; }
    /// All slots up to the next one have the last one's matches.
    bool repeats() const { return m_repeats; }

    /// There is something new to match. Returns when a slot is to be scheduled; `never`: one is already.
    picoseconds wake(picoseconds now) {
        if (m_next != never && !m_repeats) {
            return never;
        }
        const std::int64_t past = now.count() % m_slot_time.count();
        const bool is_slot = past == 0 && m_last != now;
        const picoseconds next = is_slot ? now : now + m_slot_time - picoseconds{past};
        if (next >= m_next) {
            return never;
        }
        plan(next);
        return next;
    }
    /// The next slot is at `next`. One that was planned before has lost its place.
    void plan(picoseconds next) {
        m_next = next;
        ++m_number;
    }
    /// The next slot follows without an event. One that was planned meanwhile has lost its place.
    void skip_event() { ++m_number; }
    /// A slot is at `now`.
    void begin(picoseconds now) {
        m_next = never;
        m_last = now;
    }
    void repeat() { m_repeats = true; }
    /// Returns how many slots there have been since the last one, `now` and the last one excluded, all with its
    /// matches.
    std::int64_t take_repeated(picoseconds now) {
        m_repeats = false;
        return (now - m_last) / m_slot_time - 1;
    }
    /// Of those, how many there have been before `now`.
    std::int64_t repeated_before(picoseconds now) const {
        return m_repeats && now > m_last ? (now - picoseconds{1} - m_last) / m_slot_time : 0;
    }

 private:
    picoseconds m_slot_time;
    picoseconds m_last{-1};
    // `never`: nothing to match. The agenda may still have slots of earlier numbers.
    picoseconds m_next = never;
    std::uint32_t m_number = 0;
    bool m_repeats = false;
};

}  // namespace weir::model
