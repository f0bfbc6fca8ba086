#include "weir/model/memory/queue_order.h"

namespace weir::model {

/// Frames that are of no transfer (notifications) go first.
static std::uint32_t rank_of(const ethernet_frame& frame) {
    return frame.is_of_transfer() ? frame.transfer.rank() : 0;
}

static bool is_of_same_flow(const ethernet_frame& a, const ethernet_frame& b) {
    return a.flow() == b.flow() && a.src == b.src && a.dst == b.dst && a.kind == b.kind;
}

frame_slot rank_order::next(const frame_slab& slab, const frame_queue& queue) const {
    frame_slot lowest = queue.head();
    for (frame_slot slot = lowest; slot != no_slot; slot = slab.route(slot).next) {
        lowest = rank_of(slab.frame(slot)) < rank_of(slab.frame(lowest)) ? slot : lowest;
    }
    frame_slot first = queue.head();
    while (!is_of_same_flow(slab.frame(first), slab.frame(lowest))) {
        first = slab.route(first).next;
    }
    return first;
}

frame_slot rank_order::victim(const frame_slab& slab, const frame_queue& queue, frame_slot newcomer) const {
    frame_slot highest = newcomer;
    bool is_queued = false;
    for (frame_slot slot = queue.head(); slot != no_slot; slot = slab.route(slot).next) {
        const std::uint32_t rank = rank_of(slab.frame(slot));
        const std::uint32_t most = rank_of(slab.frame(highest));
        // Of equals the newcomer is the latest.
        if (rank > most || (is_queued && rank == most)) {
            highest = slot;
            is_queued = true;
        }
    }
    return highest;
}

}  // namespace weir::model
