#include "weir/model/clocked/control_frame_mux.h"

#include <algorithm>

namespace weir::model {

control_frame_mux_beat control_frame_mux::entering_beat(const control_frame_mux_inputs& in) const {
    if (m_sender == sender::control && in.control != nullptr) {
        const unsigned octets = std::min(m_lanes, control_octets - m_lanes * m_control_beats_sent);
        return {m_room, takes_last_control_beat(), true, octets, 0, *in.control};
    }
    const bool valid = in.data_valid && m_accepts_data;
    return {valid, in.data_last, false, in.data_octets, in.data_tag, {}};
}

void control_frame_mux::move(const control_frame_mux_beat& entering, bool ready) {
    if (m_room && (ready || !m_output.valid)) {
        m_output = entering;
    } else if (m_room) {
        m_spare = entering;
    } else if (ready) {
        m_output = m_spare;
        m_spare.valid = false;
    }
}

void control_frame_mux::clock(const control_frame_mux_inputs& in) {
    const control_frame_mux_beat entering = entering_beat(in);
    const bool ends = entering.valid && entering.last;
    const bool room = in.ready || (!m_spare.valid && (!m_output.valid || !entering.valid));
    const bool waiting = in.control != nullptr;

    if (m_sender == sender::control) {
        m_accepts_data = ends && room;
        m_control_beats_sent += entering.valid ? 1 : 0;
        m_sender = ends ? sender::none : sender::control;
    } else if (waiting && (m_sender == sender::none ? !entering.valid : ends)) {
        m_accepts_data = false;
        m_control_beats_sent = 0;
        m_sender = sender::control;
    } else {
        // After a data frame of a single beat the control frame's turn comes a cycle later.
        m_accepts_data = room && !(waiting && m_sender == sender::none && ends);
        if (entering.valid) {
            m_sender = ends ? sender::none : sender::data;
        }
    }
    move(entering, in.ready);
    m_room = room;
}

}  // namespace weir::model
