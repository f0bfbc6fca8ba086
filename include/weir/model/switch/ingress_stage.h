// A switch's ingress side: from a frame's last bit, by lookup and port selection, to its VOQ or a shared
// memory.
#pragma once

#include <deque>
#include <vector>

#include "weir/base/rng.h"
#include "weir/model/switch/egress_stage.h"

namespace weir::model {

class ingress_stage : public egress_stage {
 protected:
    ingress_stage(sc_core::sc_module_name name, unsigned index, const simulation_clock& clock,
                  const std::vector<port_config>& ports, const switch_parameters& parameters);

    /// The frame's first bit has left at the link's other end.
    template <frame_path Path>
    void accept(const wire_arrival& arrival);
    /// An arrival that has an event.
    template <frame_path Path>
    [[gnu::noinline]] void on_arrival(unsigned port, frame_slot slot);
    template <frame_path Path>
    void on_lookup_done(unsigned port, frame_slot slot);
    /// The port's link is up, or cut: what is known of the ports follows.
    void note_link(unsigned port) {
        m_known.to_switches.assign(port, m_port_configs[port].to_switch && m_ports[port].up);
    }
    /// A frame of the switch's own is looked up, and goes to its egress queue.
    void originate(const ethernet_frame& frame);
    [[gnu::noinline]] void on_own_lookup_done();

    random_stream m_selection_chance;
    port_knowledge m_known{{}, &unlimited_room, m_selection_chance};

 private:
    template <frame_path Path>
    const port_bitmap& acceptable_ports(ipv4_address destination) const {
        if constexpr (Path != frame_path::general) {
            return m_lookup.own()->lookup_ports(to_uint(destination));
        } else {
            return m_lookup->lookup(destination);
        }
    }
    [[gnu::noinline]] bool lost_on_arrival(unsigned port, frame_slot slot);
    bool is_taken_by_watchdog(unsigned port, frame_slot slot);
    [[gnu::noinline]] void drop_unroutable(unsigned selected, frame_slot slot);
    template <frame_path Path>
    void enter_managed(frame_slot slot, stored_frame& stored);
    [[gnu::noinline]] unsigned place(const port_choice& choice, unsigned selected, frame_slot slot);

    // Frames of the switch's own whose lookup is under way, in order.
    std::deque<ethernet_frame> m_own_frames;
    std::vector<random_stream> m_error_chance;
};

}  // namespace weir::model
