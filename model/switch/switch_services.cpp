#include "weir/model/switch/switch_services.h"

#include "weir/model/switch/partitioned_causes.h"
#include "weir/model/switch/shared_causes.h"
#include "weir/model/switch/switch_node.h"

namespace weir {

class switch_node::services final : public switch_services {
 public:
    explicit services(switch_node& device) : m_device(device) {}

    picoseconds now() const override { return m_device.m_now; }
    unsigned ports() const override { return m_device.m_port_count; }
    unsigned classes() const override { return m_device.m_classes; }
    const frame_slab& slab() const override { return m_device.m_slab; }
    ingress_buffer_if& ingress() const override { return *m_device.m_ingress; }
    egress_buffer_if& egress() const override { return *m_device.m_egress; }
    const mac_port& mac(unsigned port) const override { return m_device.m_ports[port]; }
    std::uint64_t egress_class_limit(unsigned port) const override {
        const egress_buffer* const own = m_device.m_egress.own();
        return own != nullptr ? own->class_limit(port)
                              : static_cast<std::uint64_t>(m_device.m_parameters.device.egress_buffer.count());
    }
    void for_each_between_queues(const std::function<void(frame_slot, bool looked_up)>& visit) const override {
        m_device.m_agenda.for_each([&](const event& e) {
            if (e.stage() == switch_stages::transfer_done || e.stage() == switch_stages::lookup_done) {
                visit(e.payload, e.stage() == switch_stages::transfer_done);
            }
        });
        if (m_device.m_lone != no_slot) {
            visit(m_device.m_lone, true);
        }
    }

    mac_port& mac(unsigned port) override { return m_device.m_ports[port]; }
    void pauses_changed(unsigned port) override { m_device.note_pauses(m_device.m_ports[port]); }
    void attend_later(unsigned port) override {
        m_device.m_ports[port].needs_attention = true;
        m_device.transmit_later(m_device.m_ports[port]);
    }
    void transmit_later(unsigned port) override { m_device.transmit_later(m_device.m_ports[port]); }
    void drop(frame_slot slot, unsigned port, drop_reason reason) override {
        m_device.drop(slot, port, reason);
    }
    void drop_backlog(unsigned port, class_mask classes, drop_reason reason) override {
        m_device.drop_backlog(m_device.m_ports[port], classes, reason);
    }
    void look_at_pfc(unsigned port, picoseconds at, std::uint32_t reason) override {
        m_device.m_agenda.schedule(at, switch_stages::pause_refresh, port, reason);
    }
    std::uint64_t dropped(unsigned port, pfc_class c, drop_reason reason) const override {
        return m_device.m_stats.port_drops[port][c][static_cast<unsigned>(reason)];
    }

 private:
    switch_node& m_device;
};

void switch_node::make_parts() {
    m_services = std::make_unique<services>(*this);
    const pfc_config& flow_control = m_parameters.flow_control;
    if (watchdog_driver::is_configured(flow_control)) {
        m_watchdog = std::make_unique<watchdog_driver>(flow_control, *m_services);
        for (switch_port& p : m_ports) {
            p.inspects_arrivals = p.inspects_arrivals || flow_control.watchdog == watchdog_action::drop;
        }
        m_agenda.schedule(flow_control.watchdog_period(), switch_stages::watchdog, 0, 0);
    }
}

void switch_node::bind_pfc() {
    if (pfc.bind_count() == 0) {
        return;
    }
    if (m_watchdog != nullptr) {
        SC_REPORT_FATAL("/weir/switch",
                        (std::string(name()) + ": a PFC watchdog cannot end the pauses of a PFC "
                                               "block that is bound")
                            .c_str());
    }
    m_pfc = std::make_unique<bound_pfc>(*pfc.operator->(), *m_services);
}

void switch_node::log_causes(const cause_options& options) {
    const pfc_config& flow_control = m_parameters.flow_control;
    if (m_shared != nullptr) {
        m_causes = std::make_unique<shared_causes>(options, *m_services, flow_control, *m_shared);
    } else {
        m_causes =
            std::make_unique<partitioned_causes>(options, *m_services, flow_control, m_parameters.device);
    }
}

void switch_node::on_watchdog() {
    m_watchdog->look();
    const picoseconds next = m_now + m_parameters.flow_control.watchdog_period();
    if (next <= latest_time) {
        m_agenda.schedule(next, switch_stages::watchdog, 0, 0);
    }
}

const std::vector<watchdog_event>& switch_node::watchdog_events() const {
    static const std::vector<watchdog_event> none;
    return m_watchdog != nullptr ? m_watchdog->events() : none;
}

// True: the frame comes at a port, and in a class, whose storm is being dropped, and is gone.
bool switch_node::drop_on_arrival_in_storm(unsigned port, frame_slot slot) {
    if (m_watchdog == nullptr || m_slab.frame(slot).is_flow_control() ||
        !m_watchdog->takes_arrival(port, m_slab.route(slot).frame_class)) {
        return false;
    }
    drop(slot, port, drop_reason::watchdog);
    return true;
}

}  // namespace weir
