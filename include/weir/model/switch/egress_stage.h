// A switch's egress side: a frame comes to egress memory, is chosen among the classes that are not paused, and
// leaves on the wire.
#pragma once

#include <cstdint>

#include "weir/model/switch/crossbar_stage.h"

namespace weir::model {

class egress_stage {
 public:
    /// The frame has crossed: it comes to its egress queue, or is lost.
    template <class Path>
    void on_crossed(frame_slot slot);
    /// The port picks a frame, if it is idle and has one that may be sent.
    template <class Path>
    void transmit(switch_port& p);
    template <class Path>
    void on_transmit_done(unsigned port);

    /// Without a crossbar: the frame comes to its egress queue, perhaps after others have given way. False: it
    /// has been dropped.
    bool admit(frame_slot slot);
    /// Appends the frame to its egress queue, for which room was reserved.
    void enqueue(frame_slot slot);
    /// A frame of the newcomer's egress queue gives way to it, and is dropped. False: none does.
    [[gnu::noinline]] bool evict_for(frame_slot newcomer);

 private:
    [[gnu::noinline]] bool is_offered(frame_slot slot, stored_frame& stored);
    void reserve_again(switch_port& p, const frame_route& route, std::uint32_t more_bytes);
    [[gnu::noinline]] bool admit_after_eviction(frame_slot slot);
    class_mask release_queued(switch_port& p, frame_slot slot);
    void enter_again(frame_slot slot);
    /// All that waits in these classes is lost.
    [[gnu::noinline]] void drop_backlog(switch_port& p, class_mask classes, drop_reason reason);
    bool pass_through(switch_port& p, frame_slot slot, const stored_frame& stored);
    template <class Path>
    void send_data(switch_port& p, pfc_class c, std::uint32_t wire_bytes);
    void begin_transmission(switch_port& p, pfc_class c, frame_slot slot, stored_frame& stored);
    [[gnu::noinline]] bool attend_to(switch_port& p);
    [[gnu::noinline]] bool send_read(switch_port& p, class_mask eligible);
    [[gnu::noinline]] int select_by_length(switch_port& p, class_mask eligible, std::uint32_t& wire_bytes);

    switch_core& core();
    packet_memory& memory();
    crossbar_stage& crossbar();
    const prefetcher& ahead();
};

}  // namespace weir::model
