#include "weir/model/memory/egress_buffer.h"

#include <algorithm>

namespace weir::model {

static std::unique_ptr<queue_order> order_of(const switch_config& config) {
    const queue_order_traits& order = queue_orders()[config.queue_order];
    return order.make ? order.make() : nullptr;
}

egress_buffer::egress_buffer(frame_slab& slab, const switch_config& config, unsigned ports)
    : m_slab(slab),
      m_all_classes((1U << config.classes) - 1),
      m_ports(ports),
      m_order(order_of(config)),
      m_capacity(static_cast<std::uint32_t>(config.egress_buffer.count())),
      m_max_charge(static_cast<std::uint32_t>(memory_of(config.max_frame, config.memory_cell).count())),
      m_classes(config.classes),
      m_share(config.classes > 1 ? config.share : egress_share::whole),
      m_alpha_256(static_cast<std::uint64_t>(config.share_alpha * 256 + 0.5)),
      m_fixed_limit(m_capacity / config.classes),
      m_levels(static_cast<unsigned>(config.balance_thresholds.size())),
      m_drain(ports * pfc_classes),
      m_favored(m_levels * pfc_classes, port_bitmap::first_ports(ports)) {
    m_view = {m_favored.data(), m_levels, m_drain.data(), ports <= 64};
    for (bytes threshold : config.balance_thresholds) {
        m_thresholds.push_back(static_cast<std::uint32_t>(threshold.count()));
    }
    if (m_levels > 0) {
        m_first_threshold = m_thresholds[0];
    }
    m_all_have_room_below = all_have_room_below();
    for (unsigned port = 0; port < ports; ++port) {
        port_state& p = m_ports[port];
        p.number = port;
        find_room(p);
        p.watch_from = m_keep_drain ? 0 : m_first_threshold;
    }
}

// `held` counts frames that are stored and those that the crossbar still moves: room is reserved at the match.
bool egress_buffer::fits(std::uint32_t held, std::uint32_t class_held, std::uint32_t length) const {
    if (held + length > m_capacity) {
        return false;
    }
    switch (m_share) {
        case egress_share::whole:
            return true;
        case egress_share::fixed:
            return class_held + length <= m_fixed_limit;
        case egress_share::dynamic:
            // Held + length <= alpha x what is free, and one frame of a class is always possible.
            return class_held == 0 ||
                   std::uint64_t{class_held + length} * 256 <= m_alpha_256 * (m_capacity - held);
    }
    return false;
}

std::uint64_t egress_buffer::class_limit(unsigned port) const {
    switch (m_share) {
        case egress_share::whole:
            return m_capacity;
        case egress_share::fixed:
            return m_fixed_limit;
        case egress_share::dynamic:
            return m_alpha_256 * (m_capacity - m_ports[port].held) / 256;
    }
    return 0;
}

bool egress_buffer::would_have_room(pfc_class c, const class_counts& held) const {
    std::uint32_t sum = 0;
    for (const std::uint32_t of_class : held) {
        sum += of_class;
    }
    return fits(sum, held[c], m_max_charge);
}

// No class holds more than the port does: where that much and one largest frame fit, every class has room.
std::uint32_t egress_buffer::all_have_room_below() const {
    if (m_capacity < m_max_charge) {
        return 0;
    }
    const std::uint32_t fits_port = m_capacity - m_max_charge + 1;
    switch (m_share) {
        case egress_share::whole:
            return fits_port;
        case egress_share::fixed:
            return m_fixed_limit < m_max_charge ? 0 : std::min(fits_port, m_fixed_limit - m_max_charge + 1);
        case egress_share::dynamic: {
            // held + largest <= alpha (capacity - held), solved for held.
            const std::uint64_t free_share = m_alpha_256 * m_capacity;
            const std::uint64_t largest = std::uint64_t{m_max_charge} * 256;
            return free_share < largest
                       ? 0
                       : std::min(fits_port,
                                  static_cast<std::uint32_t>((free_share - largest) / (256 + m_alpha_256)) + 1);
        }
    }
    return 0;
}

// A class has room where the largest frame would fit, so that one bit per class serves frames of all lengths.
void egress_buffer::find_room(port_state& p) {
    unsigned mask = 0;
    for (unsigned c = 0; c < m_classes; ++c) {
        mask |= static_cast<unsigned>(fits(p, static_cast<pfc_class>(c), m_max_charge)) << c;
    }
    p.room = mask;
}

// At the match. Occupancy and favoured ports follow at `commit`, when the frame is there.
class_mask egress_buffer::reserve(port_state& p, pfc_class c, std::uint32_t length) {
    queue_of(p, c).held += length;
    p.held += length;
    update_room(p);
    return static_cast<class_mask>(p.room);
}

// `length` may be the two's complement of what leaves.
void egress_buffer::count(port_state& p, class_queue& queue, std::uint32_t length, picoseconds now) {
    p.charged += length;
    queue.meter.change(static_cast<std::uint32_t>(queue.meter.current().count()) + length, now);
    // No drain count exceeds the total: as long as that was and is below the lowest threshold, all ports
    // stay favoured.
    if (p.charged >= p.watch_from) {
        update_favored(p);
    }
}

// A port is favoured at a level where its drain bytes are below the level's threshold.
void egress_buffer::update_favored(port_state& p) {
    class_counts drain = drain_of(class_charged(p.number));
    // Priorities above the classes in use share the highest one.
    std::fill(drain.begin() + m_classes, drain.end(), drain[m_classes - 1]);
    std::copy(drain.begin(), drain.end(), m_drain.begin() + p.number * pfc_classes);
    for (unsigned level = 0; level < m_levels; ++level) {
        for (unsigned c = 0; c < pfc_classes; ++c) {
            m_favored[level * pfc_classes + c].assign(p.number, drain[c] < m_thresholds[level]);
        }
    }
    // Once a class may have crossed a threshold each change counts.
    const bool crossed = p.charged >= m_first_threshold;
    p.watch_from = crossed || m_keep_drain ? 0 : m_first_threshold;
}

void egress_buffer::commit(frame_slot slot, picoseconds now) {
    const frame_route& r = m_slab.route(slot);
    port_state& p = m_ports[r.egress_port];
    class_queue& queue = queue_of(p, r.frame_class);
    queue.frames.push(m_slab, slot);
    p.backlog |= 1U << r.frame_class;
    count(p, queue, r.charged_bytes, now);
}

bool egress_buffer::admit(frame_slot slot, picoseconds now) {
    const frame_route& r = m_slab.route(slot);
    if (!fits(m_ports[r.egress_port], r.frame_class, r.charged_bytes)) {
        return false;
    }
    reserve(r.egress_port, r.frame_class, r.charged_bytes);
    commit(slot, now);
    return true;
}

// First bit out. The memory is kept until the last bit has left.
frame_slot egress_buffer::dequeue_first(port_state& p, pfc_class c) {
    frame_queue& frames = m_queues[c][p.number].frames;
    const frame_slot slot = frames.pop(m_slab);
    if (frames.empty()) {
        p.backlog &= ~(1U << c);
    }
    return slot;
}

frame_slot egress_buffer::take(port_state& p, pfc_class c, frame_slot slot) {
    frame_queue& frames = m_queues[c][p.number].frames;
    frames.remove(m_slab, slot);
    if (frames.empty()) {
        p.backlog &= ~(1U << c);
    }
    return slot;
}

eviction egress_buffer::evict(frame_slot newcomer) {
    const frame_route& r = m_slab.route(newcomer);
    port_state& p = m_ports[r.egress_port];
    const frame_queue& queue = queue_of(p, r.frame_class).frames;
    if (m_order == nullptr || queue.empty()) {
        return {};
    }
    const frame_slot victim = m_order->victim(m_slab, queue, newcomer);
    return {victim == newcomer ? no_slot : take(p, r.frame_class, victim), m_order->action()};
}

class_mask egress_buffer::release(port_state& p, pfc_class c, std::uint32_t length, picoseconds now) {
    class_queue& queue = m_queues[c][p.number];
    queue.held -= length;
    p.held -= length;
    count(p, queue, 0U - length, now);
    update_room(p);
    return static_cast<class_mask>(p.room);
}

class_counts egress_buffer::class_charged(unsigned port) const {
    class_counts counts{};
    for (unsigned c = 0; c < pfc_classes; ++c) {
        if (m_queues[c] != nullptr) {
            counts[c] = static_cast<std::uint32_t>(m_queues[c][port].meter.current().count());
        }
    }
    return counts;
}

void egress_buffer::add_queues(pfc_class c) {
    m_queues[c] = std::make_unique<class_queue[]>(m_ports.size());
    for (std::size_t port = 0; port < m_ports.size(); ++port) {
        m_queues[c][port].meter.restart(m_statistics_start);
    }
}

void egress_buffer::settle(picoseconds now) {
    for (const auto& queues : m_queues) {
        for (std::size_t port = 0; queues != nullptr && port < m_ports.size(); ++port) {
            queues[port].meter.settle(now);
        }
    }
}

void egress_buffer::restart_statistics(picoseconds now) {
    m_statistics_start = now;
    for (const auto& queues : m_queues) {
        for (std::size_t port = 0; queues != nullptr && port < m_ports.size(); ++port) {
            queues[port].meter.restart(now);
        }
    }
}

}  // namespace weir::model
