// A detour: a frame whose port is full goes to any port that leads to a switch and has room, a few times at
// most, instead of being dropped.
#pragma once

#include <memory>

#include "weir/model/overflow/overflow_action.h"

namespace outside {

class detour final : public weir::model::overflow_action {
 public:
    /// A frame that was sent off its way so often is dropped.
    static constexpr std::uint8_t most_detours = 16;

    unsigned resolve(const weir::model::port_choice& choice, unsigned /*full*/,
                     weir::ethernet_frame& frame) override {
        weir::port_bitmap candidates;
        choice.ports.to_switches.for_each([&](unsigned port) {
            if (choice.ports.room->has_room(port)) {
                candidates.set(port);
            }
        });
        const unsigned count = candidates.count();
        if (count == 0 || frame.detours == most_detours) {
            return weir::model::no_port;
        }
        ++frame.detours;
        frame.flags = static_cast<std::uint8_t>(frame.flags | weir::detoured);
        return candidates.nth(count > 1 ? choice.ports.chance.below(count) : 0);
    }
};

inline weir::model::overflow_kind add_detour() {
    return weir::model::overflow_kinds().add(
        {"detour", "it goes to any port that leads to a switch and has room",
         [](const weir::model::switch_config&) { return std::make_unique<detour>(); }});
}

}  // namespace outside
