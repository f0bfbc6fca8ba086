// The transmit side of PFC at one port, cycle by cycle, as a MAC's RTL has it: what `pause_requests` computes
// from times, plus the pipeline registers and the handshake with the frame's serialisation
// (control_frame_mux.h).
//
// Per clock edge, on an idle link (R: the edge that samples a changed request):
//   R + 1  the classes held as paused follow         R + 4  first beat of the PFC frame leaves the mux
//   R + 2  the frame is launched: statistics pulse
// One frame names every class that is paused, was paused by the last frame, or was asked for since; a released
// one gets time 0. While a launched frame has not been taken, requests wait and merge. A class that stays
// paused for its refresh time + 1 cycle makes all paused classes be announced again, and reloads all refresh
// counters. Switched off, PFC holds what it was told last.
//
// The fast model calls `pause_requests` instead; this class is for comparing with RTL and for the fine level
// of detail.
//
//   pfc_transmit_control control(config);
//   pfc_transmit_inputs in;
//   in.request = 0x08;              // class 3 shall stop
//   control.clock(in);
//   if (control.outputs().waiting) { mux.control = &control.frame(); }
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "weir/base/config_error.h"
#include "weir/base/units.h"
#include "weir/model/clocked/delay_line.h"
#include "weir/protocol/frame.h"

namespace weir::model {

/// Cycles from a changed request to the launch (the statistics pulse) and to the frame's first beat, and by how
/// much a refresh comes after its time. Source: golden traces of verilog-ethernet's mac_pause_ctrl_tx and
/// mac_ctrl_tx, test/golden/pfc/PROVENANCE.md.
inline constexpr cycles pause_launch_latency{2};
inline constexpr cycles pause_first_beat_latency{4};
inline constexpr cycles pause_refresh_extra{1};

/// What a frame says of a class whose request changes in the very cycle of the launch.
enum class launch_edge : std::uint8_t {
    /// As verilog-ethernet (tx_known_rtl_defects.csv): times are those after the change, enable bits and
    /// statistics those before it, and the enable bit of a class that is paused anew is lost, in this frame and
    /// in the one sent right after it. A receiver ignores the class until the next refresh or change sets the
    /// bit.
    lost,
    /// Statistics say what the frame says, a class that is not enabled has time 0, and the enable bit comes
    /// with the frame sent right after this one.
    kept
};

/// Defaults: verilog-ethernet, see the constants above.
struct pfc_transmit_config {
    /// Bits that the MAC sends per clock cycle. Unit: bit. Range: 2-1,024, even.
    unsigned data_width = 64;
    /// What refresh counters lose per cycle. Unit: 1/256 quantum. Range: 0-16,777,215; 0: data_width / 512
    /// quantum, by which a quantum is 512 bit times.
    std::uint32_t quanta_step = 0;
    /// Time that a pause carries, and after which it is announced again, per class. Unit: 512 bit times.
    std::array<std::uint16_t, pfc_classes> quanta{65'535, 65'535, 65'535, 65'535,
                                                  65'535, 65'535, 65'535, 65'535};
    std::array<std::uint16_t, pfc_classes> refresh{32'767, 32'767, 32'767, 32'767,
                                                   32'767, 32'767, 32'767, 32'767};
    /// From a changed request. Range: at least 2 for the launch, 2 more for the first beat.
    cycles launch{pause_launch_latency};
    cycles first_beat{pause_first_beat_latency};
    /// Range: at least 1.
    cycles refresh_extra{pause_refresh_extra};
    launch_edge edge = launch_edge::lost;

    /// Keys are `section` + ".data_width" and so on.
    config_errors validate(const std::string& section) const;
};

/// What one rising clock edge samples.
struct pfc_transmit_inputs {
    /// Classes that the link partner shall stop.
    class_mask request = 0;
    /// Announce what holds once more.
    bool resend = false;
    /// PFC on at all.
    bool pfc_enable = true;
    /// The last beat of the waiting frame is taken at this edge.
    bool taken = false;
};

/// Registered outputs.
struct pfc_transmit_outputs {
    /// One cycle for each frame launched, with the classes that it announces as paused and as released.
    bool pfc_frame = false;
    class_mask xoff = 0;
    class_mask xon = 0;
    /// Classes held as paused.
    class_mask paused = 0;
    /// A launched frame wants to be sent.
    bool waiting = false;
};

class pfc_transmit_control {
 public:
    /// `config.validate()` must be empty.
    explicit pfc_transmit_control(const pfc_transmit_config& config);

    /// One rising edge.
    void clock(const pfc_transmit_inputs& in);
    const pfc_transmit_outputs& outputs() const { return m_out; }
    /// What the frame launched last says; holds while it waits.
    const pause_fields& frame() const { return m_frame; }

 private:
    /// Refresh counters count 1/256 quantum.
    static constexpr unsigned fraction_bits = 8;

    struct request_line {
        class_mask request = 0;
        bool resend = false;
    };

    bool count_refresh();
    void launch(class_mask known, class_mask now);

    pfc_transmit_config m_config;
    std::uint32_t m_step;
    /// Stages beyond the RTL's one each: before the request is looked at, and from launch to first beat.
    delay_line<request_line> m_before_request;
    std::int64_t m_hold = 0;

    std::array<std::uint32_t, pfc_classes> m_refresh{};
    class_mask m_paused = 0;
    /// What the next frame has to name.
    class_mask m_named = 0;
    bool m_due = false;
    bool m_launched = false;
    pause_fields m_frame;
    pfc_transmit_outputs m_out;
};

}  // namespace weir::model
