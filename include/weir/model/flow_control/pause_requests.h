// The transmit side of PFC at one port: which classes the link partner shall stop, what the next PFC frame
// says, and when a pause has to be announced again.
//
// The ingress buffer asks for XOFF and XON per class; the port sends a frame as soon as its transmitter is
// free. One frame carries all that has changed by then: enable bits for every class that is paused, was
// paused by the last frame, or was asked to pause since; the configured time for the paused, 0 (XON) for the
// others. Requests made once a frame has been launched go into the next one. A still paused class is
// announced again `refresh` quanta after the last frame, and with it all paused classes.
//
//   pause_requests requests{config, 10_Gbps};
//   requests.request_xoff(1 << 3);
//   if (requests.pending() || now >= requests.refresh_due()) {
//       frame.pause = requests.launch(now);      // now: the frame's first bit
//   }
#pragma once

#include <array>
#include <cstdint>

#include "weir/base/config_error.h"
#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/protocol/frame.h"

namespace weir::model {

struct pause_config {
    /// `pfc` (per class) or `pause` (802.3x: the whole link, as long as any class asks for it).
    frame_kind kind = frame_kind::pfc;
    /// Time that an XOFF carries. Unit: 512 bit times. Range: 1-65,535. Default: the maximum, so that XON ends
    /// the pause (DeTail, section 6.1; cfg_tx_pfc_quanta of verilog-ethernet).
    pause_quanta quanta{65'535};
    /// A pause is announced again this long after the last frame. Unit: 512 bit times.
    /// Range: 1 to quanta - largest frame on the wire / 64 B, rounded up: the refresh may have to wait for one
    /// frame. Default: half of the maximum (cfg_tx_pfc_refresh's 0x7FFF in verilog-ethernet's tests).
    pause_quanta refresh{32'767};

    /// `max_frame_wire_bytes`: the longest frame that the refresh can have to wait for.
    config_errors validate(bytes max_frame_wire_bytes) const;
};

struct pause_request_stats {
    /// Frames that announced the class as paused, refreshes included, or as released. An 802.3x PAUSE counts
    /// for every class.
    std::array<std::uint32_t, pfc_classes> xoff_sent{};
    std::array<std::uint32_t, pfc_classes> xon_sent{};
    std::uint32_t frames_sent = 0;
    /// Frames of `frames_sent` that no change had asked for.
    std::uint32_t refreshes_sent = 0;
};

class pause_requests {
 public:
    pause_requests(const pause_config& config, bit_rate link);
    /// Another time and refresh for one class than `pause_config` gives all (RTL has them per class).
    void configure_class(pfc_class c, pause_quanta quanta, pause_quanta refresh);

    void request_xoff(class_mask classes);
    void request_xon(class_mask classes);

    /// Something has changed since the last frame: one has to be sent as soon as the transmitter is free. A
    /// pause asked for and withdrawn in between is announced too (enable bit, time 0), as RTL does.
    bool pending() const { return m_changed != 0; }
    /// The link partner has forgotten what it was told (the link was down), or may understand it as less (its
    /// rate has changed): every pause that holds is announced once more.
    void announce_again() { m_changed = static_cast<class_mask>(m_changed | m_wanted); }
    /// The link's rate has changed: quanta have another length from the next frame on.
    void set_rate(bit_rate link) { m_link = serializer{link}; }

    /// Classes that shall be paused; for 802.3x any bit stops the link.
    class_mask wanted() const { return m_wanted; }
    /// When the paused classes have to be announced again, `never` if none was paused by the last frame;
    /// at most `latest_time`.
    picoseconds refresh_due() const { return m_refresh_due; }

    /// Contents of the frame whose transmission starts at `now`; for 802.3x the time is `quanta[0]`.
    pause_fields launch(picoseconds now);

    /// A bound `pfc_if` has made the frame whose transmission starts now.
    void launched(const pause_fields& fields);

    const pause_request_stats& stats() const { return m_stats; }

 private:
    frame_kind m_kind;
    class_mask m_wanted = 0;
    /// Asked to change since the last frame; so a class that it paused is here or in `m_wanted`.
    class_mask m_changed = 0;
    picoseconds m_refresh_due = never;
    serializer m_link;
    std::array<std::uint16_t, pfc_classes> m_quanta;
    std::array<std::uint16_t, pfc_classes> m_refresh;
    pause_request_stats m_stats;
};

}  // namespace weir::model
