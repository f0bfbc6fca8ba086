#include "weir/model/link/inbox.h"

#include <algorithm>
#include <utility>

namespace weir::model {

void inbox::set_lanes(unsigned lanes) {
    m_lanes = static_cast<std::uint16_t>(lanes);
    // An array of none would still be an allocation for each node, of which the leak sanitizer sees no owner.
    m_more = lanes > 1 ? std::make_unique<lane_sides[]>(lanes - 1) : nullptr;
}

void inbox::list::grow(std::uint32_t room_of_other_side) {
    // By a third: nodes are many, and their inboxes are of one size soon. Traffic changes little from one
    // quantum to the next, so that the other side's room will be needed at least.
    const std::uint32_t larger = std::max(room + room / 3 + 2, room_of_other_side);
    std::unique_ptr<wire_arrival[]> larger_frames(new wire_arrival[larger]);
    std::copy(frames.get(), frames.get() + count, larger_frames.get());
    frames = std::move(larger_frames);
    room = larger;
}

}  // namespace weir::model
