#include "weir/model/flow_control/mac_driver.h"

namespace weir::model {

void mac_driver::take_effect(unsigned port, frame_kind kind, const pause_fields& fields) {
    mac_port& mac = m_device.mac(port);
    if (kind == frame_kind::pause) {
        mac.timers.apply_pause(fields, m_device.now(), mac.link);
    } else {
        mac.timers.apply(fields, m_device.now(), mac.link);
    }
    follow_frame(port);
    m_device.pauses_changed(port);
    m_device.transmit_later(port);
    schedule_expiry(port);
}

// One event per port is enough: it is moved when the timers move.
void mac_driver::schedule_expiry(unsigned port) {
    mac_port& mac = m_device.mac(port);
    const picoseconds expiry = mac.timers.next_expiry();
    if (expiry < mac.expiry_scheduled) {
        mac.expiry_scheduled = expiry;
        m_device.expire_at(port, expiry);
    }
}

void mac_driver::expire(unsigned port) {
    mac_port& mac = m_device.mac(port);
    if (mac.expiry_scheduled == m_device.now()) {
        mac.expiry_scheduled = never;
    }
    if (end_pauses(port) != 0) {
        m_device.pauses_changed(port);
        m_device.transmit_later(port);
    }
    schedule_expiry(port);
}

bool mac_driver::send_due(unsigned port) {
    ethernet_frame frame;
    if (!make_frame(port, frame.pause)) {
        return false;
    }
    frame.kind = m_kind;
    frame.priority = pfc_classes - 1;
    ++m_device.mac(port).stats.tx_control_frames;
    m_device.send_control(port, frame);
    frame_sent(port);
    return true;
}

bool mac_driver::make_frame(unsigned port, pause_fields& fields) {
    pause_requests& requests = m_device.mac(port).requests;
    if (!requests.pending() && m_device.now() < requests.refresh_due()) {
        return false;
    }
    fields = requests.launch(m_device.now());
    return true;
}

void mac_driver::frame_sent(unsigned port) {
    mac_port& mac = m_device.mac(port);
    if (mac.requests.refresh_due() != never && !mac.refresh_scheduled) {
        mac.refresh_scheduled = true;
        m_device.look_at(port, mac.requests.refresh_due(), refresh);
    }
}

void mac_driver::look(unsigned port, std::uint32_t reason) {
    if (!is_due(port, reason)) {
        return;
    }
    if (reason == refresh) {
        m_device.xoff_repeated(port);
    }
    attend_later(port);
}

bool mac_driver::is_due(unsigned port, std::uint32_t /*reason*/) {
    mac_port& mac = m_device.mac(port);
    const picoseconds due = mac.requests.refresh_due();
    if (due > m_device.now() && due != never) {
        m_device.look_at(port, due, refresh);
        return false;
    }
    mac.refresh_scheduled = false;
    return due <= m_device.now();
}

void mac_driver::change_link(const link_change& change) {
    mac_port& mac = m_device.mac(change.port);
    const bool comes_up = change.up.value_or(false) && !mac.up;
    mac.apply(change, m_device.now());
    link_changed(change, comes_up);
    schedule_expiry(change.port);
    m_device.pauses_changed(change.port);
    attend_later(change.port);
}

}  // namespace weir::model
