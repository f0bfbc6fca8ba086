#include "weir/model/switch/bound_pfc.h"

namespace weir::model {

picoseconds bound_pfc::time_of_effect(unsigned port, const ethernet_frame& frame) {
    return m_pfc.arrive(port, frame, device().now(), device().mac(port).response);
}

class_mask bound_pfc::end_pauses(unsigned port) {
    const class_mask paused = m_pfc.paused(port, device().now());
    return device().mac(port).timers.follow(paused, m_pfc.next_change(port), device().now());
}

void bound_pfc::take_request(unsigned port, bool again) {
    m_pfc.request(port, device().mac(port).requests.wanted(), again, device().now());
    look_later(port, first_frame);
}

bool bound_pfc::make_frame(unsigned port, pause_fields& fields) {
    const pause_fields* const made = m_pfc.offer(port, device().now());
    if (made == nullptr) {
        look_later(port, first_frame);
        return false;
    }
    fields = *made;
    device().mac(port).requests.launched(fields);
    return true;
}

void bound_pfc::frame_sent(unsigned port) {
    m_pfc.sent(port, device().mac(port).sending.end);
    look_later(port, refresh);
}

void bound_pfc::link_changed(const link_change& change, bool comes_up) {
    if (change.rate.count() > 0) {
        m_pfc.set_rate(change.port, change.rate);
    }
    if (comes_up) {
        m_pfc.clear(change.port, device().now());
    }
    if (change.rate.count() > 0 || comes_up) {
        take_request(change.port, true);
        end_pauses(change.port);
    }
}

void bound_pfc::look_later(unsigned port, reason why) {
    const picoseconds next = m_pfc.next_offer(port);
    if (next > device().now() && next < m_look[port]) {
        m_look[port] = next;
        device().look_at(port, next, why);
    }
}

bool bound_pfc::is_due(unsigned port, std::uint32_t reason) {
    if (m_look[port] != device().now()) {
        return false;  // an earlier one has taken its place
    }
    m_look[port] = never;
    if (m_pfc.next_offer(port) > device().now()) {
        look_later(port, static_cast<mac_driver::reason>(reason));
        return false;
    }
    return true;
}

}  // namespace weir::model
