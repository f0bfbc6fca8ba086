// A switch's ingress side: from a frame's last bit, by lookup and port selection, to its VOQ or a shared
// memory.
#pragma once

#include <deque>
#include <vector>

#include "weir/base/rng.h"
#include "weir/model/switch/crossbar_stage.h"

namespace weir::model {

class ingress_stage : public frame_origin {
 public:
    explicit ingress_stage(const switch_core& core);

    /// The frame's first bit has left at the link's other end.
    template <class Path>
    void accept(const wire_arrival& arrival);
    /// An arrival that has an event.
    template <class Path>
    [[gnu::noinline]] void on_arrival(unsigned port, frame_slot slot);
    template <class Path>
    void on_lookup_done(unsigned port, frame_slot slot);
    /// A frame of the switch's own is looked up, and goes to its egress queue.
    void originate(const ethernet_frame& frame) override;
    [[gnu::noinline]] void on_own_lookup_done();
    /// The port's link is up, or cut: port selection learns of it.
    void note_link(unsigned port);
    /// Fetches the lines that each frame reads first.
    void prefetch_selection() const { prefetch_lines<2>(&m_selection_chance); }

 private:
    template <class Path>
    const port_bitmap& acceptable_ports(ipv4_address destination);
    [[gnu::noinline]] bool lost_on_arrival(unsigned port, frame_slot slot);
    bool is_taken_by_watchdog(unsigned port, frame_slot slot);
    [[gnu::noinline]] void drop_unroutable(unsigned selected, frame_slot slot);
    template <class Path>
    void enter_managed(frame_slot slot, stored_frame& stored);
    [[gnu::noinline]] unsigned place(const port_choice& choice, unsigned selected, frame_slot slot);
    bool is_kept(const frame_action& action, frame_slot slot, unsigned egress_port);

    switch_core& core();
    packet_memory& memory();
    crossbar_stage& crossbar();
    prefetcher& ahead();

    random_stream m_selection_chance;
    port_knowledge m_known{{}, &unlimited_room, m_selection_chance};
    // Frames of the switch's own whose lookup is under way, in order.
    std::deque<ethernet_frame> m_own_frames;
    std::vector<random_stream> m_error_chance;
};

}  // namespace weir::model
