#include "weir/model/deadlock/shared_waits.h"

#include <algorithm>
#include "weir/model/memory/shared_buffer.h"

namespace weir::model {

// What stays in each memory if these queues never send: the cells of their frames, by slice and group.
void shared_waits::suppose(const std::vector<paused_queue>& stuck) {
    m_held.clear();
    for (const paused_queue& q : stuck) {
        const switch_node* const device = m_switches[q.queue.device].get();
        const shared_buffer* const memory = device != nullptr ? device->shared_memory() : nullptr;
        if (memory == nullptr) {
            continue;
        }
        std::vector<std::uint32_t>& held = m_held[q.queue.device];
        held.resize(memory->places(), 0);
        for (const stored_cells& s : q.stored) {
            held[s.place] += s.cells;
        }
    }
}

// The group that would still have to wait if all other cells had left. Under 802.3x any group of the port stops
// the whole link.
std::optional<shared_waits::group_hold> shared_waits::group_that_keeps(const paused_queue& q) const {
    const auto held = m_held.find(q.by_device);
    if (held == m_held.end()) {
        return std::nullopt;  // all that it has will leave
    }
    const switch_node& device = *m_switches[q.by_device];
    const bool whole_link = device.own_ingress()->limits(q.by_port).one_class;
    for (unsigned k = 0; k < device.classes(); ++k) {
        const auto c = static_cast<pfc_class>(k);
        if (!whole_link && c != q.queue.frame_class) {
            continue;
        }
        const auto hold = hold_of(*device.shared_memory(), q.by_port, c, held->second);
        if (hold) {
            return group_hold{c, *hold};
        }
    }
    return std::nullopt;
}

deadlock_step::shared_group shared_waits::describe(const paused_queue& q) const {
    const group_hold kept = *group_that_keeps(q);
    const shared_buffer& memory = *m_switches[q.by_device]->shared_memory();
    deadlock_step::shared_group group;
    group.group_class = kept.group_class;
    group.now = memory.group_usage(kept.hold.slice, q.by_port, kept.group_class);
    group.cell = memory.bytes_of(1).count();
    group.threshold =
        memory.threshold_with(q.by_port, kept.group_class, memory.free_shared(kept.hold.slice, true));
    group.hold = kept.hold;
    return group;
}

std::vector<stored_cells> shared_waits::held_by(const switch_node& device, const class_queue& queue) {
    const shared_buffer& memory = *device.shared_memory();
    std::vector<stored_cells> stored;
    for (frame_slot slot = device.own_egress()->head(queue.egress_port, queue.frame_class); slot != no_slot;
         slot = device.slab().route(slot).next) {
        const frame_route& route = device.slab().route(slot);
        if (route.is_own) {
            continue;
        }
        const unsigned slice = memory.slice_of({route.ingress_port, route.frame_class, route.egress_port});
        const std::size_t place = memory.place(slice, route.ingress_port, route.frame_class);
        const auto known =
            std::find_if(stored.begin(), stored.end(), [&](const stored_cells& s) { return s.place == place; });
        const std::uint32_t cells = memory.cells_of(bytes{route.charged_bytes});
        if (known == stored.end()) {
            stored.push_back({place, cells});
        } else {
            known->cells += cells;
        }
    }
    return stored;
}

bool shared_waits::counts(const paused_queue& q, const frame_route& route) const {
    const switch_node& device = *m_switches[q.by_device];
    if (route.is_own || route.ingress_port != q.by_port) {
        return false;
    }
    return device.own_ingress()->limits(q.by_port).one_class
               ? device.shared_memory()->paused(q.by_port, route.frame_class)
               : route.frame_class == q.queue.frame_class;
}

std::vector<paused_queue::waiting_frames> shared_waits::frames_of(const paused_queue& q) const {
    const switch_node& device = *m_switches[q.by_device];
    std::vector<paused_queue::waiting_frames> frames;
    for (unsigned out = 0; out < device.ports(); ++out) {
        for (unsigned k = 0; k < device.classes(); ++k) {
            const auto c = static_cast<pfc_class>(k);
            std::uint32_t bytes = 0;
            for (frame_slot slot = device.own_egress()->head(out, c); slot != no_slot;
                 slot = device.slab().route(slot).next) {
                const frame_route& route = device.slab().route(slot);
                bytes += counts(q, route) ? route.charged_bytes : 0;
            }
            if (bytes > 0) {
                frames.push_back({out, c, bytes});
            }
        }
    }
    return frames;
}

}  // namespace weir::model
