// What a frame takes of its switch's packet memories and gives back, and what follows from it: XOFF and XON
// from ingress memory, room for the crossbar from egress memory.
#pragma once

#include <cstdint>

#include "weir/model/switch/switch_core.h"

namespace weir::model {

class packet_memory {
 public:
    // --- ingress memory

    /// Charges the frames that have arrived without an event by `until`, each at its own time.
    void charge_arrived(switch_port& p, picoseconds until) {
        if (p.first_arrived != no_slot) {
            charge_each_arrived(p, until);
        }
    }
    /// False: no memory; the frame is gone.
    [[gnu::noinline]] bool charge(switch_port& p, frame_slot slot);
    /// Frees the frame's ingress memory, which may end pauses.
    template <class Path>
    void leave_ingress(frame_slot slot, const stored_frame& stored);
    /// Does the same at a time that is not after now, where each arrival is an event.
    void release_ingress(const frame_route& route, picoseconds at);
    /// Bytes of the frames that are charged to ingress memory, by their own account.
    std::int64_t charged_bytes() const { return m_charged_bytes; }

    // --- egress memory

    /// The crossbar begins to move a frame to its egress port.
    template <class Path>
    void reserve(const frame_route& route);
    /// A frame whose last bit has left by `until` gives its memory back.
    template <class Path>
    void settle_sent(switch_port& p, picoseconds until) {
        const frame_slot slot = p.sending.take_done(until);
        if (slot != no_slot) {
            release_sent<Path>(p, slot, p.sending.end);
        }
    }
    /// The frame gives its place in its egress queue back.
    void leave_queue(frame_slot slot, picoseconds at);
    /// Egress memory has room for these classes now.
    void update_room(switch_port& p, std::uint32_t room) {
        if (room != p.room) {
            change_room(p, room);
        }
    }

    /// Statistics are about to be read at a time that nothing of `until` or later has touched.
    [[gnu::noinline]] void catch_up(picoseconds until);

 private:
    void charge_each_arrived(switch_port& p, picoseconds until);
    bool charge_and_release(frame_slot slot, switch_port& p, const stored_frame& stored);
    [[gnu::noinline]] void report_full_ingress(unsigned port, const frame_route& route);
    template <class Path>
    void release_sent(switch_port& p, frame_slot slot, picoseconds at);
    [[gnu::noinline]] void change_room(switch_port& p, std::uint32_t room);
    [[gnu::noinline]] void lose_room(switch_port& p);

    template <class Path>
    decltype(auto) at_ingress(const switch_port& p);
    switch_core& core();

    std::int64_t m_charged_bytes = 0;
};

}  // namespace weir::model
