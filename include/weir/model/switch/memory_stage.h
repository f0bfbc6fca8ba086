// What a frame takes of its switch's packet memories and gives back, and what follows from it: XOFF and XON
// from ingress memory, room for the crossbar from egress memory.
#pragma once

#include <cstdint>

#include "weir/model/switch/fetch_stage.h"

namespace weir::model {

class memory_stage : public fetch_stage {
 protected:
    using fetch_stage::fetch_stage;

    // --- ingress memory

    /// The frames that have arrived without an event by `until` are charged, each at its own time.
    void charge_arrived(switch_port& p, picoseconds until) {
        if (p.first_arrived != no_slot) {
            charge_each_arrived(p, until);
        }
    }
    /// False: no memory; the frame is gone.
    [[gnu::noinline]] bool charge(switch_port& p, frame_slot slot);
    /// Ingress memory is free again, and pauses may end.
    template <frame_path Path>
    void leave_ingress(frame_slot slot, const stored_frame& stored);
    /// The same where each arrival is an event.
    void release_ingress(const frame_route& route, picoseconds at);

    /// What a call to the ingress buffer names the port by.
    template <frame_path Path>
    decltype(auto) at_ingress(const switch_port& p) {
        if constexpr (Path != frame_path::general) {
            return (m_ingress.own()->at(p.number));
        } else {
            return unsigned{p.number};
        }
    }

    // --- egress memory

    /// The crossbar begins to move a frame to its egress port.
    template <frame_path Path>
    void reserve(const frame_route& route);
    /// A frame whose last bit has left by `until` gives its memory back.
    template <frame_path Path>
    void settle_sent(switch_port& p, picoseconds until) {
        const frame_slot slot = p.sending.take_done(until);
        if (slot != no_slot) {
            release_sent<Path>(p, slot, p.sending.end);
        }
    }
    void leave_queue(frame_slot slot, picoseconds at);
    /// Egress memory has room for these classes now.
    void update_room(switch_port& p, std::uint32_t room) {
        if (room != p.room) {
            change_room(p, room);
        }
    }

    /// Statistics are about to be read at a time that nothing of `until` or later has touched.
    [[gnu::noinline]] void catch_up(picoseconds until);

    // What the frames that were charged to ingress memory have, by their own account.
    std::int64_t m_charged_bytes = 0;

 private:
    void charge_each_arrived(switch_port& p, picoseconds until);
    bool charge_and_release(frame_slot slot, switch_port& p, const stored_frame& stored);
    [[gnu::noinline]] void report_full_ingress(unsigned port, const frame_route& route);
    template <frame_path Path>
    void release_sent(switch_port& p, frame_slot slot, picoseconds at);
    [[gnu::noinline]] void change_room(switch_port& p, std::uint32_t room);
    [[gnu::noinline]] void lose_room(switch_port& p);
};

}  // namespace weir::model
