#include "weir/model/memory/ingress_buffer.h"

namespace weir::model {

ingress_buffer::ingress_buffer(frame_slab& slab, unsigned ports, unsigned classes)
    : m_slab(slab),
      m_port_count(ports),
      m_all_classes(static_cast<class_mask>((1U << classes) - 1)),
      m_ports(ports) {
    for (unsigned port = 0; port < ports; ++port) {
        m_ports[port].number = port;
    }
}

class_counts ingress_buffer::class_bytes(unsigned port) const {
    class_counts counts{};
    for (unsigned c = 0; c < pfc_classes; ++c) {
        if (m_classes_used[c].meters != nullptr) {
            counts[c] = static_cast<std::uint32_t>(m_classes_used[c].meters[port].current().count());
        }
    }
    return counts;
}

// Classes whose count is at or above the threshold.
class_mask ingress_buffer::above(const port_state& p, std::uint32_t threshold) const {
    if (p.limits.one_class) {
        return p.total >= threshold ? m_all_classes : class_mask{0};
    }
    const class_counts counts = p.limits.count == threshold_count::drain_bytes ? drain_of(class_bytes(p.number))
                                                                               : class_bytes(p.number);
    unsigned mask = 0;
    for (unsigned c = 0; c < pfc_classes; ++c) {
        mask |= static_cast<unsigned>(counts[c] >= threshold) << c;
    }
    return static_cast<class_mask>(mask & m_all_classes);
}

// A frame is stored whole or lost whole. Classes whose XOFF has been decided stay in `xoffed` until XON, so
// that each is named once.
charge_result ingress_buffer::charge(unsigned port, pfc_class c, std::uint32_t length, picoseconds now) {
    port_state& p = m_ports[port];
    if (p.total + length > p.limits.capacity) {
        return {false, 0};
    }
    count(p, c, length, now);
    // No count exceeds the total.
    if (p.total < p.limits.xoff) {
        return {true, 0};
    }
    const auto xoff = static_cast<class_mask>(above(p, p.limits.xoff) & ~p.xoffed);
    p.xoffed |= xoff;
    return {true, xoff};
}

// XON where the count has fallen below `xon`: the hysteresis against `xoff` is between the two limits.
class_mask ingress_buffer::release(port_state& p, pfc_class c, std::uint32_t length, picoseconds now) {
    count(p, c, 0U - length, now);
    if (p.xoffed == 0) {
        return 0;
    }
    const auto xon = static_cast<class_mask>(p.xoffed & ~above(p, p.limits.xon));
    p.xoffed &= ~unsigned{xon};
    return xon;
}

void ingress_buffer::add_meters(pfc_class c) {
    m_classes_used[c].meters = std::make_unique<port_meter[]>(m_port_count);
    for (unsigned port = 0; port < m_port_count; ++port) {
        m_classes_used[c].meters[port].restart(m_statistics_start);
    }
}

void ingress_buffer::add_voqs(pfc_class c) {
    m_classes_used[c].voqs = std::make_unique<frame_queue[]>(std::size_t{m_port_count} * m_port_count);
}

void ingress_buffer::settle(picoseconds now) {
    for (const class_state& of_class : m_classes_used) {
        for (unsigned port = 0; of_class.meters != nullptr && port < m_port_count; ++port) {
            of_class.meters[port].settle(now);
        }
    }
}

void ingress_buffer::restart_statistics(picoseconds now) {
    m_statistics_start = now;
    for (const class_state& of_class : m_classes_used) {
        for (unsigned port = 0; of_class.meters != nullptr && port < m_port_count; ++port) {
            of_class.meters[port].restart(now);
        }
    }
}

}  // namespace weir::model
