// The receive side of PFC at one port, cycle by cycle, as a MAC's RTL has it: what `pause_timers` computes
// from times, plus the pipeline registers, the enable masks and the handshake with the transmitter.
//
// Per clock edge (L: the edge that samples the last beat of a good MAC control frame):
//   L + 1  the parsed frame is valid        L + 3  pause requests follow the timers
//   L + 2  statistics pulse, timers loaded  L + 3 + ceil(quanta * 512 / data width)  requests fall
// A class's timer counts only while the transmitter acknowledges the pause (`acknowledge`), that is, once
// its frame in transmission has ended. Enables hide a request one cycle later, and do not stop its timer; a
// frame that is parsed while PFC is switched off is ignored.
//
// The fast model calls `pause_timers` instead; this class is for comparing with RTL and for the fine level
// of detail. With every pause acknowledged at once and no change of enables, both give the same intervals,
// shifted by `pause_request_latency`.
//
//   pfc_receive_control control{64};
//   pfc_receive_inputs in;
//   in.frame = &decoded;            // last beat at this edge
//   control.clock(in);
//   control.outputs().request;      // what the next edge samples
#pragma once

#include <array>
#include <cstdint>

#include "weir/base/units.h"
#include "weir/protocol/pause_frame.h"

namespace weir {

/// Cycles from a frame's last beat to the parsed frame, the statistics pulse and the pause request. Source:
/// golden traces of verilog-ethernet's mac_ctrl_rx and mac_pause_ctrl_rx, test/golden/pfc/PROVENANCE.md.
inline constexpr cycles control_frame_latency{1};
inline constexpr cycles pause_statistics_latency{2};
inline constexpr cycles pause_request_latency{3};

/// What one rising clock edge samples.
struct pfc_receive_inputs {
    /// The last beat of this good PFC or PAUSE frame (FCS, destination and type checked); null: none.
    const pause_frame* frame = nullptr;
    /// Classes whose pauses the transmitter is told.
    class_mask class_enable = 0xFF;
    /// PFC on at all.
    bool pfc_enable = true;
    /// Classes that the transmitter has stopped; their timers count.
    class_mask acknowledge = 0xFF;
};

/// Registered outputs.
struct pfc_receive_outputs {
    /// One cycle for each MAC control frame, PAUSE frames included.
    bool control_frame = false;
    /// One cycle for each PFC frame taken, with its enabled classes of time above 0, and of time 0.
    bool pfc_frame = false;
    class_mask xoff = 0;
    class_mask xon = 0;
    /// Classes that the transmitter has to stop.
    class_mask request = 0;
};

class pfc_receive_control {
 public:
    /// Bits that the MAC takes per clock cycle. Unit: bit. Range: 2-512, even (a quantum is 512 bit times).
    explicit pfc_receive_control(unsigned data_width) : m_step(data_width * (1U << fraction_bits) / 512) {}

    /// One rising edge.
    void clock(const pfc_receive_inputs& in);
    const pfc_receive_outputs& outputs() const { return m_out; }

 private:
    /// Timers are 24-bit counters of 1/256 quantum.
    static constexpr unsigned fraction_bits = 8;

    std::uint32_t m_step;
    std::array<std::uint32_t, pfc_classes> m_timer{};
    pause_frame m_parsed;
    pfc_receive_outputs m_out;
};

}  // namespace weir
