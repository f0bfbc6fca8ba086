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
    /// There is something to match. Returns when a slot is to be scheduled; `never`: one is already.
    picoseconds wake(picoseconds now) {
        if (m_is_planned) {
            return never;
        }
        m_is_planned = true;
        const std::int64_t past = now.count() % m_slot_time.count();
        const bool is_slot = past == 0 && m_last != now;
        return is_slot ? now : now + m_slot_time - picoseconds{past};
    }
    /// A slot is scheduled and has not begun.
    bool is_planned() const { return m_is_planned; }
    /// A slot is at `now`.
    void begin(picoseconds now) {
        m_is_planned = false;
        m_last = now;
    }
    /// If there is a slot at `now`, it is over: cells have moved in it that needed no run.
    void pass(picoseconds now) {
        if (now.count() % m_slot_time.count() == 0) {
            m_last = now;
        }
    }

 private:
    picoseconds m_slot_time;
    picoseconds m_last{-1};
    bool m_is_planned = false;
};

}  // namespace weir::model
