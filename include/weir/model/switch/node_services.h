// A switch as its parts see it.
#pragma once

#include "weir/model/switch/switch_node.h"

namespace weir::model {

class switch_node::services final : public switch_services {
 public:
    explicit services(switch_node& device) : m_device(device) {}

    picoseconds now() const override { return m_device.m_now; }
    unsigned ports() const override { return m_device.m_port_count; }
    unsigned classes() const override { return m_device.classes(); }
    const frame_slab& slab() const override { return m_device.m_slab; }
    frame_slab& slab() override { return m_device.m_slab; }
    ingress_buffer_if& ingress() const override { return *m_device.m_ingress; }
    egress_buffer_if& egress() const override { return *m_device.m_egress; }
    const mac_port& mac(unsigned port) const override { return m_device.m_ports[port]; }
    mac_port& mac(unsigned port) override { return m_device.m_ports[port]; }
    mac_driver& macs() override { return *m_device.m_macs; }
    std::uint64_t egress_class_limit(unsigned port) const override;
    void for_each_between_queues(const std::function<void(frame_slot, bool looked_up)>& visit) const override;

    // Of a MAC's driver.
    void expire_at(unsigned port, picoseconds at) override {
        m_device.m_agenda.schedule(at, switch_stages::pause_expiry, port, 0);
    }
    void look_at(unsigned port, picoseconds at, std::uint32_t reason) override {
        m_device.m_agenda.schedule(at, switch_stages::pause_refresh, port, reason);
    }
    void pauses_changed(unsigned port) override { m_device.pauses_changed(port); }
    void xoff_repeated(unsigned port) override {
        note_xoff(port, m_device.m_ports[port].requests.wanted(), no_slot);
    }
    void transmit_later(unsigned port) override { m_device.transmit_later(m_device.m_ports[port]); }
    void send_control(unsigned port, ethernet_frame& frame) override {
        m_device.send_control(m_device.m_ports[port], frame);
    }

    // Losses.
    void drop(frame_slot slot, unsigned port, drop_reason reason) override {
        m_device.drop(slot, port, reason);
    }
    void drop_backlog(unsigned port, class_mask classes, drop_reason reason) override {
        m_device.drop_backlog(m_device.m_ports[port], classes, reason);
    }
    std::uint64_t dropped(unsigned port, pfc_class c, drop_reason reason) const override {
        return m_device.m_stats.drops_at(port, c)[static_cast<unsigned>(reason)];
    }
    void violate(violation_kind kind, const std::string& what) override {
        if (kind == violation_kind::lossless_loss) {
            m_device.report_lossless_loss(what);
        } else {
            m_device.violate(m_device.m_now, what, kind);
        }
    }

    // A frame's way.
    void leave_ingress(frame_slot slot) override {
        m_device.leave_ingress<frame_path::general>(slot, m_device.m_slab[slot]);
    }
    void leave_ingress(const frame_route& route, picoseconds at) override {
        m_device.release_ingress(route, at);
    }
    void request_crossing(frame_slot slot) override {
        m_device.request<frame_path::general>(slot, m_device.m_slab.route(slot));
    }
    void finish_crossing(frame_slot slot) override { m_device.on_crossed<frame_path::general>(slot); }
    bool evict_for(frame_slot slot) override { return m_device.evict_for(slot); }
    void originate(const ethernet_frame& frame) override { m_device.originate(frame); }
    bool admit(frame_slot slot) override { return m_device.admit(slot); }
    void enqueue(frame_slot slot) override {
        m_device.m_egress->commit(slot, m_device.m_now);
        m_device.transmit_later(m_device.m_ports[m_device.m_slab.route(slot).egress_port]);
    }
    void transfer_until(unsigned port, frame_slot slot, picoseconds until) override {
        m_device.m_agenda.schedule(until, switch_stages::transfer_done, port, slot);
    }
    void read_until(unsigned port, picoseconds until) override {
        m_device.m_agenda.schedule(until, switch_stages::memory_read, port, 0);
    }
    void note_xoff(unsigned port, class_mask classes, frame_slot crossing) override {
        if (m_device.m_causes != nullptr) {
            m_device.m_causes->note_xoff(port, classes, crossing);
        }
    }

 private:
    switch_node& m_device;
};

}  // namespace weir::model
