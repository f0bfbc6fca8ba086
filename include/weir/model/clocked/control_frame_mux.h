// Where MAC control frames join the frames of a port's transmitter, beat by beat, as a MAC's RTL has it: a
// control frame waits for the end of the data frame in transmission and then goes before the next one.
//
// In front of the output stands a register with a second one beside it, so that "ready" need not ripple through
// within a cycle: the sender is told one cycle ahead that there is room. On an idle link a control frame's
// first beat is at the output two edges after it waits; a data frame's one edge after it was accepted. What
// this makes of the spacing of frames: docs/blocks/pfc_transmit_control.md.
//
//   control_frame_mux mux(64);
//   control_frame_mux_inputs in;
//   in.data_valid = source.valid();
//   in.data_last = source.last();
//   in.control = control.outputs().waiting ? &control.frame() : nullptr;
//   const bool accepted = in.data_valid && mux.accepts_data();
//   mux.clock(in);
//   if (accepted) { source.take(); }
#pragma once

#include <cstdint>

#include "weir/protocol/pause_frame.h"

namespace weir::model {

/// Beats of a frame. Units: octet, bit. `data_width` is a multiple of 8.
constexpr unsigned frame_beats(unsigned octets, unsigned data_width) {
    const unsigned lanes = data_width / 8;
    return (octets + lanes - 1) / lanes;
}

/// What one rising clock edge samples.
struct control_frame_mux_inputs {
    /// A PFC frame that wants to be sent, until `takes_last_control_beat`; null: none.
    const pause_fields* control = nullptr;
    /// A beat of a data frame is offered, until accepted.
    bool data_valid = false;
    bool data_last = false;
    /// These go with the beat; the mux does not look at them: how many octets it has, and a name.
    unsigned data_octets = 0;
    std::uint32_t data_tag = 0;
    /// The sink takes the beat at the output.
    bool ready = true;
};

/// One beat at the output.
struct control_frame_mux_beat {
    bool valid = false;
    bool last = false;
    /// Of a control frame, which says `fields`; else of the data frame with `tag`.
    bool control = false;
    unsigned octets = 0;
    std::uint32_t tag = 0;
    pause_fields fields;
};

class control_frame_mux {
 public:
    /// Unit: bit. Range: at least 8, whole octets.
    explicit control_frame_mux(unsigned data_width)
        : m_lanes(data_width / 8), m_control_beats(frame_beats(control_octets, data_width)) {}

    /// One rising edge.
    void clock(const control_frame_mux_inputs& in);

    /// Whether the next edge takes an offered beat of data.
    bool accepts_data() const { return m_accepts_data; }
    /// Whether the next edge takes the last beat of the waiting control frame.
    bool takes_last_control_beat() const {
        return m_sender == sender::control && m_room && m_control_beats_sent + 1 == m_control_beats;
    }
    /// What the sink sees at the next edge.
    const control_frame_mux_beat& output() const { return m_output; }

 private:
    static constexpr auto control_octets = static_cast<unsigned>(pause_frame_octets);

    enum class sender : std::uint8_t { none, data, control };

    control_frame_mux_beat entering_beat(const control_frame_mux_inputs& in) const;
    void move(const control_frame_mux_beat& entering, bool ready);

    unsigned m_lanes;
    unsigned m_control_beats;
    unsigned m_control_beats_sent = 0;
    sender m_sender = sender::none;
    bool m_accepts_data = false;
    /// The output stage has promised to take a beat.
    bool m_room = false;
    control_frame_mux_beat m_output;
    /// Beside the output: the beat that came when the sink had stopped.
    control_frame_mux_beat m_spare;
};

}  // namespace weir::model
