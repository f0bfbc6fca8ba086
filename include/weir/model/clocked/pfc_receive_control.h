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
#include <string>

#include "weir/base/config_error.h"
#include "weir/base/units.h"
#include "weir/model/clocked/delay_line.h"
#include "weir/protocol/pause_frame.h"

namespace weir::model {

/// Cycles from a frame's last beat to the parsed frame, the statistics pulse and the pause request. Source:
/// golden traces of verilog-ethernet's mac_ctrl_rx and mac_pause_ctrl_rx, test/golden/pfc/PROVENANCE.md.
inline constexpr cycles control_frame_latency{1};
inline constexpr cycles pause_statistics_latency{2};
inline constexpr cycles pause_request_latency{3};

/// Widest data path of the cycle-level MAC models. Unit: bit.
inline constexpr unsigned most_data_width = 1024;

/// Defaults: verilog-ethernet, see the constants above.
struct pfc_receive_config {
    /// Bits that the MAC takes per clock cycle. Unit: bit. Range: 2-1,024, even.
    unsigned data_width = 64;
    /// What the timers lose per cycle. Unit: 1/256 quantum. Range: 0-16,777,215; 0: data_width / 512 quantum,
    /// by which a quantum is 512 bit times.
    std::uint32_t quanta_step = 0;
    /// From a frame's last beat on, each at least one cycle after the one before.
    cycles parsed{control_frame_latency};
    cycles statistics{pause_statistics_latency};
    cycles request{pause_request_latency};
    /// Timers count only while the class's pause is acknowledged; false: always.
    bool acknowledged_timers = true;

    /// Keys are `section` + ".data_width" and so on.
    config_errors validate(const std::string& section) const;
};

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
    /// `config.validate()` must be empty.
    explicit pfc_receive_control(const pfc_receive_config& config);
    /// With the defaults for a data width.
    explicit pfc_receive_control(unsigned data_width) : pfc_receive_control(width_only(data_width)) {}

    /// One rising edge.
    void clock(const pfc_receive_inputs& in);
    const pfc_receive_outputs& outputs() const { return m_out; }

 private:
    /// Timers are 24-bit counters of 1/256 quantum.
    static constexpr unsigned fraction_bits = 8;

    /// A frame on its way through the pipeline.
    struct passing_frame {
        bool present = false;
        pause_frame frame;
    };

    static pfc_receive_config width_only(unsigned data_width) {
        pfc_receive_config config;
        config.data_width = data_width;
        return config;
    }

    std::uint32_t m_step;
    bool m_acknowledged_timers;
    std::array<std::uint32_t, pfc_classes> m_timer{};
    /// Stages beyond the RTL's one each: before a frame is parsed, before it loads the timers, and between
    /// timers and requests.
    delay_line<passing_frame> m_before_parsed;
    delay_line<passing_frame> m_before_timers;
    delay_line<class_mask> m_before_request;
    passing_frame m_parsed;
    pfc_receive_outputs m_out;
};

}  // namespace weir::model
