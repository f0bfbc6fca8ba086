// Drives a PFC block that is bound from outside: RTL, or a user's own module. The ports' own timers and
// requests keep what is asked for, what holds, and the counters.
#pragma once

#include <cstdint>
#include <vector>

#include "weir/model/flow_control/mac_driver.h"
#include "weir/model/switch/block_interfaces.h"

namespace weir::model {

class bound_pfc final : public mac_driver {
 public:
    /// Both outlive this.
    bound_pfc(flow_control_mode mode, pfc_if& pfc, unsigned ports, mac_services& device)
        : mac_driver(mode, device), m_pfc(pfc), m_look(ports, never) {}

 private:
    picoseconds time_of_effect(unsigned port, const ethernet_frame& frame) override;
    void follow_frame(unsigned port) override { end_pauses(port); }
    class_mask end_pauses(unsigned port) override;
    void take_request(unsigned port, bool again) override;
    bool make_frame(unsigned port, pause_fields& fields) override;
    void frame_sent(unsigned port) override;
    bool is_due(unsigned port, std::uint32_t reason) override;
    void link_changed(const link_change& change, bool comes_up) override;
    /// One event a port is enough: it follows what PFC says when it comes.
    void look_later(unsigned port, reason why);

    pfc_if& m_pfc;
    /// By port: the next event at which it is asked for a frame.
    std::vector<picoseconds> m_look;
};

}  // namespace weir::model
