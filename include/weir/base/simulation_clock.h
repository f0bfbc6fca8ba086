// What all nodes of a fabric share: where the present quantum begins and ends. Written by the domain at
// barriers, read by nodes in between.
#pragma once

#include "weir/base/time.h"

namespace weir {

struct simulation_clock {
    /// Nodes have finished all events before this time, and run those before `end`. Half open.
    picoseconds begin{0};
    picoseconds end{0};
    /// Which of an inbox's two sides senders write to; receivers empty the other one.
    unsigned writing = 0;
};

}  // namespace weir
