// Spilling: a frame whose port is full takes the shortest path that holds least of those that have room, and
// waits for its own port where none has. Flows keep their path otherwise, so hardly a frame is out of order.
#pragma once

#include <memory>

#include "weir/model/overflow/overflow_action.h"

namespace outside {

class spill final : public weir::model::overflow_action {
 public:
    weir::model::frame_action resolve(const weir::model::port_choice& choice, unsigned full,
                                      weir::ethernet_frame&) override {
        const weir::model::egress_room& room = *choice.ports.room;
        unsigned least = full;
        choice.acceptable.for_each([&](unsigned port) {
            if (room.has_room(port) && (least == full || room.held(port) < room.held(least))) {
                least = port;
            }
        });
        return weir::model::frame_action::move_to(least);
    }
};

inline weir::model::overflow_kind add_spill() {
    return weir::model::overflow_kinds().add(
        {"spill",
         "it takes the emptiest of its shortest paths",
         {[](const weir::model::overflow_setup&) { return std::make_unique<spill>(); }, false, false}});
}

}  // namespace outside
