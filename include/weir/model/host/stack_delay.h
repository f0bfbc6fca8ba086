// One direction of a host's network stack where its delays are drawn (cross-layer study 2012, figures 4 and 5):
// a FIFO. A frame that would overtake the one ahead of it comes out right behind it.
//
//   stack_delay in({24us, delay_shape::exponential, 0.5}, {seed, host, random_purpose::stack_in});
//   const picoseconds at = in.way_out(5us);
#pragma once

#include <algorithm>

#include "weir/base/delay_distribution.h"

namespace weir::model {

class stack_delay {
 public:
    stack_delay(const delay_distribution& delays, const random_stream& chance)
        : m_delays(delays), m_chance(chance) {}

    /// When a frame that goes in at `now` comes out: at the earliest 1 ps later, and 1 ps after the one ahead
    /// of it, so that no two are out in one instant.
    picoseconds way_out(picoseconds now) {
        const picoseconds drawn = now + m_delays.draw(m_chance);
        m_last = std::min(std::max(drawn, std::max(now, m_last) + 1_ps), latest_time);
        return m_last;
    }

 private:
    delay_distribution m_delays;
    random_stream m_chance;
    picoseconds m_last{-1};
};

}  // namespace weir::model
