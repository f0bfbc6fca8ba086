// A 10 Gb/s Ethernet MAC with PFC, cycle by cycle, as RTL has it: pfc_transmit_control, control_frame_mux and
// xgmii_transmitter in a row, and back from XGMII through the receiver to pfc_receive_control.
//
//     request --> pfc_transmit_control --+
//                                        v
//     data -----------------> control_frame_mux --> xgmii_transmitter --> XGMII
//                                   pfc_receive_control <-- receiver <-- XGMII
//
// Frames on XGMII are times and lanes (xgmii_frame), not words; the owner of the wire hands a frame to the
// receiving MAC before its /T/ is there. The receiver passes words on a fixed number of cycles later, without
// preamble and FCS; a frame that began in lane 4 is first moved to lane 0, for which a word needs the next one.
//
//   mac_10g mac(config);
//   mac_10g_inputs in;
//   in.request = 0x08;
//   mac.clock(in);
//   if (mac.sent() != nullptr) { mac.receive(*mac.sent()); }        // a loop without delay
#pragma once

#include <cstdint>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/model/clocked/control_frame_mux.h"
#include "weir/model/clocked/pfc_receive_control.h"
#include "weir/model/clocked/pfc_transmit_control.h"
#include "weir/model/clocked/xgmii_transmitter.h"

namespace weir::model {

/// Cycles from a word on XGMII to the same word out of the receiver. Source: golden traces of
/// verilog-ethernet's eth_mac_10g for 32 bits, its axis_xgmii_rx_64 for 64 (test/golden/pfc/PROVENANCE.md).
constexpr cycles xgmii_receive_latency(unsigned data_width) {
    return cycles{data_width == 32 ? 4 : 3};
}

/// Defaults: verilog-ethernet. The data width of all parts is that of `wire`.
struct mac_10g_config {
    xgmii_config wire;
    pfc_transmit_config transmit;
    pfc_receive_config receive;
    /// From a word on XGMII to the same word out of the receiver. Range: 0-1,000,000; 0: as
    /// `xgmii_receive_latency` says.
    cycles receive_latency{0};

    /// Keys are `section` + ".wire.data_width" and so on.
    config_errors validate(const std::string& section) const;
};

/// What one rising clock edge samples.
struct mac_10g_inputs {
    /// Classes that the link partner shall stop.
    class_mask request = 0;
    bool resend = false;
    bool pfc_enable = true;
    /// A beat of a data frame is offered, until accepted; frames without gaps from their first beat on.
    bool data_valid = false;
    bool data_last = false;
    /// Of this beat: as many as the word has, or fewer if it is the last.
    unsigned data_octets = 0;
    /// Names the frame, whose length without FCS is at least 14 octets.
    std::uint32_t data_tag = 0;
    /// Classes whose pauses this MAC's user obeys at once.
    class_mask acknowledge = 0xFF;
};

/// A frame on XGMII and what it is.
struct mac_10g_frame {
    xgmii_frame place;
    /// A PFC frame that says `fields`; else the data frame with `tag`.
    bool control = false;
    std::uint32_t tag = 0;
    pause_fields fields;
};

class mac_10g {
 public:
    /// `config.validate()` must be empty. `first_cycle`: number of the first edge.
    explicit mac_10g(const mac_10g_config& config, std::int64_t first_cycle = 0);

    /// One rising edge.
    void clock(const mac_10g_inputs& in);
    /// Number of the next edge.
    std::int64_t cycle() const { return m_cycle; }

    /// Whether the next edge takes an offered beat of data.
    bool accepts_data() const { return m_mux.accepts_data(); }
    /// The frame whose last beat the last edge took; null: none.
    const mac_10g_frame* sent() const { return m_has_sent ? &m_sent : nullptr; }

    /// A frame that this MAC sees on the wire; call before the edge that samples its /T/, in the
    /// order of the frames. PFC frames with the right FCS and data frames.
    void receive(const mac_10g_frame& frame);
    /// The last beat of a received frame is handed to the user, and whether that frame was a control frame,
    /// which is marked so that the user drops it.
    bool received_last_beat() const { return m_received; }
    bool received_control() const { return m_received_control; }
    const pfc_receive_outputs& receive_outputs() const { return m_receive.outputs(); }

 private:
    /// A frame between the wire and the parser of control frames.
    struct arrival {
        std::int64_t last_beat;
        mac_10g_frame frame;
    };

    void transmit(const mac_10g_inputs& in);
    void take_arrival(const mac_10g_inputs& in);
    std::int64_t last_beat_cycle(const xgmii_frame& place) const;

    unsigned m_lanes;
    std::int64_t m_receive_latency;
    std::int64_t m_cycle;

    pfc_transmit_control m_transmit;
    control_frame_mux m_mux;
    xgmii_transmitter m_wire;
    bool m_has_sent = false;
    mac_10g_frame m_sent;

    pfc_receive_control m_receive;
    std::vector<arrival> m_arrivals;
    bool m_received = false;
    bool m_received_control = false;
};

}  // namespace weir::model
