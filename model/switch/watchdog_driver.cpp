#include "weir/model/switch/watchdog_driver.h"

namespace weir::model {

// A queue in a storm makes two in each detection and restoration time.
static constexpr std::size_t most_events = 1U << 16;

pfc_watchdog::queue_view watchdog_driver::queue(unsigned port, pfc_class c) const {
    const switch_view& view = m_device;
    std::uint64_t head = pfc_watchdog::no_head;
    if ((view.egress().backlog(port) >> c & 1) != 0) {
        // One frame's last bit comes in at a port and time.
        const frame_route& route = view.slab().route(view.egress().head(port, c));
        head = static_cast<std::uint64_t>(route.arrival.count()) << 8 | route.ingress_port;
    }
    return {(view.mac(port).timers.paused_mask() >> c & 1) != 0, head};
}

void watchdog_driver::look() {
    for (unsigned port = 0; port < m_device.port_count(); ++port) {
        for (unsigned k = 0; k < m_device.classes(); ++k) {
            const auto c = static_cast<pfc_class>(k);
            const pfc_watchdog::verdict verdict = m_watchdog.look(port, c, queue(port, c), m_device.now());
            if (verdict == pfc_watchdog::verdict::storm) {
                begin_storm(port, c);
            } else if (verdict == pfc_watchdog::verdict::restored) {
                note(port, c, false);
            }
        }
    }
}

void watchdog_driver::note(unsigned port, pfc_class c, bool storm) {
    const std::uint64_t lost = m_device.dropped(port, c, drop_reason::watchdog);
    storm_losses& losses = m_losses[{port, c}];
    if (m_events.size() < most_events) {
        m_events.push_back({m_device.now(), static_cast<std::uint16_t>(port), c, storm,
                            storm ? 0 : lost - losses.before,
                            storm ? 0 : losses.arriving - losses.arriving_before});
    }
    losses.before = lost;
    losses.arriving_before = losses.arriving;
}

void watchdog_driver::begin_storm(unsigned port, pfc_class c) {
    note(port, c, true);
    if (drops()) {
        m_device.macs().attend_later(port);
        return;
    }
    m_device.mac(port).timers.end_pauses(static_cast<class_mask>(1U << c), m_device.now());
    m_device.pauses_changed(port);
    m_device.transmit_later(port);
}

pause_fields watchdog_driver::heard(unsigned port, const pause_fields& fields) {
    class_mask xoff = 0;
    for (unsigned c = 0; c < pfc_classes; ++c) {
        xoff = static_cast<class_mask>(xoff | (fields.quanta[c] != 0 ? 1U << c : 0U));
    }
    m_watchdog.note_xoff(port, static_cast<class_mask>(xoff & fields.class_enable), m_device.now());
    pause_fields heeded = fields;
    if (!drops()) {
        heeded.class_enable = static_cast<class_mask>(heeded.class_enable & ~m_watchdog.storms(port));
    }
    return heeded;
}

bool watchdog_driver::takes_arrival(unsigned port, pfc_class c) {
    if ((dropped_classes(port) >> c & 1) == 0) {
        return false;
    }
    ++m_losses[{port, c}].arriving;
    return true;
}

}  // namespace weir::model
