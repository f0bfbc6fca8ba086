// Drives PFC that is somebody else's: RTL, or a user's own block. The ports' own timers and requests keep what
// is asked for, what holds, and the counters.
#pragma once

#include <cstdint>
#include <vector>

#include "weir/model/switch/switch_services.h"

namespace weir {

class bound_pfc {
 public:
    /// Why a port is looked at again.
    enum reason : std::uint32_t {
        refresh,     ///< a pause that holds may have to be repeated
        first_frame  ///< a request may have become a frame
    };

    /// Both outlive this.
    bound_pfc(pfc_if& pfc, switch_services& device)
        : m_pfc(pfc), m_device(device), m_look(device.ports(), never) {}

    /// A PFC or PAUSE frame's last bit has come. Returns when its pauses hold.
    picoseconds arrive(unsigned port, const ethernet_frame& frame) {
        return m_pfc.arrive(port, frame, m_device.now(), m_device.mac(port).response);
    }
    /// The port's timers get what holds now. Returns the classes that were paused until now.
    class_mask follow(unsigned port);
    /// What the port asks for has changed; `again`: or is announced once more.
    void request(unsigned port, bool again);
    /// The frame that the port has to send now. Null: none; the port is looked at when there may be one.
    const pause_fields* offer(unsigned port);
    /// That frame is on the wire until its port has sent it.
    void sent(unsigned port);
    /// After the port's own state has changed. True: its pauses may have changed.
    bool change_link(unsigned port, const link_change& change, bool comes_up);
    /// A look that was asked for. True: the port has a frame to send.
    bool look(unsigned port, reason why);

 private:
    /// One event a port is enough: it follows what PFC says when it comes.
    void look_later(unsigned port, reason why);

    pfc_if& m_pfc;
    switch_services& m_device;
    /// By port: the next event at which it is asked for a frame.
    std::vector<picoseconds> m_look;
};

}  // namespace weir
