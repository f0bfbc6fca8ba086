// A switch that its parts can be tried with: ports, a store and egress queues by hand, and a list of what was
// asked.
#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "weir/model/switch/switch_services.h"

namespace weir::test {

using namespace model;

/// Egress queues without limits.
class fake_egress final : public egress_buffer_if {
 public:
    explicit fake_egress(frame_slab& slab, unsigned ports) : m_slab(slab), m_queues(ports) {}

    void push(unsigned port, pfc_class c, frame_slot slot) { m_queues[port][c].push(m_slab, slot); }

    class_mask backlog(unsigned port) const override {
        class_mask mask = 0;
        for (unsigned c = 0; c < pfc_classes; ++c) {
            mask = static_cast<class_mask>(mask | (m_queues[port][c].empty() ? 0U : 1U << c));
        }
        return mask;
    }
    frame_slot head(unsigned port, pfc_class c) const override { return m_queues[port][c].head(); }
    frame_slot dequeue(unsigned port, pfc_class c) override { return m_queues[port][c].pop(m_slab); }
    bytes occupancy(unsigned) const override { return bytes{0}; }

    class_mask room(unsigned) const override { return unexpected<class_mask>(); }
    class_mask reserve(unsigned, pfc_class, std::uint32_t) override { return unexpected<class_mask>(); }
    void commit(frame_slot, picoseconds) override { unexpected<int>(); }
    bool admit(frame_slot, picoseconds) override { return unexpected<bool>(); }
    class_mask release(unsigned, pfc_class, std::uint32_t, picoseconds) override {
        return unexpected<class_mask>();
    }
    const egress_view& view() const override { throw std::logic_error("no part asks for this"); }
    const occupancy_meter* meter(unsigned, pfc_class) const override { return nullptr; }
    void settle(picoseconds) override {}
    void restart_statistics(picoseconds) override {}

 private:
    template <class Value>
    static Value unexpected() {
        throw std::logic_error("no part asks for this");
    }

    frame_slab& m_slab;
    std::vector<std::array<frame_queue, pfc_classes>> m_queues;
};

class fake_switch : public switch_services {
 public:
    explicit fake_switch(unsigned count) : queues(frames, count) {
        for (unsigned port = 0; port < count; ++port) {
            mac_ports.emplace_back(pause_config{}, 1_Gbps, 1'024ns);
        }
    }

    picoseconds time{0};
    frame_slab frames;
    fake_egress queues;
    std::vector<mac_port> mac_ports;
    mac_driver driver{flow_control_mode::pfc, *this};
    std::uint64_t lost = 0;
    /// What was asked for since it was read last: `transmit_later 1`.
    std::vector<std::string> take_calls() { return std::exchange(m_calls, {}); }

    picoseconds now() const override { return time; }
    unsigned port_count() const override { return static_cast<unsigned>(mac_ports.size()); }
    unsigned classes() const override { return pfc_classes; }
    const frame_slab& slab() const override { return frames; }
    frame_slab& slab() override { return frames; }
    ingress_buffer_if& ingress() const override { throw std::logic_error("no part asks for this"); }
    egress_buffer_if& egress() const override { return const_cast<fake_egress&>(queues); }
    const mac_port& mac(unsigned port) const override { return mac_ports[port]; }
    mac_port& mac(unsigned port) override { return mac_ports[port]; }
    mac_driver& macs() override { return driver; }
    std::uint64_t egress_class_limit(unsigned) const override { return 0; }
    void for_each_between_queues(const std::function<void(frame_slot, bool)>&) const override {}

    void expire_at(unsigned port, picoseconds at) override {
        call("expire_at", port, std::to_string(at / 1ns));
    }
    void look_at(unsigned port, picoseconds at, std::uint32_t reason) override {
        call("look_at", port, std::to_string(at / 1ns) + " " + std::to_string(reason));
    }
    void pauses_changed(unsigned port) override { call("pauses_changed", port); }
    void xoff_repeated(unsigned port) override { call("xoff_repeated", port); }
    void transmit_later(unsigned port) override { call("transmit_later", port); }
    /// Takes 672 ns.
    void send_control(unsigned port, ethernet_frame& frame) override {
        mac_ports[port].sending.begin(no_slot, time + 672ns);
        call("send_control", port, std::to_string(frame.pause.class_enable));
    }
    void drop(frame_slot, unsigned port, drop_reason) override { call("drop", port); }
    std::uint64_t dropped(unsigned, pfc_class, drop_reason) const override { return lost; }

 private:
    void call(const char* what, unsigned port, const std::string& more = {}) {
        m_calls.push_back(std::string(what) + " " + std::to_string(port) + (more.empty() ? "" : " " + more));
    }

    std::vector<std::string> m_calls;
};

}  // namespace weir::test
