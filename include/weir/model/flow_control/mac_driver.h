// Drives flow control at the MACs of one node, from a PFC frame that comes in to the end of its pause, and from
// a pause request to the frame that announces it. Switches and host NICs have the same one.
//
//     arrive ..T_R.. take_effect .. expire       the link partner pauses this node's transmitter
//     requests_changed .. send_due .. look       this node pauses its link partner, and repeats that
//
// Each `..` is an event of the node's agenda, which the driver asks its node for (`mac_services`). The default
// driver works with the port's own `pause_timers` and `pause_requests`; `bound_pfc` with a PFC block from
// outside.
#pragma once

#include <cstdint>

#include "weir/base/time.h"
#include "weir/model/config/pfc_config.h"
#include "weir/model/flow_control/mac_port.h"
#include "weir/protocol/frame.h"

namespace weir::model {

/// What the driver asks of the node whose MACs it drives.
class mac_services {
 public:
    virtual ~mac_services() = default;

    virtual picoseconds now() const = 0;
    virtual mac_port& mac(unsigned port) = 0;
    /// `mac_driver::expire` is to be called then.
    virtual void expire_at(unsigned port, picoseconds at) = 0;
    /// `mac_driver::look` is to be called then, with this reason.
    virtual void look_at(unsigned port, picoseconds at, std::uint32_t reason) = 0;
    /// What the link partner has paused at the port may be different now.
    virtual void pauses_changed(unsigned port) = 0;
    /// An XOFF that holds is about to be announced again.
    virtual void xoff_repeated(unsigned port) = 0;
    /// The port chooses a frame at the end of this instant, or when it has sent what it is sending.
    virtual void transmit_later(unsigned port) = 0;
    /// The transmitter is idle: this PFC or PAUSE frame goes out now.
    virtual void send_control(unsigned port, ethernet_frame& frame) = 0;
};

class mac_driver {
 public:
    /// Why a port is looked at again.
    enum reason : std::uint32_t {
        refresh,     ///< a pause that holds may have to be announced again
        first_frame  ///< a request may have become a frame
    };

    /// `device` outlives this.
    mac_driver(flow_control_mode mode, mac_services& device)
        : m_device(device), m_kind(mode == flow_control_mode::pause ? frame_kind::pause : frame_kind::pfc) {}
    virtual ~mac_driver() = default;
    mac_driver(const mac_driver&) = delete;
    mac_driver& operator=(const mac_driver&) = delete;

    // The link partner pauses this port.
    /// A PFC or PAUSE frame's last bit has come. Returns when its pauses hold.
    picoseconds arrive(unsigned port, const ethernet_frame& frame) {
        ++m_device.mac(port).stats.rx_control_frames;
        return time_of_effect(port, frame);
    }
    /// These pauses hold from now on. `kind`: `pfc` or `pause`.
    void take_effect(unsigned port, frame_kind kind, const pause_fields& fields);
    /// A pause may be over.
    void expire(unsigned port);

    // This port pauses its link partner.
    /// What the port asks for has changed: it is announced as soon as the transmitter is free.
    void requests_changed(unsigned port) {
        take_request(port, false);
        attend_later(port);
    }
    /// The transmitter is idle. True: a PFC or PAUSE frame was due, and is on the wire now.
    bool send_due(unsigned port);
    /// A look that `mac_services::look_at` was asked for.
    void look(unsigned port, std::uint32_t reason);

    /// The link changes; its wires have been told.
    void change_link(const link_change& change);

    /// Before its next data frame the port does what may keep it from sending one.
    void attend_later(unsigned port) {
        m_device.mac(port).sending.needs_attention = true;
        m_device.transmit_later(port);
    }

 protected:
    mac_services& device() { return m_device; }

 private:
    virtual picoseconds time_of_effect(unsigned port, const ethernet_frame&) {
        return m_device.now() + m_device.mac(port).response;
    }
    /// The port's timers have taken a frame's pauses.
    virtual void follow_frame(unsigned /*port*/) {}
    /// Ends pauses whose time is over. Returns their classes.
    virtual class_mask end_pauses(unsigned port) { return m_device.mac(port).timers.expire(m_device.now()); }
    /// `again`: what the port asks for is announced even where nothing changes.
    virtual void take_request(unsigned /*port*/, bool /*again*/) {}
    /// True: `fields` are those of a frame that starts now.
    virtual bool make_frame(unsigned port, pause_fields& fields);
    /// The frame is on the wire until the port's transmission ends.
    virtual void frame_sent(unsigned port);
    /// An event of `look_at`. True: the port has a frame to send.
    virtual bool is_due(unsigned port, std::uint32_t reason);
    /// After the port's own state has changed.
    virtual void link_changed(const link_change& /*change*/, bool /*comes_up*/) {}
    void schedule_expiry(unsigned port);

    mac_services& m_device;
    frame_kind m_kind;
};

}  // namespace weir::model
