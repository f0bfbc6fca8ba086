// A trace of frames through cell_switch.sv: when each has left. The RTL has a clock of its own; nothing of a
// model reaches it.
//
//   switch_trace_setting setting;
//   setting.ports = 16;
//   setting.clock = 1600_ps;                          // 2 B at 10 Gb/s
//   const switch_trace_result made = run_switch_rtl(setting, frames);
//   made.departures[0];                               // of frames[0]: its last bit has left
#pragma once

#include <cstdint>
#include <vector>

#include "tb/verify/rtl/switch_pins.h"
#include "weir/base/time.h"

namespace weir::tb {

struct traced_frame {
    /// When it has been looked up and enters its VOQ.
    picoseconds arrival{0};
    unsigned ingress_port = 0;
    unsigned egress_port = 0;
    pfc_class frame_class = 0;
    std::uint16_t frame_bytes = 64;
};

struct switch_trace_setting {
    /// Range: 1 to the largest of `switch_rtl_sizes`.
    unsigned ports = 0;
    switch_rtl_setting device;
    /// Period of the clock. Edges lie at its multiples.
    picoseconds clock{1600};
    /// Edges by which slots come after the multiples of a slot's time. Range: below `switch_rtl_slot`.
    unsigned phase = 0;
};

struct switch_trace_result {
    /// Of each frame, in their order: its last bit, the gap behind it included, has left. 0 where it has not.
    std::vector<picoseconds> departures;
    std::uint64_t cycles = 0;
    /// A queue of the RTL was too short, or no frame has left for so long that none will, and the trace was
    /// given up.
    bool gave_up = false;
};

/// Frames stand in the order of their arrivals; each is sampled by the first edge at or after its own, two of
/// one ingress port by two edges. Runs until the last has left.
switch_trace_result run_switch_rtl(const switch_trace_setting& setting,
                                   const std::vector<traced_frame>& frames);

}  // namespace weir::tb
