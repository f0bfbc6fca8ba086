#include "weir/model/switch/bound_pfc.h"

namespace weir {

class_mask bound_pfc::follow(unsigned port) {
    const class_mask paused = m_pfc.paused(port, m_device.now());
    return m_device.mac(port).timers.follow(paused, m_pfc.next_change(port), m_device.now());
}

void bound_pfc::request(unsigned port, bool again) {
    m_pfc.request(port, m_device.mac(port).requests.wanted(), again, m_device.now());
    look_later(port, first_frame);
}

const pause_fields* bound_pfc::offer(unsigned port) {
    const pause_fields* const made = m_pfc.offer(port, m_device.now());
    if (made == nullptr) {
        look_later(port, first_frame);
    }
    return made;
}

void bound_pfc::sent(unsigned port) {
    m_pfc.sent(port, m_device.mac(port).sending.end);
    look_later(port, refresh);
}

bool bound_pfc::change_link(unsigned port, const link_change& change, bool comes_up) {
    if (change.rate.count() > 0) {
        m_pfc.set_rate(port, change.rate);
    }
    if (comes_up) {
        m_pfc.clear(port, m_device.now());
    }
    if (change.rate.count() == 0 && !comes_up) {
        return false;
    }
    request(port, true);
    follow(port);
    return true;
}

void bound_pfc::look_later(unsigned port, reason why) {
    const picoseconds next = m_pfc.next_offer(port);
    if (next > m_device.now() && next < m_look[port]) {
        m_look[port] = next;
        m_device.look_at_pfc(port, next, why);
    }
}

bool bound_pfc::look(unsigned port, reason why) {
    if (m_look[port] != m_device.now()) {
        return false;  // an earlier one has taken its place
    }
    m_look[port] = never;
    if (m_pfc.next_offer(port) > m_device.now()) {
        look_later(port, why);
        return false;
    }
    return true;
}

}  // namespace weir
