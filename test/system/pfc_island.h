// Many small fabrics in one run, each under an attack on one lossless ingress port, and what arrived there
// after XOFF had been decided.
//
//   attacker ---> port 0 +--------+ port 2 ---> sink: pauses its link before all begins, and keeps it so
//                        | switch |
//   reverse  ---> port 1 +--------+ port 0 ---> attacker: traffic that XOFF has to wait for (T_O)
//
// With `switch_partner` a second switch stands between attacker and port 0, so that it is a switch that
// obeys XOFF. Islands are not linked to each other: the fabric is not asked whether it is connected. A run
// takes place in a child process, because SystemC can not elaborate twice, and so one test can run thousands
// of attacks, each round built on the last one's results.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/child_process.h"
#include "support/scripted_endpoint.h"
#include "weir/model/fabric.h"
#include "weir/model/pfc_headroom.h"
#include "weir/model/pfc_thresholds.h"
#include "weir/model/switch_blocks.h"

namespace weir::test::pfc_attack {

/// Frames handed to a NIC at once; it sends them back to back.
struct burst {
    picoseconds at{0};
    pfc_class frame_class = 0;
    std::vector<std::uint16_t> lengths;
};

/// What the two senders of one island do.
struct attack {
    std::vector<burst> forward;
    std::vector<burst> reverse;
};

/// One ingress port and class, until its first XON. Plain data: it crosses a pipe.
struct class_outcome {
    /// 0: never.
    picoseconds xoff_at{0};
    /// Charged to the class when XOFF was decided, the frame that caused it included. Unit: B.
    std::uint32_t bytes_at_xoff = 0;
    /// Of the class (802.3x: of all classes), charged or refused after that. Unit: B of frames.
    std::uint32_t bytes_after = 0;
    std::uint32_t frames_after = 0;
};
struct outcome {
    std::array<class_outcome, pfc_classes> classes{};
    /// Most bytes of the port's memory in use at once.
    std::uint32_t watermark = 0;
    std::uint32_t frames_refused = 0;
    /// At the sink.
    std::uint32_t frames_delivered = 0;

    bytes wire_bytes_after(pfc_class c, bytes wire_overhead) const {
        return bytes{classes[c].bytes_after} + wire_overhead * classes[c].frames_after;
    }
};

static_assert(std::is_trivially_copyable_v<outcome>);

struct results {
    std::vector<outcome> outcomes;
    /// Why the run failed; empty if it did not. `outcomes` end where it did.
    std::string violation;
};

/// Link, switch and thresholds under attack.
struct pfc_setting {
    std::string name;
    fabric_parameters parameters;
    link_properties link;
    bool switch_partner = false;

    port_config port() const { return {link.rate, link.latency, parameters.wire_overhead}; }
    port_flow_control thresholds() const {
        return resolve_flow_control(parameters.device, parameters.flow_control, port());
    }
    bytes max_wire() const { return parameters.device.max_frame + parameters.wire_overhead; }
    /// Full frames that the egress memory holds.
    std::int64_t frames_of_egress() const {
        return parameters.device.egress_buffer / parameters.device.max_frame;
    }
    picoseconds wire_time(bytes wire_bytes) const { return transmission_time(wire_bytes, link.rate); }
    picoseconds crossbar_time(bytes wire_bytes) const {
        return transmission_time(wire_bytes, link.rate * parameters.device.speedup);
    }
    bool charges_after_lookup() const { return parameters.flow_control.charge == charge_time::enqueue; }
    /// The closed form, from the setting's own numbers.
    pfc_headroom_terms terms(headroom_equation equation = headroom_equation::full) const {
        pfc_headroom_config config;
        config.rate = link.rate;
        config.max_frame_wire_bytes = max_wire();
        config.pfc_frame_wire_bytes = pause_frame_bytes + parameters.wire_overhead;
        config.one_way_latency = link.latency;
        config.lookup_delay = charges_after_lookup() ? parameters.device.lookup_delay : picoseconds{0};
        config.equation = equation;
        pfc_headroom_terms t = pfc_headroom(config);
        t.t_r = thresholds().response;
        return t;
    }
};

/// The default ingress memory, and notes of what happens at port 0.
class watched_ingress : public ingress_buffer_block {
 public:
    watched_ingress(sc_core::sc_module_name name, frame_slab& slab, unsigned ports, unsigned classes)
        : ingress_buffer_block(name, slab, ports, classes) {}

    charge_result charge(unsigned port, pfc_class c, std::uint32_t length, picoseconds now) override {
        const charge_result result = ingress_buffer_block::charge(port, c, length, now);
        if (port == 0) {
            note(c, length, now, result);
        }
        return result;
    }
    class_mask release(unsigned port, pfc_class c, std::uint32_t length, picoseconds now) override {
        const class_mask xon = ingress_buffer_block::release(port, c, length, now);
        if (port == 0) {
            m_class_bytes[c] -= length;
            m_counting = static_cast<class_mask>(m_counting & ~xon);
        }
        return xon;
    }
    const outcome& seen() const { return m_seen; }

 private:
    void note(pfc_class c, std::uint32_t length, picoseconds now, const charge_result& result) {
        const bool together = algorithm().limits(0).one_class;
        for (unsigned k = 0; k < pfc_classes; ++k) {
            if ((m_counting >> k & 1) != 0 && (together || k == c)) {
                m_seen.classes[k].bytes_after += length;
                ++m_seen.classes[k].frames_after;
            }
        }
        if (!result.admitted) {
            ++m_seen.frames_refused;
            return;
        }
        m_class_bytes[c] += length;
        const auto total = static_cast<std::uint32_t>(occupancy(0).count());
        m_seen.watermark = std::max(m_seen.watermark, total);
        for (unsigned k = 0; k < pfc_classes; ++k) {
            class_outcome& o = m_seen.classes[k];
            if ((result.xoff >> k & 1) != 0 && o.xoff_at == picoseconds{0}) {
                o.xoff_at = now;
                o.bytes_at_xoff = together ? total : m_class_bytes[k];
                m_counting = static_cast<class_mask>(m_counting | 1U << k);
            }
        }
    }

    outcome m_seen;
    class_mask m_counting = 0;
    std::array<std::uint32_t, pfc_classes> m_class_bytes{};
};

/// `count` islands. Hosts of island i: 3i attacker, 3i + 1 reverse, 3i + 2 sink.
inline topology make_islands(const pfc_setting& setting, std::size_t count) {
    topology t;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string n = std::to_string(i);
        const node_ref attacker = node_ref::of_host(t.add_host("attacker" + n));
        const node_ref reverse = node_ref::of_host(t.add_host("reverse" + n));
        const node_ref sink = node_ref::of_host(t.add_host("sink" + n));
        const node_ref device = node_ref::of_switch(t.add_switch("device" + n, 1));
        if (setting.switch_partner) {
            const node_ref partner = node_ref::of_switch(t.add_switch("partner" + n, 1));
            t.add_link(device, partner, setting.link);
            t.add_link(attacker, partner, setting.link);
        } else {
            t.add_link(attacker, device, setting.link);
        }
        t.add_link(reverse, device, setting.link);
        t.add_link(sink, device, setting.link);
    }
    t.finish();
    return t;
}

/// A frame by which the sink pauses (or, with 0 quanta, releases) all classes of its link.
inline ethernet_frame sink_pause(std::uint16_t quanta) {
    ethernet_frame frame;
    frame.kind = frame_kind::pfc;
    frame.priority = pfc_classes - 1;
    frame.pause = pause_fields{};
    frame.pause.class_enable = 0xFF;
    frame.pause.quanta.fill(quanta);
    return frame;
}

/// All islands in this process's kernel; `sink_opens` lets them drain from then on.
inline results run_here(const pfc_setting& setting, const std::vector<attack>& attacks, picoseconds end,
                        picoseconds sink_opens) {
    const topology plan = make_islands(setting, attacks.size());
    fabric made("fabric", setting.parameters, plan);
    std::vector<scripted_endpoint> ends(plan.hosts());
    std::vector<std::unique_ptr<watched_ingress>> watched;
    const unsigned switches_each = setting.switch_partner ? 2 : 1;
    for (std::size_t i = 0; i < attacks.size(); ++i) {
        const auto attacker = static_cast<host_id>(3 * i);
        const auto send = [&](host_id from, host_id to, const std::vector<burst>& bursts) {
            for (const burst& b : bursts) {
                for (const std::uint16_t length : b.lengths) {
                    ends[from].at(
                        b.at, frame_between(plan.address_of(from), plan.address_of(to), length, b.frame_class));
                }
            }
        };
        send(attacker, attacker + 2, attacks[i].forward);
        send(attacker + 1, attacker, attacks[i].reverse);
        ends[attacker + 2].at(0_ps, sink_pause(0xFFFF));
        if (sink_opens != never) {
            ends[attacker + 2].at(sink_opens, sink_pause(0));
        }
        switch_node& device = made.device(static_cast<switch_id>(i * switches_each));
        watched.push_back(std::make_unique<watched_ingress>(("watched" + std::to_string(i)).c_str(),
                                                            device.slab(), device.ports(),
                                                            setting.parameters.device.classes));
        for (unsigned port = 0; port < device.ports(); ++port) {
            watched.back()->algorithm().set_limits(port, setting.thresholds().limits);
        }
        device.ingress.bind(watched.back()->block);
    }
    for (host_id h = 0; h < plan.hosts(); ++h) {
        made.host(h)->run(ends[h]);
    }
    made.configure_run(engine_kind::fast, made.lookahead(), end);
    results r;
    try {
        sc_core::sc_start();
        made.settle(end);
    } catch (const sc_core::sc_report& report) {
        r.violation = report.get_msg();
    }
    for (std::size_t i = 0; i < attacks.size(); ++i) {
        r.outcomes.push_back(watched[i]->seen());
        r.outcomes.back().frames_delivered = static_cast<std::uint32_t>(ends[3 * i + 2].arrivals.size());
    }
    return r;
}

/// The same in a child process.
inline results run_attacks(const pfc_setting& setting, const std::vector<attack>& attacks, picoseconds end,
                           picoseconds sink_opens = never) {
    const std::string made = in_child([&] {
        sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
        const results r = run_here(setting, attacks, end, sink_opens);
        return std::string(reinterpret_cast<const char*>(r.outcomes.data()),
                           r.outcomes.size() * sizeof(outcome)) +
               r.violation;
    });
    results r;
    r.outcomes.resize(attacks.size());
    const std::size_t plain = attacks.size() * sizeof(outcome);
    if (made.size() < plain) {
        ADD_FAILURE() << "outcomes are missing";
        return r;
    }
    std::memcpy(r.outcomes.data(), made.data(), plain);
    r.violation = made.substr(plain);
    return r;
}

}  // namespace weir::test::pfc_attack
