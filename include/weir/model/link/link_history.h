// What a link is, and will be, at each time of the run, as the configuration has it: how a receiver knows what
// the link was like when a frame's first bit left.
//
//   link_history link(port);              // rate, latency and error rates at the start
//   link.add(change);                     // in the order of time
//   link.at(sent).rate;                   // what the frame was sent at
//
// A change holds for frames whose first bit leaves at or after it; a frame under way keeps what it left with.
#pragma once

#include <vector>

#include "weir/model/link/port_config.h"

namespace weir::model {

class link_history {
 public:
    explicit link_history(const port_config& start) : m_periods{{picoseconds{0}, start}} {}

    /// Times ascend. At the same time, the later one wins.
    void add(const link_change& change);

    /// The link of a frame whose first bit leaves at `sent`; range: >= 0.
    const port_config& at(picoseconds sent) const;

    /// When the first bit of a frame that leaves at `from` or later can be here at the earliest: a shorter
    /// link that is still to come may be faster than the present one.
    picoseconds earliest_arrival(picoseconds from) const;
    /// When a frame left whose first bit is here at `first_bit`, not before `earliest_arrival(from)`, and that
    /// did not leave before `from`. The earliest such time, where there are several; the last that is early
    /// enough, where it took longer than the link (a sender may annotate more).
    picoseconds departure(picoseconds from, picoseconds first_bit) const;

 private:
    struct period {
        picoseconds from;
        port_config link;
    };
    std::vector<period>::const_iterator find(picoseconds sent) const;

    std::vector<period> m_periods;
};

}  // namespace weir::model
