#include "weir/model/memory/ingress_buffer.h"

namespace weir::model {

ingress_buffer::ingress_buffer(frame_slab& slab, unsigned ports, unsigned classes)
    : m_slab(slab),
      m_port_count(ports),
      m_classes(classes),
      m_all_classes(static_cast<class_mask>((1U << classes) - 1)),
      m_ports(ports),
      m_voqs(static_cast<std::size_t>(ports) * ports * classes) {}

// Classes whose count is at or above the threshold.
class_mask ingress_buffer::above(const port_state& p, std::uint32_t threshold) const {
    if (p.limits.one_class) {
        return p.total >= threshold ? m_all_classes : class_mask{0};
    }
    const class_counts counts =
        p.limits.count == threshold_count::drain_bytes ? drain_of(p.class_bytes()) : p.class_bytes();
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

void ingress_buffer::add_meter(port_state& p, pfc_class c) {
    p.classes[c].meter = std::make_unique<occupancy_meter>(m_statistics_start);
}

void ingress_buffer::settle(picoseconds now) {
    for_each_meter(m_ports, &port_state::classes, [now](occupancy_meter& meter) { meter.settle(now); });
}

void ingress_buffer::restart_statistics(picoseconds now) {
    m_statistics_start = now;
    for_each_meter(m_ports, &port_state::classes, [now](occupancy_meter& meter) { meter.restart(now); });
}

}  // namespace weir::model
