#include "weir/model/switch/shared_causes.h"

#include "weir/model/memory/shared_memory.h"

namespace weir::model {

namespace {

/// Why a group of a shared memory is paused, and the slice that holds it back. Unit: cells.
struct shared_pause {
    pause_reason because = pause_reason::own_bytes;
    unsigned slice = 0;
    std::uint64_t own = 0;
    std::uint64_t threshold = 0;
};

// Alone in the pool the group would have there all that it has beyond its minimum, and its threshold would be
// that of the rest. If it would not be paused then, others have brought the threshold down, or filled the pool.
// `again`: it is paused, and has to be xon_offset below. Where several slices hold it back, the one that does
// so for its own bytes.
shared_pause reason_of(const shared_buffer& memory, unsigned port, pfc_class c, bool again) {
    const group_limits& limits = memory.limits(port, c);
    const std::uint32_t offset = again ? limits.xon_offset : 0;
    shared_pause found;
    bool is_held = false;
    for (unsigned slice = 0; slice < memory.slices(); ++slice) {
        const group_cells& u = memory.group_usage(slice, port, c);
        const std::uint64_t threshold = limits.threshold.with(memory.free_shared(slice, true));
        if (u.headroom == 0 && std::uint64_t{u.total()} + offset < limits.minimum + threshold) {
            continue;
        }
        const std::uint32_t own = u.shared + u.headroom;
        const std::uint32_t pool = memory.pool(true);
        const bool alone_too = own > pool || std::uint64_t{own} + offset >= limits.threshold.with(pool - own);
        if (alone_too || !is_held) {
            found = {alone_too                                       ? pause_reason::own_bytes
                     : std::uint64_t{u.shared} + offset >= threshold ? pause_reason::threshold_fell
                                                                     : pause_reason::pool_full,
                     slice, own, threshold};
        }
        is_held = true;
        if (alone_too) {
            break;
        }
    }
    return found;
}

}  // namespace

template <class Visit>
void shared_causes::for_each_stored(Visit&& visit) const {
    // The switch's own frames are in no group.
    const auto visit_stored = [&](frame_slot slot) {
        if (!m_view.slab().route(slot).is_own) {
            visit(slot);
        }
    };
    for (unsigned port = 0; port < m_view.port_count(); ++port) {
        for (unsigned c = 0; c < m_view.classes(); ++c) {
            for_each_queued(port, static_cast<pfc_class>(c), visit_stored);
        }
        if (m_view.mac(port).sending.frame != no_slot) {
            visit_stored(m_view.mac(port).sending.frame);
        }
    }
}

// To be paused a group has to be at its threshold; to go on, xon_offset below it.
void shared_causes::explain_xoff(xoff_record& record, class_mask classes, frame_slot crossing,
                                 filled_queues& queues) const {
    const unsigned port = record.ingress_port;
    const auto asking = is_whole_link() ? static_cast<pfc_class>(__builtin_ctz(classes)) : record.frame_class;
    const bool again = (m_view.mac(port).requests.wanted() >> asking & 1) != 0;
    const shared_pause why = reason_of(m_memory, port, asking, again);
    record.because = why.because;
    record.own = static_cast<std::uint64_t>(m_memory.bytes_of(why.own).count());
    record.threshold = static_cast<std::uint64_t>(m_memory.bytes_of(why.threshold).count());
    if (record.because == pause_reason::own_bytes) {
        add_own(record, classes, crossing, queues);
    } else {
        add_pooled(record, why.slice, crossing, queues);
    }
    if (crossing != no_slot && m_view.slab().route(crossing).ingress_port == port) {
        // The shared memory has it counted, and the port's account of it comes next.
        record.occupancy += m_view.slab().route(crossing).charged_bytes;
    }
}

void shared_causes::add_own(xoff_record& record, class_mask classes, frame_slot crossing,
                            filled_queues& queues) const {
    const auto add = [&](frame_slot slot) {
        const frame_route& route = m_view.slab().route(slot);
        const bool counts =
            is_whole_link() ? (classes >> route.frame_class & 1) != 0 : route.frame_class == record.frame_class;
        if (route.ingress_port == record.ingress_port && counts) {
            count(slot, true, route.charged_bytes, record, queues);
        }
    };
    for_each_stored(add);
    if (crossing != no_slot) {
        add(crossing);
    }
}

// Of each frame in the slice the part of its group's bytes that the pool has, whole bytes in all.
void shared_causes::add_pooled(xoff_record& record, unsigned slice, frame_slot crossing,
                               filled_queues& queues) const {
    std::map<std::pair<unsigned, pfc_class>, std::pair<std::uint64_t, std::uint64_t>> of_group;
    const auto add = [&](frame_slot slot) {
        const frame_route& route = m_view.slab().route(slot);
        const bool in_pool = m_memory.is_lossless(route.frame_class) || m_memory.has_common_pool();
        if (!in_pool || m_memory.slice_of(flow_of(route)) != slice) {
            return;
        }
        const group_cells& u = m_memory.group_usage(slice, route.ingress_port, route.frame_class);
        auto& [seen, given] = of_group[{route.ingress_port, route.frame_class}];
        seen += route.charged_bytes;
        const std::uint64_t until_now = seen * u.shared / u.total();
        count(slot, true, static_cast<std::uint32_t>(until_now - given), record, queues);
        given = until_now;
    };
    for_each_stored(add);
    if (crossing != no_slot) {
        add(crossing);
    }
}

// Which limit of the shared memory the frame met, as it was at that moment.
void shared_causes::explain_drop(drop_record& record, frame_slot slot) const {
    using limits = shared_refusal::limits;
    static constexpr std::pair<limits, full_memory> names[] = {
        {limits::group_threshold, full_memory::group_threshold},
        {limits::pool, full_memory::shared_pool},
        {limits::headroom, full_memory::group_headroom},
        {limits::headroom_pool, full_memory::headroom_pool},
        {limits::queue_threshold, full_memory::queue_threshold},
        {limits::queue_pool, full_memory::queue_pool}};
    const frame_slab& slab = m_view.slab();
    const buffer_flow lost = flow_of(slab.route(slot));
    const shared_refusal met = m_memory.refusal(lost, m_memory.cells_of(bytes{slab.route(slot).charged_bytes}));
    for (const auto& [limit, name] : names) {
        record.full = limit == met.limit ? name : record.full;
    }
    record.limit = static_cast<std::uint64_t>(m_memory.bytes_of(met.cells).count());
    record.in_use = static_cast<std::uint64_t>(m_memory.bytes_of(met.in_use).count());
    const auto is_filling = [&](const buffer_flow& f) {
        if (m_memory.slice_of(f) != m_memory.slice_of(lost)) {
            return false;
        }
        switch (met.limit) {
            case limits::group_threshold:
            case limits::headroom:
                return f.ingress_port == lost.ingress_port && f.frame_class == lost.frame_class;
            case limits::queue_threshold:
                return f.egress_port == lost.egress_port && f.frame_class == lost.frame_class;
            case limits::pool:
                return m_memory.has_common_pool() ||
                       m_memory.is_lossless(f.frame_class) == m_memory.is_lossless(lost.frame_class);
            case limits::queue_pool:
                return m_memory.has_common_queue_pool() ||
                       m_memory.is_lossless(f.frame_class) == m_memory.is_lossless(lost.frame_class);
            case limits::headroom_pool:
                break;
        }
        return m_memory.is_lossless(f.frame_class);
    };
    flow_bytes_list filling;
    for_each_stored([&](frame_slot other) {
        if (is_filling(flow_of(slab.route(other)))) {
            filling.add(slab.frame(other), slab.route(other).charged_bytes);
        }
    });
    record.filling = filling.sorted();
}

}  // namespace weir::model
